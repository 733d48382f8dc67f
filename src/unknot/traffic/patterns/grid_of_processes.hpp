// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"

// Grids of processes for nearest-neighbour exchanges, and where their processes go.
namespace unknot {

using GridExtents = std::array<std::uint32_t, 3>;

/// The largest a x b x c grid that fits the terminals and is not longer than twice its width, and of these
/// the one of smallest surface. The extents ascend, but for two that the network may ask for: one equal to
/// the terminals of each router comes first, and one equal to the number of routers after which
/// neighbourhoods repeat (a layer of an MLFM) second, so that a contiguous mapping keeps the first dimension
/// inside routers. These are the grids of Kathareios et al. 2015, section 5. O(terminals), mostly far less.
GridExtents default_grid(const Network& network);

/// Process of each terminal below a*b*c, bricks of the grid on each router. Recursive coordinate bisection
/// (Berger and Bokhari 1987): exact in the number of processes for each router, which general graph
/// partitioners are not, and a grid needs no more than its coordinates. Ties go to the lower process. O(n
/// log^2 n).
std::vector<std::uint32_t> partitioned_processes(const Network& network, const GridExtents& extents);

}  // namespace unknot
