// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "unknot/network/network.hpp"

namespace unknot {

/// Coordinates of a torus, mesh or hypercube of two or more dimensions that lacks cables or routers, found
/// from the cables that are left; nothing where the network is no such grid, or lacks more than a quarter of
/// its routers or of the cables between those that are here. A line that is a ring is one in which a cable
/// leads from one end to the other in some row; a ring of four is two dimensions of two, as recognise_grid()
/// has it. A whole plane of routers that is missing is not seen: what is left is a grid that is smaller.
///
/// Two routers that are two cables apart have at most two neighbours in common, and then the four make a
/// square, whose opposite cables are parallel. All cables that are parallel, square by square, lead from one
/// plane of the grid to the next [the classes of Djokovic 1973 and Winkler 1984]; two such classes are of
/// different dimensions where a square has both, and of one where they share routers and no square. The
/// planes of a dimension then come in a line or a ring. Every cable is held to the coordinates that are
/// found. O(routers * degree^2 * log) for routers of up to 32 neighbours; other networks are given up at
/// once.
std::optional<Coordinates> recognise_faulty_grid(const Network& network);

}  // namespace unknot
