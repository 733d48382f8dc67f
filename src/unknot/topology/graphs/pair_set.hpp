// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace unknot {

/// Set of unordered pairs of routers: which links exist. Open addressing in one flat array, 8 bytes a slot
/// and at most three quarters full; O(1) expected.
class PairSet {
 public:
  /// Room for `pairs` at once.
  explicit PairSet(std::size_t pairs);

  [[nodiscard]] bool contains(std::uint32_t a, std::uint32_t b) const;
  /// The pair must not be in the set, and there must be room.
  void insert(std::uint32_t a, std::uint32_t b);
  /// The pair must be in the set.
  void erase(std::uint32_t a, std::uint32_t b);

 private:
  [[nodiscard]] std::size_t home(std::uint64_t key) const;
  /// Slot that holds the key, or the empty one that ends its run.
  [[nodiscard]] std::size_t find(std::uint64_t key) const;
  std::vector<std::uint64_t> slots_;
  std::size_t mask_ = 0;
};

}  // namespace unknot
