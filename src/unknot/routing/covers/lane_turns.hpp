// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

/// Virtual lanes, each a total order of the channels (as LaneOrders, which can be changed; these cannot): a
/// packet on the lane may go on from channel a to channel b only where a comes before b. For each turn the
/// lanes that allow it, a bit each.
class LaneTurns {
 public:
  using Mask = std::uint16_t;
  static constexpr std::uint32_t kMostLanes = 16;

  /// `orders`: by lane, all channels. O(turns * lanes).
  LaneTurns(const Network& network, const std::vector<std::vector<std::uint32_t>>& orders,
            std::uint32_t threads);

  [[nodiscard]] std::uint32_t lanes() const { return lanes_; }
  [[nodiscard]] Mask all() const { return static_cast<Mask>((1U << lanes_) - 1); }
  /// Lanes that allow the turns of a channel: by position of the next one among those out of its target.
  [[nodiscard]] const Mask* of(std::uint32_t channel) const { return allowed_.data() + first_[channel]; }
  /// Whether `a` comes after `b` on the lane.
  [[nodiscard]] bool after(std::uint32_t lane, std::uint32_t a, std::uint32_t b) const {
    return place_[std::size_t{a} * lanes_ + lane] > place_[std::size_t{b} * lanes_ + lane];
  }

 private:
  std::uint32_t lanes_;
  std::vector<std::uint32_t> first_;  // by channel: its first turn
  std::vector<std::uint32_t> place_;  // by channel and lane
  std::vector<Mask> allowed_;         // by turn
};

}  // namespace unknot
