// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/tables_input.hpp"

#include <memory>

#include "unknot/formats/catalogue.hpp"

namespace unknot::cli {

Routing read_routing(const Network& network, const TablesInput& input) {
  Routing routing = read_tables(network, input.tables);
  if (!input.lanes.empty()) {
    const LidMap lids = lid_map_of(network, input.tables);
    routing.service_levels = read_service_levels(network, input.lanes, &lids);
    routing.virtual_lanes = routing.service_levels.highest() + 1U;
    routing.lanes_needed = routing.virtual_lanes;
  }
  if (!input.lane_map.empty()) {
    routing.lane_map = std::make_shared<const LaneMap>(read_lane_map(network, input.lane_map));
  }
  return routing;
}

}  // namespace unknot::cli
