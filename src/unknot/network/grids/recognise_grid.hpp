// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "unknot/network/network.hpp"

namespace unknot {

/// Coordinates of a whole torus, mesh, hypercube or HyperX, found from its cables alone; nothing where the
/// network is no such grid (grid_trouble() has the last word). Parallel cables do not matter. A ring of four
/// routers is the same as two dimensions of two, and is taken for those. Dimensions are numbered by the ports
/// of the first router.
///
/// Such a grid is a Cartesian product of lines, rings and full meshes. Two neighbours of one router have
/// another neighbour in common, without being neighbours themselves, exactly when they lie along different
/// dimensions; a router farther away has the larger coordinate, in each dimension, of any two neighbours that
/// are nearer. O(channels * dimensions + degree of the first router squared) time; irregular networks are
/// given up near the first router.
std::optional<Coordinates> recognise_grid(const Network& network);

/// The network with the coordinates that recognise_grid() or, where cables or routers are missing,
/// recognise_faulty_grid() finds, where it has none; else as it is.
Network with_recognised_grid(Network network);

}  // namespace unknot
