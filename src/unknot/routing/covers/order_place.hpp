// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace unknot {

/// The channels with which one channel shares turns, and what it is worth to come behind each in an order.
class OrderNeighbours {
 public:
  /// None, with room for so many.
  void clear(std::uint32_t most) {
    count_ = 0;
    if (place_.size() < most) place_.resize(most);
    if (gain_.size() < most) gain_.resize(most);
  }
  /// What is worth nothing is no neighbour. `worth`: less than 0 where that one should come behind.
  void add(std::uint32_t where, std::int32_t worth) {
    place_[count_] = where;
    gain_[count_] = worth;
    count_ += worth != 0 ? 1 : 0;  // which of them count no processor guesses
  }
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] std::uint32_t place(std::uint32_t i) const { return place_[i]; }
  /// Of coming behind it.
  [[nodiscard]] std::int32_t gain(std::uint32_t i) const { return gain_[i]; }

 private:
  std::uint32_t count_ = 0;
  std::vector<std::uint32_t> place_;
  std::vector<std::int32_t> gain_;
};

/// The place at which the sum of what it comes behind is the greatest, the first of such; `place` itself if
/// none is better. Sums must fit 32 bits. O(n log n), few neighbours by whole vectors in n * n / 16.
std::uint32_t better_place(std::uint32_t place, const OrderNeighbours& around);
/// The form for many neighbours; the result is the same.
std::uint32_t better_place_sorted(std::uint32_t place, const OrderNeighbours& around);

}  // namespace unknot
