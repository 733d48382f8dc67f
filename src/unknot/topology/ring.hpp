// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/network/network.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {

/// Ring of routers joined by cables: the torus of one dimension, numbered and coordinated as such.
Network ring(std::uint32_t routers, const TerminalPlacement& terminals);
/// Ring of one-way channels from each router to the next: leaves by port 1, enters by port 2, terminals from
/// port 3. The smallest network in which shortest paths alone deadlock. [Dally, Seitz 1987, fig. 1]
Network uniring(std::uint32_t routers, const TerminalPlacement& terminals);

Topology ring_topology();
Topology uniring_topology();

}  // namespace unknot
