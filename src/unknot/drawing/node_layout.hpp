// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "unknot/collective/model/node_graph.hpp"
#include "unknot/drawing/svg.hpp"
#include "unknot/network/network.hpp"

namespace unknot::drawing {

/// Where a node is drawn. Most nodes have one place; those that inject at one side of a one-way multistage
/// network and receive at the other have two.
struct Place {
  NodeId node;
  Point at;
};

/// Places of all nodes, in units of about the distance of neighbours, the upper left corner of all at (0, 0).
struct NodeLayout {
  std::vector<Place> places;  ///< those of node n at n, second ones after the last node
  std::vector<std::uint32_t> tail_place, head_place;  ///< by arc, index of `places`
  Point size;
};

/// Picks what the network offers: a grid where it has coordinates (the third dimension oblique, further ones
/// as grids of grids); stages from left to right where all channels lead one way through switches; layers
/// where it has levels, is a tree, or has switches above routers with terminals; else a circle, neighbours
/// near each other. Terminals that are nodes are put beside their router. `graph` must be of the network.
/// Deterministic. O(nodes^2 * degree).
NodeLayout layout_nodes(const Network& network, const NodeGraph& graph);

/// The ways to place routers, each in a file of its own; nothing where a network is not of that kind.
std::optional<std::vector<Point>> grid_places(const Network& network);
std::optional<std::vector<Point>> layer_places(const Network& network);
/// Level of each router from the bottom: those that the network states, or hops from the nearest router with
/// terminals. Empty where it states none and every router has terminals, or a channel would join two of one
/// level.
std::vector<std::uint32_t> router_levels(const Network& network);
std::vector<Point> circle_places(const Network& network);
/// Whether each router is cabled to the one numbered after it, the last to the first: rings, chordal rings.
bool numbered_around(const Network& network);
/// Routers in stages from left to right; those with terminals are drawn twice, at `places` and at `second`,
/// which holds one point for each router and is nothing for switches.
struct StagePlaces {
  std::vector<Point> places;
  std::vector<std::optional<Point>> second;
};
std::optional<StagePlaces> stage_places(const Network& network);

}  // namespace unknot::drawing
