// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {

/// HyperX(L, S, K, T): routers on a grid of L dimensions, each joined to all that differ from it in one
/// coordinate, by K cables. One dimension is a full mesh, sizes of two a hypercube, equal sizes a Hamming
/// graph, two dimensions of equal size the flattened butterfly. [Ahn, Binkert, Davis, McLaren, Schreiber
/// 2009]
struct HyperxParams {
  std::vector<std::uint32_t> dimensions;  ///< S: routers along each dimension
  std::uint32_t cables = 1;               ///< K: parallel cables between two neighbours
};

/// Routers are numbered with the last coordinate running fastest. Ports go dimension by dimension and, within
/// one, by the neighbour's coordinate, its cables side by side; terminals follow. Fills coordinates.
/// InputError beyond 65,535 ports.
Network hyperx(const HyperxParams& shape, const TerminalPlacement& terminals);

Topology hyperx_topology();

}  // namespace unknot
