// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/layers/lane_budget.hpp"

#include <fmt/format.h>

#include <utility>

#include "unknot/routing/model/engine.hpp"

namespace unknot {

void require_lanes(const std::string& engine, std::uint32_t needed, std::uint32_t budget) {
  if (needed <= budget) return;
  throw RoutingFailure(fmt::format("{} needs {} virtual lanes here, {} are allowed", engine, needed, budget),
                       needed);
}

void take_lanes(const Network& network, LaneAssignment lanes, std::uint32_t budget, bool spread,
                Routing& routing) {
  require_lanes(routing.engine, lanes.lanes, budget);
  routing.lanes_needed = lanes.lanes;
  routing.virtual_lanes = lanes.lanes;
  if (spread && lanes.lanes > 1) routing.virtual_lanes = spread_over_spare_lanes(network, lanes, budget);
  routing.service_levels = std::move(lanes.levels);
}

Parameter spread_parameter() {
  return {.name = "spread",
          .kind = ParameterKind::flag,
          .help = "use lanes that are left over to balance the others",
          .fallback = "1"};
}

}  // namespace unknot
