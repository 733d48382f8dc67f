// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

// Fabrics and routings for measurements, made here so that the benchmarks of one room do not depend on
// others.
namespace unknot::bench {

/// XGFT(2; m, m; w, w) of routers, terminals spread evenly over the m * m leaves.
Network two_level_tree(std::uint32_t m, std::uint32_t w, std::uint32_t terminals);
/// Kautz graph K(b, 3) with a cable for each arc, terminals spread evenly.
Network kautz3(std::uint32_t b, std::uint32_t terminals);
/// Torus of side x side x side routers, one terminal each.
Network torus3(std::uint32_t side);
/// Connected random network: a random tree and more cables.
Network random_fabric(std::uint32_t routers, std::uint32_t cables, std::uint32_t terminals,
                      std::uint64_t seed);

/// Shortest paths, candidates taken in turn by destination; levels drawn at random below `lanes` (1: none).
/// Cyclic in general: for the cost of following tables, not of routing well.
Routing spread_paths(const Network& network, std::uint32_t lanes);

}  // namespace unknot::bench
