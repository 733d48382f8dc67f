// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace unknot::evolve {

/// Threads for a part of a generation that takes about this many simple operations: one where waking the
/// others would take longer, or much longer on a machine that has other things to do.
constexpr std::uint32_t workers_for(std::uint64_t operations, std::uint32_t threads) {
  constexpr std::uint64_t kWorthWaking = 100'000;
  return operations < kWorthWaking ? 1 : threads;
}

}  // namespace unknot::evolve
