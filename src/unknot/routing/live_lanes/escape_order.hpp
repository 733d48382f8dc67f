// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/live/live_network.hpp"

namespace unknot {

/// An Up*/Down* order that follows its network: routers in a row, cables up lead to one that is higher, and
/// packets go up, then down. Of each part of the network only one router has no living cable up, so that
/// every pair with a path has one that goes up, then down. All cables must go both ways.
class EscapeOrder {
 public:
  /// By hops from the router with the most channels. O(channels).
  explicit EscapeOrder(const LiveNetwork& network);

  [[nodiscard]] bool up(ChannelId c) const {
    return rank_[network_->source(c).value] < rank_[network_->target(c).value];
  }
  /// After an event. Returns the routers that have another place among their neighbours, none mostly:
  /// O(routers) then, else O(routers * channels) at most.
  std::vector<RouterId> update();

  /// Entries of a tree towards `home`, by router: positions among all its channels, down where that will do,
  /// each by few hops; 0xFF where no path is left. O(channels).
  void tree(RouterId home, std::vector<std::uint8_t>& entries) const;

  /// All channels, so that packets take them first to last.
  [[nodiscard]] std::vector<std::uint32_t> channels() const;

 private:
  [[nodiscard]] bool has_up(RouterId r) const;
  void number();

  const LiveNetwork* network_;
  std::vector<RouterId> order_;      // lowest first
  std::vector<std::uint32_t> rank_;  // by router: place in it
};

}  // namespace unknot
