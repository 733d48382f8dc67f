// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/network/network_change.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/tables/transition_step.hpp"

namespace unknot {

/// New tables after a change of the network, and what makes them differ from the old ones.
struct Rerouted {
  Routing routing;  ///< of the new network
  /// By destination: all that differs from what is in force (carry_over()). Beside what the rerouting
  /// changes that is what a swapped cable or another LID has changed, and the own entry of a new terminal.
  std::vector<EntryChange> entries;
  std::vector<LevelChange> levels;    ///< by destination; rows as in routing.service_levels
  std::uint64_t entries_minimum = 0;  ///< entries that cannot stay, whatever the rest (see reroute())
  std::uint32_t destinations = 0;     ///< destinations whose tree the change touches
  std::uint32_t detoured = 0;         ///< of these, such that kept their lanes by longer paths only
  /// Destinations that got lanes only once the old paths of the change were out of the way: old and new
  /// tables together may then have cycles, and the transition takes several steps.
  std::uint32_t displaced = 0;
  std::uint64_t unreachable = 0;  ///< entries that are none because no path is left
};

/// Routes a changed network (failures, repairs, or both) anew from the tables it had, and changes as few
/// entries as possible.
///
/// An entry stays unless one of these holds; the entries for which one does are `entries_minimum`:
///   * the channel it names is gone (what else is plugged into its port now counts for nothing, unless the
///     new tables happen to want it), or it is new (a new router, a new terminal or LID);
///   * the router's path was a shortest one, and no shortest path of the new network starts with the entry;
///   * the path was no shortest one, and would have to become longer than it was although a shorter one
///     exists.
/// So paths stay shortest where they were, trees that use no failed channel stay untouched, and of the others
/// only the routers behind the failure are looked at. More entries change only where no lane takes the paths
/// otherwise; then paths may become longer than need be, and `detoured` counts the destinations.
///
/// Only paths that change get a lane anew: their old one where it stays without a cycle together with all old
/// paths, another, or a spare one of the `lanes` there are (those that the tables declare at most). Where
/// that fails, the old paths of what changes are taken out first. Throws RoutingFailure where it still fails,
/// and says how many paths it is; for tables that loop, that use more lanes than there are, whose lanes
/// depend on ports, or that lead to several LIDs of a host.
///
/// Not all pairs need be connected: entries towards what no path reaches any more are none.
///
/// Cost: one copy of the tables; one pass over the rows of routers that lost a channel; for each touched
/// destination the channels of the routers behind the failure; with service levels also one walk of the
/// tables. For repairs two breadth-first searches for each added channel and touched destination.
Rerouted reroute(const Network& old_network, const Routing& old_routing, const Network& new_network,
                 const NetworkChange& change, std::uint32_t lanes, Progress& progress);

/// The old routing carried over to the new network: what is in force there until the new tables are.
Routing before_reroute(const Rerouted& rerouted);

}  // namespace unknot
