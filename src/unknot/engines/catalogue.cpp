// SPDX-License-Identifier: Apache-2.0
#include "unknot/engines/catalogue.hpp"

#include <fmt/format.h>

#include "unknot/angara/engines.hpp"
#include "unknot/engines/route_parts.hpp"
#include "unknot/network/connectivity.hpp"
#include "unknot/routing/engines.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/find_row.hpp"

namespace unknot {

const std::vector<Engine>& engines() {
#define UNKNOT_ROW(name) name##_engine(),
  static const std::vector<Engine> rows{UNKNOT_TABLE_ENGINES(UNKNOT_ROW) UNKNOT_ROUTE_ENGINES(UNKNOT_ROW)};
#undef UNKNOT_ROW
  return rows;
}

const Engine& find_engine(std::string_view name) {
  return find_row(engines(), "engine", name);
}

Routing route(const Network& network, std::string_view engine_spec, EngineRequest request,
              Progress& progress) {
  const std::size_t colon = engine_spec.find(':');
  const Engine& engine = find_engine(engine_spec.substr(0, colon));
  const std::string_view rest = colon == std::string_view::npos ? "" : engine_spec.substr(colon + 1);
  request.parameters = parse_parameters("engine " + engine.name, engine.parameters, rest);
  if (request.virtual_lanes == 0 || request.virtual_lanes > kMaxLanes) {
    throw InputError(
        fmt::format("the lane budget is {}, expected 1 to {}", request.virtual_lanes, kMaxLanes));
  }
  // Tables that deliver no pair would pass every check.
  if (network.terminal_count() == 0)
    throw InputError(fmt::format("{}: has no terminal, so there is nothing to route", network.description()));
  const auto route_part = [&](const Network& part) {
    if (const std::string reason = engine.unsuitable(part); !reason.empty()) {
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
