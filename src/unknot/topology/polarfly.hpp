// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/topology/catalogue.hpp"

namespace unknot {

/// PolarFly: the Erdos-Renyi polarity graph of a prime power q. Routers are the q^2 + q + 1 points of
/// PG(2,q), neighbours where the product of their coordinates is 0; q + 1 of them, orthogonal to themselves,
/// have q cables, the others q + 1. Diameter 2, any two routers at distance two share one neighbour. Point
/// (1,y,z) is router y q + z, (0,1,z) is q^2 + z, (0,0,1) is q^2 + q. [Erdos, Renyi 1962; Lakhotia et al.
/// 2022]
Topology polarfly_topology();

}  // namespace unknot
