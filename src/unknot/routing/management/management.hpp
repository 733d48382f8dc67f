// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/managed_network.hpp"
#include "unknot/routing/management/alike_answers.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

struct ManagementRequest {
  /// Lanes that may be in use in all; those of the data are whatever this says.
  std::uint32_t lanes = 8;
  /// Hosts, of the network without management, whose questions routers answer on the level they came on:
  /// those where a subnet manager or a performance manager runs.
  std::vector<TerminalId> hosts;
  std::uint32_t threads = 0;  ///< 0: all of the machine
};

/// A routing of the network with management.
struct ManagedRouting {
  Routing routing;
  std::uint32_t lanes_more = 0;             ///< than the data has
  std::vector<ManagementPair> left_out;     ///< nobody sends: no way without a cycle, within the lanes
  std::vector<ManagementPair> other_level;  ///< a host, and a router that answers it on another level
};

/// Adds to a routing between hosts the routes from all hosts and routers to all routers, and from routers to
/// hosts, as management needs them, with their service levels: free of deadlock together where the data is.
/// Data stays as it is.
///
/// * A router with hosts costs nothing (copied_routes()).
/// * A router without hosts sends as the table says where data's levels are all 0 and data makes all the
/// dependencies of its way already (seeking_routers()). Else it gets what no host's packet meets: entries of
/// its own, on lanes of the data where a cycle can be avoided (SwitchTrees), else by detours and on lanes
/// more (grow_leftover_trees()). With SL-to-VL tables or bubble flow control it is left out.
/// * `hosts` are answered alike where that can be (answer_alike()).
///
/// Where the data can deadlock, the ways of routers without hosts are those of up*/down* on the first lane,
/// and close no cycle among themselves. `managed` is managed_network(network). Needs tables (InputError).
/// O(routers * terminals), and for each router without hosts O(terminals + channels * lanes) more.
ManagedRouting with_management(const Network& network, const Routing& data, const ManagedNetwork& managed,
                               const ManagementRequest& request, Progress& progress);

}  // namespace unknot
