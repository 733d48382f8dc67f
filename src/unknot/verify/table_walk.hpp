// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/deadlock/dependency_graph.hpp"
#include "unknot/network/network.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/verify/tally.hpp"

namespace unknot {

/// Everything the checker learns by following the tables.
struct TableWalk {
  Tally tally;
  DependencyGraph graph;
};

/// Follows the packets of every ordered pair of distinct terminals as far as they get. Packets that are lost
/// on the way (no entry, a stray port, a lane that drops them) hold channels up to that point, and packets in
/// a loop hold all of the loop: their dependencies count. Packets without a service level are never sent.
/// Between terminals of one router no channel is used and the service level is not looked at. InputError when
/// the routing's sizes are not those of the network.
TableWalk walk_tables(const Network& network, const Routing& routing, std::uint32_t threads,
                      std::uint32_t max_findings, Progress& progress);

}  // namespace unknot
