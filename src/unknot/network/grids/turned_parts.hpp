// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace unknot {

/// Things 0 .. count - 1 in parts that are joined one by one, each thing turned one way or the other: a
/// forest in which each knows whether it is turned the other way than its parent. O(log count) amortised a
/// call.
class TurnedParts {
 public:
  explicit TurnedParts(std::uint32_t count) : parent_(count), against_(count, false) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }
  /// The part, and whether the thing is turned against it.
  std::pair<std::uint32_t, bool> of(std::uint32_t thing) {
    std::uint32_t root = thing;
    bool against = false;
    for (; parent_[root] != root; root = parent_[root]) against ^= against_[root];
    const bool whole = against;
    while (parent_[thing] != root && thing != root) {  // straight to the root from now on
      const std::uint32_t up = parent_[thing];
      const bool step = against_[thing];
      parent_[thing] = root;
      against_[thing] = against;
      against ^= step;
      thing = up;
    }
    return {root, whole};
  }
  /// False where the two are in one part already and turned otherwise.
  bool join(std::uint32_t a, std::uint32_t b, bool opposed) {
    const auto [one, one_against] = of(a);
    const auto [other, other_against] = of(b);
    const bool turned = one_against ^ other_against ^ opposed;
    if (one == other) return !turned;
    const std::uint32_t low = std::min(one, other), high = std::max(one, other);
    parent_[high] = low;
    against_[high] = turned;
    return true;
  }

 private:
  std::vector<std::uint32_t> parent_;
  std::vector<bool> against_;
};

}  // namespace unknot
