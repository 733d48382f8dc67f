// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "unknot/deadlock/dependency_graph.hpp"
#include "unknot/network/network.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/verify/multicast/multicast_verdict.hpp"

namespace unknot {

/// What following the multicast groups of a routing tells.
struct MulticastWalk {
  MulticastVerdict verdict;
  DependencyGraph graph;  ///< of all groups
};

/// Follows the packets of each group of `routing.multicast`, from every terminal: members or not, each may
/// send. Copies of one packet wait for their channels one by one: a switch keeps the packet until the last
/// copy has left, and sends a copy when there is room for all of it (InfiniBand, virtual cut-through). So
/// a channel waits for every other one that the group's tables lead on to, and branches do not wait for each
/// other. InputError where the tables have not the network's routers. O(groups * (members * places of the
/// group)), where places are channels of its tree.
MulticastWalk walk_multicast(const Network& network, const Routing& routing, std::uint32_t max_findings,
                             Progress& progress);

/// A group, and a terminal whose packets to it hold `from` and wait for `to`.
struct MulticastFlow {
  std::uint16_t group = 0;
  TerminalId source;
};
/// The first by group. O(groups * ports squared).
std::optional<MulticastFlow> find_multicast_flow(const Network& network, const Routing& routing,
                                                 ChannelId from, std::uint8_t from_lane, ChannelId to,
                                                 std::uint8_t to_lane);

}  // namespace unknot
