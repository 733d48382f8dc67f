// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/engines/catalogue.hpp"
#include "unknot/simulate/plan/route_plan.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot::simulate {

/// The plan of an engine's tables on a topology.
inline RoutePlan tables(const std::string& spec, const std::string& engine, bool any_lane) {
  const Network network = make_network(spec);
  Progress silent;
  return plan_routing(network, route(network, engine, {}, silent), any_lane);
}

}  // namespace unknot::simulate
