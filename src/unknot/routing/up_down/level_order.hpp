// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/live/live_network.hpp"
#include "unknot/network/network.hpp"
#include "unknot/routing/up_down/up_down_order.hpp"

namespace unknot {

/// By router: 0 for the leaves, where the terminals are; for the others the hops to the nearest leaf.
///
/// A router with terminals counts as a leaf unless most of its cables lead to routers with four times its
/// terminals or more: the spine switch that the management node is plugged into stays a spine. Routers that
/// no leaf reaches have height 0. O(channels).
std::vector<std::uint32_t> heights_above_terminals(const LiveNetwork& network);
/// The same where the leaves are given.
std::vector<std::uint32_t> heights_above(const LiveNetwork& network, const std::vector<RouterId>& leaves);
/// Whether every cable joins heights that differ by one, as in a tree.
bool joins_neighbouring_heights(const LiveNetwork& network, const std::vector<std::uint32_t>& height);

/// An Up*/Down* order that ranks routers by their height above the terminals.
struct LevelOrder {
  UpDownOrder order;
  std::vector<std::uint32_t> height;
  std::uint64_t missing = 0;  ///< (source, destination) terminal pairs that it leaves without a path
};

/// Heights alone order a tree. Where routers of one height are neighbours (chassis joined by their line
/// cards), it matters which of them counts as higher: tried are the order of ids, its reverse, and the hops
/// from the most central router; the one with the fewest pairs missing is taken, then with the shortest
/// paths. O(routers with terminals * channels).
LevelOrder level_order(const Network& network, std::vector<std::uint32_t> height);
/// By the heights above the terminals.
LevelOrder level_order(const Network& network);

/// The order of the heights alone, of one height by id; for trees whose cables all join neighbouring heights.
UpDownOrder order_by_height(const std::vector<std::uint32_t>& height);

/// By router: how far above the router farthest from the roots it stands; the roots (at least one, living)
/// are highest.
std::vector<std::uint32_t> heights_below(const LiveNetwork& network, const std::vector<RouterId>& roots);

/// The same as level_order() by hops from the given roots (at least one), which are the highest. Roots may be
/// neighbours: which of them counts as higher is tried as above.
LevelOrder levels_below(const Network& network, const std::vector<RouterId>& roots);

}  // namespace unknot
