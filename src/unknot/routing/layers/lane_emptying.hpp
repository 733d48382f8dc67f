// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/network/network.hpp"
#include "unknot/routing/layers/cycle_breaking.hpp"
#include "unknot/tables/forwarding_table.hpp"

namespace unknot {

/// Saves lanes: cycle breaking leaves a few paths on its last lane, and single paths often fit a lower lane
/// where the whole set of a dependency would not. Moves the paths of the last lane, one (source router,
/// destination) at a time, longest first, to any lower lane that stays without a cycle; when all have moved
/// the lane is gone and the next one is tried. A lane that cannot be emptied is left as it was. Each addition
/// is checked by a search in that lane's dependency graph. Stops at the first path that fits nowhere, and
/// after a number of steps in proportion to the table, so that failing is cheap. Returns the number of lanes
/// saved.
std::uint32_t empty_last_lanes(const Network& network, const ForwardingTable& table,
                               LaneAssignment& assignment);

}  // namespace unknot
