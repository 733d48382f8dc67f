// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace unknot {

/// How many parts that no cable joins a fabric may be in, for its reader.
enum class Parts : std::uint8_t {
  one,
  any,  ///< several subnets in one file
};

}  // namespace unknot
