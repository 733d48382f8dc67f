// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/angara/torus.hpp"

namespace unknot::angara {

/// How turns against the direction order are looked for.
enum class Augmentation : std::uint8_t {
  none,
  /// By used-direction sets [Theorem 2]: a turn from direction Di to the channel (v, Dj) is taken when no
  /// channel of direction Di can be reached from (v, Dj). Sufficient, not necessary.
  direction_sets,
  /// By reachability itself: taken when (v, Dj) does not reach the channel that the turn starts from.
  exact,
};

/// The turns against the direction order that close no cycle in the channel dependency graph, but for circles
/// within one directed ring, which bubble flow control breaks. Only turns that a route can use are looked
/// for: between positive directions (a first step) and between negative ones (a last step).
class Turns {
 public:
  /// O(channels * directions^2) for direction sets; for `exact`, a search over the channels for each turn
  /// that the sets leave open. The torus is not kept.
  Turns(const Torus& torus, Augmentation augmentation);

  /// True when a packet that came over the channel of `slot` may leave its target in direction `to`, which
  /// comes earlier in the direction order.
  [[nodiscard]] bool allowed(std::uint32_t slot, Direction to) const {
    return (turns_[slot] >> to & 1U) != 0;
  }
  /// Turns added to the direction order.
  [[nodiscard]] std::uint32_t count() const { return count_; }

 private:
  std::vector<std::uint16_t> turns_;  // by slot: directions
  std::uint32_t count_ = 0;
};

}  // namespace unknot::angara
