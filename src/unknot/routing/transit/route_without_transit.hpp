// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// Routes a network in which closed routers carry nothing between others. So no engine need know of closed
/// routers: `route_network` is given the network as it is, and where what it makes passes through none of
/// them, as in a fat tree whose leaves are closed, that is all. Else it is given stub_network() of it, and
/// the tables of that are put together again.
///
/// What comes to a terminal of a closed router enters by the cables of its stub. What leaves goes, for each
/// destination, the way of the stub that is nearest to it, the least used of equals, with the level that this
/// stub's terminals have there. Neighbours that are both closed use the cable between them for each other.
///
/// Free of deadlock where the stubs' tables are: no packet enters a closed router but to stay there, so that
/// what is put together adds no dependency between channels to those that the stubs' tables have. Pairs that
/// only closed routers connect have no entry. `closed`: ascending. RoutingFailure where source routes or
/// tables with SL-to-VL tables would have to be put together. O(routers * terminals) beside the engine's own
/// work.
Routing route_without_transit(const Network& network, const std::vector<RouterId>& closed,
                              const std::function<Routing(const Network&)>& route_network);

}  // namespace unknot
