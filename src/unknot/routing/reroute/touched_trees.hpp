// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/network/network_change.hpp"
#include "unknot/routing/trees/cut_tree.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// The trees that a change of the network touches, by destination, each with the routers that must look for
/// their way again, and how long their path may be. `carried` is `old_routing` on the new network
/// (carry_over()). See reroute() for the rule. Throws RoutingFailure where a path it follows loops.
std::vector<CutTree> touched_trees(const Network& old_network, const Routing& old_routing,
                                   const Network& new_network, const NetworkChange& change,
                                   const Routing& carried);

}  // namespace unknot
