// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

/// What the coordinates of a torus, mesh, hypercube or HyperX say about its channels.
struct Grid {
  std::vector<std::uint8_t> dimension;  ///< by channel: the one coordinate that differs between its ends
  /// By dimension: its lines are rings of more than three routers, so that paths along it pass through
  /// routers and could close a cycle. Smaller rings are full meshes.
  std::vector<std::uint8_t> ring;
};

/// Empty when the network is a whole grid: every combination of coordinates is one router, and along each
/// dimension the routers of a line are all joined as a line, as a ring or as a full mesh, by one or more
/// cables. Else one sentence that names what is missing or does not belong. O(channels + routers * ports).
std::string grid_trouble(const Network& network);
/// The same for coordinates that the network does not have itself.
std::string grid_trouble(const Network& network, const Coordinates& coordinates);

/// Of a whole grid.
Grid grid_of(const Network& network);

}  // namespace unknot
