// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/topology/terminal_placement.hpp"
#include "unknot/topology/topology.hpp"

namespace unknot {

/// Torus (k-ary n-cube with a size for each dimension): neighbours differ by one in one coordinate, modulo
/// its size. A dimension of size 2 is one cable, of size 1 none. Routers are numbered with the last
/// coordinate running fastest. [Dally, Towles 2004, ch. 5]
///
/// Ports: dimension d leaves by port 2d+1 in the plus and 2d+2 in the minus direction on every router, used
/// or not, terminals follow from port 2n+1: dimension order is then port order, which dimension-order routing
/// without coordinates (OpenSM's dor) relies on. Fills coordinates.
Network torus(const std::vector<std::uint32_t>& dimensions, const TerminalPlacement& terminals);
/// Torus without the cables that wrap round; same numbering and ports.
Network mesh(const std::vector<std::uint32_t>& dimensions, const TerminalPlacement& terminals);

}  // namespace unknot
