// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/network/network.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {

/// Binary hypercube of D dimensions: 2^D routers, neighbours differ in one bit. Coordinate d is bit D-1-d, so
/// that the last coordinate runs fastest as in a torus. Unlike the torus of sizes 2 it takes one port a
/// dimension: dimension d is port d+1 on both ends, terminals follow.
Network hypercube(std::uint32_t dimensions, const TerminalPlacement& terminals);

Topology hypercube_topology();

}  // namespace unknot
