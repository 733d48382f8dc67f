// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>

#include "unknot/engines/catalogue.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/simulate/plan/route_plan.hpp"

namespace unknot::simulate {

/// Routers in a row with a terminal at each end.
inline RoutePlan chain(std::uint32_t routers) {
  NetworkBuilder builder;
  builder.add_routers(routers);
  builder.add_terminal(RouterId(0));
  for (std::uint32_t r = 0; r + 1 < routers; ++r) builder.add_cable(RouterId(r), RouterId(r + 1));
  builder.add_terminal(RouterId(routers - 1));
  const Network network = std::move(builder).build();
  Progress silent;
  return plan_routing(network, route(network, "minhop", {}, silent), true);
}

}  // namespace unknot::simulate
