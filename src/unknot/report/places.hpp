// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "unknot/drawing/node_layout.hpp"
#include "unknot/network/network.hpp"

namespace unknot::report {

/// A place for each router of a network of any size, in units of about the distance of neighbours: grid,
/// stages, layers or circle as drawing::layout_nodes() chooses, without terminals. On a circle of more than
/// 400 routers they stand in order of their numbers, as the search for short cables takes quadratic time.
std::vector<drawing::Point> router_places(const Network& network);

}  // namespace unknot::report
