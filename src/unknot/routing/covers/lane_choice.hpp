// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "unknot/routing/orders/lane_orders.hpp"

namespace unknot {

/// The lanes of a mask by number. By a table: how many bits must be left out is different each time, and a
/// loop over them is guessed wrong as often.
class LaneOfMask {
 public:
  /// The one with `n` lanes before it, n less than LaneCount::of(mask); 0 where there is none.
  [[nodiscard]] static std::uint8_t at(std::uint16_t mask, std::uint32_t n) {
    const std::uint32_t low = mask & 0xFFU;
    const std::uint32_t in_low = LaneCount::of(static_cast<std::uint16_t>(low));
    if (mask >> 8 == 0 || n < in_low) return kAt[low][n];
    return static_cast<std::uint8_t>(8 + kAt[mask >> 8][n - in_low]);
  }

 private:
  static constexpr std::array<std::array<std::uint8_t, 8>, 256> kAt = [] {
    std::array<std::array<std::uint8_t, 8>, 256> all{};
    for (std::size_t mask = 1; mask < all.size(); ++mask) {
      std::size_t left = mask;
      for (std::uint8_t& lane : all[mask]) {
        lane = left == 0 ? std::uint8_t{0} : static_cast<std::uint8_t>(std::countr_zero(left));
        left &= left - 1;
        if (left == 0) break;
      }
    }
    return all;
  }();
};

}  // namespace unknot
