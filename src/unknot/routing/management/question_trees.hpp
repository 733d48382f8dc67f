// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/dependency_slots.hpp"
#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// Grows the tree that leads to a router's own port anew, so that what hosts ask it can travel on the lanes
/// of its answers. Along dependencies that packets make already, and no others: nothing has to be proven
/// again.
class QuestionTrees {
 public:
  /// `routing`: of the network with management, without a lane map; it may change between calls.
  QuestionTrees(const Network& network, Routing& routing);

  /// First the ways of `hosts`, each on the level of its answer, then those of all others, nearest first.
  /// Writes the column and its levels where fewer than `unlike` hosts are then answered on another level than
  /// they ask on, and every router finds a way; else changes nothing and returns false. O(channels * hosts).
  bool regrow(TerminalId own, std::span<const TerminalId> hosts, std::size_t unlike);

 private:
  [[nodiscard]] std::uint16_t lanes_through(ChannelId c, std::span<const ChannelId> entries) const;
  bool lead(RouterId from, std::uint32_t lane);
  void join_rest();
  std::size_t choose_levels(TerminalId own, std::span<const TerminalId> hosts);
  void join(RouterId router, ChannelId entry);

  const Network* network_;
  Routing* routing_;
  DependencySlots slots_;
  std::vector<std::uint16_t> uses_;  // by slot: lanes
  RouterId home_;
  // By router: the way so far; an invalid entry where there is none yet.
  std::vector<ChannelId> entry_, tried_;
  std::vector<std::uint16_t> lanes_;
  std::vector<RouterId> queue_;
  std::vector<std::uint8_t> question_;  // by row of levels; kMissing where no host has chosen
};

}  // namespace unknot
