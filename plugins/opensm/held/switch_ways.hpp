// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/live/live_network.hpp"
#include "unknot/network/network.hpp"

namespace unknot::opensm {

/// Ways to the switches without hosts, to which no entry of a host leads: management asks them.
///
/// The channels of a way come in the order of the proof, in which those of every path of data come, too. So
/// ways add nothing that could close a cycle, whatever the others are. Not every switch has such a way to
/// every other one: in a tree none leads from one at the top to another.
///
/// A way stays as long as it is one. Memory: five bytes for each switch and switch without hosts.
class SwitchWays {
 public:
  /// The network must outlive this. No ways yet.
  explicit SwitchWays(const Network& network);

  /// Mends what an event has cut, and takes what `back` makes shorter: channels that have come back, or whose
  /// switches have. `order`: by channel, going up along all dependencies. Returns the switches the ways to
  /// which are others, good until the next call. O(switches * switches without hosts), and O(channels) for
  /// each that is returned.
  std::span<const RouterId> follow(const LiveNetwork& live, std::span<const std::uint32_t> order,
                                   std::span<const ChannelId> back);
  /// First channel of the way; invalid where there is none, and where `to` has hosts.
  [[nodiscard]] ChannelId way(RouterId from, RouterId to) const {
    const std::uint32_t i = number_[to.value];
    return i == kHosts ? ChannelId() : way_[std::size_t{i} * routers_ + from.value];
  }

 private:
  static constexpr std::uint32_t kHosts = 0xFFFFFFFFU;
  static constexpr std::uint8_t kFar = 0xFF;  // no way, or more hops than that
  [[nodiscard]] bool holds(std::uint32_t i, const LiveNetwork& live, std::span<const std::uint32_t> order);
  [[nodiscard]] bool shorter(std::uint32_t i, std::span<const std::uint32_t> order,
                             std::span<const ChannelId> back) const;
  void grow(std::uint32_t i, const LiveNetwork& live, std::span<const std::uint32_t> order);

  const Network* network_;
  std::size_t routers_;
  std::vector<RouterId> bare_;         // switches without hosts
  std::vector<std::uint32_t> number_;  // by router: among those; kHosts
  std::vector<ChannelId> way_;         // by number and router
  std::vector<std::uint8_t> hops_;     // by number and router; kFar
  std::vector<std::uint8_t> grown_;    // by number: has ways
  std::vector<RouterId> queue_, moved_;
};

}  // namespace unknot::opensm
