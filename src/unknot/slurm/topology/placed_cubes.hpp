// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/slurm/topology/next_channels.hpp"
#include "unknot/slurm/topology/torus.hpp"

namespace unknot::slurm {

/// Of sub-cubes anywhere, around ends and over each other, what prove_disjoint() says: `inside`, `shared`,
/// the example. `place` is that of each router's one node; 0xFFFFFFFF where it has none or several.
/// O(nodes^2 * anchors along a dimension / 64); where packets leave O(anchors * nodes of a sub-cube *
/// routers). InputError where either is more than 10^10.
void prove_placed(const Network& network, const Torus& torus, const NextChannels& next,
                  const std::vector<std::uint32_t>& place, std::uint32_t threads, CubeShape& shape);

}  // namespace unknot::slurm
