// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/network/network.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {

/// Dragonfly of the largest size: a h + 1 groups of `a` routers, each group a complete graph, one cable
/// between any two groups. Absolute arrangement: global cable k of group i (router k / h of it) leads to
/// group k, or to group k+1 where k >= i. Router r of group i is number i a + r. [Kim, Dally, Scott, Abts
/// 2008; arrangement as in Camarero, Vallejo, Beivide 2014]
struct DragonflyParams {
  std::uint32_t a = 4;  ///< routers in a group
  std::uint32_t h = 2;  ///< global cables of a router
};

Network dragonfly(const DragonflyParams& shape, const TerminalPlacement& terminals);

Topology dragonfly_topology();

}  // namespace unknot
