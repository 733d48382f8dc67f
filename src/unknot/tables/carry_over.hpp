// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/network/network.hpp"
#include "unknot/network/network_change.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// A routing of one network as a routing of another that has lost or gained some parts: the same entries, by
/// port, and the same service levels. Entries on channels that are gone, and those of new routers or to new
/// terminals, are none; levels of new terminals are 0. SL-to-VL tables stay as they are, by port; those of
/// new routers and ports take each level to the lane of its number.
///
/// Copies whole rows; only the rows of routers that have lost or gained a channel are translated.
/// O(routers * terminals), and with SL-to-VL tables O(squares of the numbers of ports).
Routing carry_over(const Network& before, const Routing& routing, const Network& after,
                   const NetworkChange& change);

}  // namespace unknot
