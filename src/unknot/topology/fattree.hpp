// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/topology/catalogue.hpp"

namespace unknot {

/// Full-bisection fat trees of routers of one radix, r even. Two levels: r leaves with r/2 terminals each and
/// r/2 spines, r^2/2 terminals. Three levels: r pods of r/2 leaves and r/2 routers above them, r^2/4 cores,
/// r^3/4 terminals. Numbered as an XGFT. [Leiserson 1985; Al-Fares, Loukissas, Vahdat 2008]
Topology fattree2_topology();
Topology fattree3_topology();

/// Butterfly folded onto itself: log2 N levels of N/2 routers with two cables down and, below the top, two
/// up; N terminals. The 2-ary n-tree under another name. [Leiserson 1985; Petrini, Vanneschi 1997]
Topology fattree_topology();

}  // namespace unknot
