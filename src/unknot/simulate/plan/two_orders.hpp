// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot::simulate {

/// O1TURN: dimension order from the first dimension on, on lane 0, and from the last on, on lane 1, as tables
/// to two addresses of each terminal (Routing::further). A packet goes to either with equal chance where the
/// addresses are drawn (AddressChoice::random). For meshes and HyperX: each order alone has no cycle, and
/// they share no lane. [Seo, Ali, Lim, Rafique, Thottethodi 2005]
///
/// InputError for networks without coordinates, tori, and where a channel that an order takes is missing.
/// O(routers * terminals * degree).
Routing two_orders(const Network& network);

}  // namespace unknot::simulate
