// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/network/network.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/topology/global_links.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {

/// Dragonfly: groups of `a` routers, each group a complete graph, joined by h global cables of each router: a
/// h
/// + 1 groups at most. Global port k of a group is on its router k / h. Router r of group i is number i a +
/// r. [Kim, Dally, Scott, Abts 2008]
struct DragonflyParams {
  std::uint32_t a = 4;  ///< routers in a group
  std::uint32_t h = 2;  ///< global cables of a router
  GlobalLinks global;   ///< its ports are a h
};

Network dragonfly(const DragonflyParams& shape, const TerminalPlacement& terminals);

Topology dragonfly_topology();

}  // namespace unknot
