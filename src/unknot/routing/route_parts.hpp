// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// Routes a network that faults have broken apart: each part that no channel joins to the others, and that
/// has terminals on more than one router, is given to `route_part` as a network of its own, and the results
/// are put together. So no engine need know of networks in parts. Between parts the tables hold no entry;
/// parts without terminals get none at all. Lanes are shared: no cycle can span two parts.
///
/// Each part is a network with the numbers of its own routers, in the old order; every router keeps all its
/// channels, so that table entries mean the same. O(network * parts) beside the engine's own work.
Routing route_parts(const Network& network, const std::function<Routing(const Network&)>& route_part);

}  // namespace unknot
