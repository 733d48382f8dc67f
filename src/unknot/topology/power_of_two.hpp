// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <bit>
#include <cstdint>

#include "unknot/support/error.hpp"

namespace unknot {

/// log2 of a number of terminals, at least 2; InputError with the nearest powers of two for any other number.
inline std::uint32_t log2_terminals(const char* family, std::uint32_t terminals) {
  if (!std::has_single_bit(terminals)) {
    const std::uint64_t below = std::bit_floor(terminals);
    throw InputError(
        fmt::format("topology {}: the number of terminals must be a power of two, not {}; nearest: "
                    "n={} or n={}",
                    family, terminals, below, 2 * below));
  }
  return static_cast<std::uint32_t>(std::countr_zero(terminals));
}

}  // namespace unknot
