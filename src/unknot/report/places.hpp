// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unknot/drawing/node_layout.hpp"
#include "unknot/network/network.hpp"

namespace unknot::report {

/// Where routers stand, and why.
struct RouterPlaces {
  std::vector<drawing::Point> at;  ///< by router, in units of about the distance of neighbours
  std::string layout;              ///< "grid", "stages", "layers", "circle", or "free": see router_places()
};

/// A place for each router of a network of any size: grid, stages, layers or circle as
/// drawing::layout_nodes() chooses, without terminals. Where the layout is "free", the network is neither
/// numbered around a ring nor small, a circle shows nothing, and the page finds places of its own. On a
/// circle of more than 400 routers they stand in order of their numbers, as the search for short cables takes
/// quadratic time.
RouterPlaces router_places(const Network& network);

/// Routers of one group side by side in each layer, groups in order of their numbers, where any layer mixes
/// them; places stay as they are, and who has which changes.
void gather_groups(std::vector<drawing::Point>& places, const std::vector<std::uint32_t>& group);

}  // namespace unknot::report
