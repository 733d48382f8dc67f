// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace unknot {

/// The channels with which one channel shares turns, and what it is worth to come behind each in an order.
struct OrderNeighbours {
  std::vector<std::uint32_t> place;
  std::vector<std::int32_t> gain;  ///< of coming behind it; less than 0 where it should come behind

  void clear() {
    place.clear();
    gain.clear();
  }
  void add(std::uint32_t where, std::int32_t worth) {
    place.push_back(where);
    gain.push_back(worth);
  }
};

/// The place at which the sum of what it comes behind is the greatest, the first of such; `place` itself if
/// none is better. Sums must fit 32 bits. O(n log n), few neighbours by whole vectors in n * n / 16.
std::uint32_t better_place(std::uint32_t place, const OrderNeighbours& around);
/// The form for many neighbours; the result is the same.
std::uint32_t better_place_sorted(std::uint32_t place, const OrderNeighbours& around);

}  // namespace unknot
