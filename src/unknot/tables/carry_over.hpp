// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/network/network.hpp"
#include "unknot/network/network_change.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// A routing of one network as a routing of another that has lost or gained some parts: the same entries, by
/// port, and the same service levels. Entries on channels that are gone, and those of new routers or to new
/// terminals, are none; levels of new terminals are 0. The routing must have no lane map.
///
/// Copies whole rows; only the rows of routers that have lost or gained a channel are translated.
/// O(routers * terminals).
Routing carry_over(const Network& before, const Routing& routing, const Network& after,
                   const NetworkChange& change);

}  // namespace unknot
