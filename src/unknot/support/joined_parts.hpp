// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace unknot {

/// Things 0 .. count - 1 in parts that are joined one by one: at first each is a part of its own. A forest
/// with shortened ways [Tarjan 1975; halving, Tarjan and van Leeuwen 1984]. O(log count) amortised a call.
class JoinedParts {
 public:
  explicit JoinedParts(std::uint32_t count) : root_(count) { std::iota(root_.begin(), root_.end(), 0U); }
  /// The smallest thing of the part.
  std::uint32_t of(std::uint32_t thing) {
    while (root_[thing] != thing) thing = root_[thing] = root_[root_[thing]];
    return thing;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    a = of(a);
    b = of(b);
    root_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> root_;
};

}  // namespace unknot
