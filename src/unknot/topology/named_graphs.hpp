// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/network/network.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {

/// Graphs that meet the Moore bound of their degree and diameter, or that of their girth: as few hops as any
/// network of the size and degree can have. Routers are numbered as the constructions number them.

/// 10 routers of degree 3, diameter 2: an outer pentagon, an inner pentagram, five spokes.
Network petersen(const TerminalPlacement& terminals);
/// 14 routers of degree 3, diameter 3, girth 6: LCF [5, -5]^7.
Network heawood(const TerminalPlacement& terminals);
/// Tutte-Coxeter graph: 30 routers of degree 3, diameter 4, girth 8. LCF [-13, -9, 7, -7, 9, 13]^5.
Network levi(const TerminalPlacement& terminals);
/// 50 routers of degree 7, diameter 2: pentagons P0 to P4 and pentagrams Q0 to Q4, router j of P_h joined to
/// router hi + j (mod 5) of each Q_i. [Robertson 1969]
Network hoffman_singleton(const TerminalPlacement& terminals);

Topology petersen_topology();
Topology heawood_topology();
Topology levi_topology();
Topology hoffman_singleton_topology();

}  // namespace unknot
