// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "unknot/network/network.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {

/// Circulant graph: a cable from router i to i + j (mod n) for each jump j, two for each router; a jump of
/// n/2 has one. Port 2k-1 leads along the k-th jump, port 2k against it; terminals follow. Jumps are at least
/// 1 and at most n/2, all different, and without a divisor in common with each other and n (else the graph
/// falls apart); InputError otherwise. `family` names the row in messages.
Network circulant(const char* family, std::uint32_t routers, std::span<const std::uint32_t> jumps,
                  const TerminalPlacement& terminals);

/// K-ring: rings of the given jumps over the same routers. Without jumps, two rings: 1 and the least jump
/// above it that visits every router. [Kuonen, HPC'99]
Topology kring_topology();
/// Midimew: of all circulants of degree 4 the least diameter and mean distance: 4d routers at each distance d
/// below the diameter. Jumps b-1 and b for b = ceil(sqrt(n/2)); jumps 1 and 2b-1, as good, where n = 2b^2 (8,
/// 18, 32, ...). [Beivide, Herrada, Balcazar, Arruabarrena 1991]
Topology midimew_topology();
/// Spidergon (of 8 routers: octagon): a ring with cables between opposite routers. [Karim, Nguyen, Dey 2002]
Topology spidergon_topology();

}  // namespace unknot
