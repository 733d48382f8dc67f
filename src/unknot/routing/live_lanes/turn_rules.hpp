// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/routing/live_lanes/escape_order.hpp"

namespace unknot {

/// For each turn from one channel to the next the lanes that allow it: those whose order has the first before
/// the second, and one more lane where packets go up, then down.
class TurnRules {
 public:
  using Mask = std::uint16_t;
  static constexpr std::uint32_t kMostLanes = 16;

  /// `orders`: by lane, at most kMostLanes - 1. O(turns * lanes).
  TurnRules(const Network& network, const std::vector<std::vector<std::uint32_t>>& orders,
            const EscapeOrder& escape);

  [[nodiscard]] std::uint32_t lanes() const { return escape_lane_ + 1; }
  [[nodiscard]] std::uint32_t escape_lane() const { return escape_lane_; }
  [[nodiscard]] Mask all() const { return static_cast<Mask>((1U << lanes()) - 1); }
  /// Lanes that allow to go on from the channel by that position among those out of its target.
  [[nodiscard]] Mask of(std::uint32_t channel, std::uint32_t position) const {
    return allowed_[first_turn_[channel] + position];
  }
  /// The escape's order is another around this router.
  void update_around(RouterId router, const EscapeOrder& escape);

 private:
  void update_from(ChannelId c, const EscapeOrder& escape);

  const Network* network_;
  std::uint32_t escape_lane_;
  std::vector<std::uint32_t> first_turn_;  // by channel
  std::vector<Mask> allowed_;              // by turn
};

}  // namespace unknot
