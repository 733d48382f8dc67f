// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/routing/nue/nue_lane.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/forwarding_table.hpp"

namespace unknot {

/// Lanes given as orders of channels, and for each destination router its lane and a tree inside that lane's
/// order: along each path the positions of the channels rise.
struct OrderedLanes {
  std::vector<std::vector<std::uint32_t>> positions;  ///< by lane, by channel
  std::vector<std::uint8_t> lane;                     ///< by router, of those with terminals
  std::vector<NueTree> tree;                          ///< by router, of those with terminals
};

/// One tree for each destination terminal inside its lane's order, balanced by channel load, none longer than
/// the tree given for its router. A tree grows breadth first, each router taking among the channels of fewest
/// hops that fit the order the one with the lightest path; where that makes some path longer than in the tree
/// given, it starts from that tree and routers only switch to lighter channels that fit all around them.
/// `passes` further rounds take each tree out and build it against the loads of all others. O((1 + passes) *
/// terminals * channels); single-threaded, since each tree depends on all before it.
ForwardingTable balanced_ordered_trees(const Network& network, const OrderedLanes& lanes,
                                       std::uint32_t passes, Progress& progress);

}  // namespace unknot
