// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/topology/catalogue.hpp"

namespace unknot {

/// Dragonfly+ (Megafly): a group is a complete bipartite graph of leaves, which carry terminals, and spines,
/// which carry h global cables each; spines h + 1 groups at most. Group by group, leaves first. Global port k
/// of a group is on its spine k / h. As many terminals on a leaf as there are spines by default. [Shpiner et
/// al. 2017; Flajslik, Borch, Parker 2018]
Topology dragonflyplus_topology();

}  // namespace unknot
