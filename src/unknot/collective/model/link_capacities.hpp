// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/collective/model/node_graph.hpp"
#include "unknot/network/network.hpp"

namespace unknot {

/// What each link of a network carries, as NodeGraphOptions ask for it: cables, or megabits a second of data.
/// Whole numbers, so that nothing is rounded later.
struct LinkCapacities {
  CapacityUnit unit = CapacityUnit::cables;  ///< never automatic
  std::vector<std::uint32_t> channels;       ///< by channel
  std::vector<std::uint32_t> terminals;      ///< by terminal
  std::uint32_t assumed = 0;  ///< links that state nothing and have no known rate: NodeGraph::assumed_links()
};

/// Channels, and where `with_terminals` the cables of terminals. InputError where rates are asked for and one
/// is not known, and where a terminal has more than 32 bits of megabits. O(network).
LinkCapacities link_capacities(const Network& network, const NodeGraphOptions& options, bool with_terminals);

}  // namespace unknot
