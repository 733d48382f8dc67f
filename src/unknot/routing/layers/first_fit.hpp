// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/network/network.hpp"
#include "unknot/routing/layers/cycle_breaking.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/forwarding_table.hpp"

namespace unknot {

/// What is put on a lane as a whole, and in which order.
enum class FirstFitUnit : std::uint8_t {
  /// The paths of a source router to one destination terminal; terminal by terminal.
  destination,
  /// The paths of a source router to all terminals of a destination router, which must share them;
  /// destination router by destination router.
  router_pair,
  /// The same, and the way back with them; each pair once, in the order of OpenSM. For shortest paths where
  /// all cables go both ways.
  both_ways,
};

/// Online deadlock removal: each path in turn goes to the first lane whose channel dependencies stay without
/// a cycle; where there is none it opens another lane. That is how LASH fills its layers [Skeie, Lysne,
/// Theiss 2002], and the online variant of the DFSSSP paper [Domke, Hoefler, Nagel 2011, section III].
///
/// Only paths between routers that have terminals count. `most_lanes`: gives up beyond this many (at most
/// 250) and throws RoutingFailure. Pairs that the table does not join stay on lane 0.
LaneAssignment first_fit(const Network& network, const ForwardingTable& table, FirstFitUnit unit,
                         std::uint32_t most_lanes, Progress& progress);

}  // namespace unknot
