// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// Routers that have no way to a destination yet.
struct LeftoverTree {
  TerminalId destination;
  std::vector<RouterId> routers;
};

/// Looks for ways for what SwitchTrees left over, one tree after the other, by changing the sequences of the
/// lanes 0 to `lanes` - 1, and by detours. Routers that find none stay in `trees`; those that no path joins
/// to the destination are taken off it. Throws RoutingFailure where the tables can deadlock already.
void grow_leftover_trees(const Network& network, Routing& routing, std::uint32_t lanes,
                         std::vector<LeftoverTree>& trees);

}  // namespace unknot
