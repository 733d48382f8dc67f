// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/lanes/break_rule.hpp"
#include "unknot/network/network.hpp"
#include "unknot/routing/trees/path_dag.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/forwarding_table.hpp"
#include "unknot/tables/service_levels.hpp"

namespace unknot {

struct LaneAssignment {
  ServiceLevels levels;                   ///< by source router; empty when one lane is enough
  std::uint32_t lanes = 1;                ///< lanes needed
  std::vector<std::uint64_t> lane_paths;  ///< by lane: (source, destination) terminal pairs on it
  /// By lane: the pairs of consecutive channels that its paths use, as DependencyBits lays them out.
  std::vector<std::vector<std::uint64_t>> lane_dependencies;
};

/// Offline deadlock removal [Domke, Hoefler, Nagel 2011, Algorithm 2]: all paths start on lane 0; a
/// depth-first search of the lane's channel dependency graph finds cycles, the paths of one dependency of
/// each move to the next lane; lane by lane until one has no cycle. Finished channels stay finished, and the
/// search resumes at the tail of the first dependency on its stack that vanished.
///
/// Paths are never listed. A dependency a->b is used by the destinations whose two table rows hold a and b;
/// the sources are the subtree behind a; its weight in the lane is kept by counters of (destination, router).
///
/// Terminates under every rule: `heaviest` and `first` could move a whole lane forever (smallest case: paths
/// abc and cdab), so where the chosen dependency carries all paths of the lane, the weakest of the cycle is
/// taken, which cannot.
///
/// The table must hold shortest paths; `dags` are the network's. `most_lanes`: gives up beyond this many (at
/// most 250) and throws RoutingFailure. Memory: routers * terminals
/// * (2 + 2 * width of a counter) bytes.
LaneAssignment break_cycles(const Network& network, PathDags& dags, const ForwardingTable& table,
                            BreakRule rule, std::uint32_t most_lanes, Progress& progress);

/// Spreads the paths over all `budget` lanes: each lane of the assignment gets spare lanes in proportion to
/// its paths, and its paths go to them in turn. Any part of an acyclic lane is acyclic. Returns the number of
/// lanes in use.
std::uint32_t spread_over_spare_lanes(const Network& network, LaneAssignment& assignment,
                                      std::uint32_t budget);

}  // namespace unknot
