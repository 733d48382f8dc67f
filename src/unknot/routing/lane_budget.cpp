// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/lane_budget.hpp"

#include <fmt/format.h>

#include <utility>

#include "unknot/routing/catalogue.hpp"

namespace unknot {

void take_lanes(const Network& network, LaneAssignment lanes, std::uint32_t budget, bool spread,
                Routing& routing) {
  if (lanes.lanes > budget) {
    throw RoutingFailure(
        fmt::format("{} needs {} virtual lanes here, {} are allowed", routing.engine, lanes.lanes, budget),
        lanes.lanes);
  }
  routing.lanes_needed = lanes.lanes;
  routing.virtual_lanes = lanes.lanes;
  if (spread && lanes.lanes > 1) routing.virtual_lanes = spread_over_spare_lanes(network, lanes, budget);
  routing.service_levels = std::move(lanes.levels);
}

}  // namespace unknot
