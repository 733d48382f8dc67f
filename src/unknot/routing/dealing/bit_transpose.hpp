// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace unknot {

/// Exchanges rows and columns of 64 * 64 bits: bit j of word i becomes bit i of word j. Blocks of half the
/// size change places, then blocks of a quarter within them, and so on [Warren, Hacker's Delight, 7-3].
inline void transpose(std::array<std::uint64_t, 64>& block) {
  std::uint64_t low = 0x00000000FFFFFFFFU;
  for (std::uint32_t half = 32; half != 0; half /= 2, low ^= low << half) {
    for (std::uint32_t first = 0; first < 64; first += 2 * half) {
      for (std::uint32_t i = first; i < first + half; ++i) {
        const std::uint64_t change = (block[i] >> half ^ block[i + half]) & low;
        block[i] ^= change << half;
        block[i + half] ^= change;
      }
    }
  }
}

}  // namespace unknot
