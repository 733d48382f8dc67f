// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/run_engine.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "unknot/network/connectivity.hpp"
#include "unknot/routing/route_parts.hpp"
#include "unknot/routing/transit/route_without_transit.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"

namespace unknot {

Routing run_engine(const Network& network, const Engine& engine, std::string_view parameters,
                   EngineRequest request, Progress& progress) {
  request.parameters = parse_parameters("engine " + engine.name, engine.parameters, parameters);
  if (request.virtual_lanes == 0 || request.virtual_lanes > kMaxLanes) {
    throw InputError(
        fmt::format("the lane budget is {}, expected 1 to {}", request.virtual_lanes, kMaxLanes));
  }
  // Tables that deliver no pair would pass every check.
  if (network.terminal_count() == 0)
    throw InputError(fmt::format("{}: has no terminal, so there is nothing to route", network.description()));
  if (const std::string lost = unheeded(request.guidance, engine.heeds); !lost.empty())
    throw InputError(fmt::format("engine {} makes no use of {}", engine.name, lost));
  const std::vector<RouterId> closed = routers_with(network, request.guidance.no_transit);
  if (!closed.empty()) {
    EngineRequest open = request;
    open.guidance.no_transit.clear();
    return route_without_transit(network, closed, [&](const Network& given) {
      return run_engine(given, engine, parameters, open, progress);
    });
  }
  const auto route_part = [&](const Network& part) {
    if (const std::string reason = refusal(engine, part); !reason.empty()) {
      throw RoutingFailure(fmt::format("engine {} does not fit this network: {}", engine.name, reason));
    }
    return engine.run(part, request, progress);
  };
  if (engine.routes_parts || weakly_connected_parts(network).count == 1) return route_part(network);
  return route_parts(network, [&](const Network& part) {
    try {
      return route_part(part);
    } catch (const RoutingFailure& failure) {
      throw RoutingFailure(fmt::format("the part of {} routers with {}: {}", part.router_count(),
                                       part.router_name(RouterId(0)), failure.what()),
                           failure.lanes_needed());
    }
  });
}

}  // namespace unknot
