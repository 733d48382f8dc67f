// SPDX-License-Identifier: Apache-2.0
#include "unknot/angara/system.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "unknot/angara/source_routes.hpp"
#include "unknot/network/bfs.hpp"

namespace unknot::angara {

std::vector<std::uint32_t> slot_loads(const Torus& torus, const RouteTable& table) {
  const Network& network = torus.network();
  std::vector<std::uint32_t> load(torus.slot_count(), 0);
  for (const TerminalId s : network.terminals()) {
    const RouteCode* row = table.data() + static_cast<std::size_t>(s.value) * network.terminal_count();
    for (const TerminalId d : network.terminals()) {
      walk(torus, network.router_of(s).value, row[d.value], [&](std::uint32_t slot) { ++load[slot]; });
    }
  }
  return load;
}

namespace {

/// A sentence about pairs that channels connect and no route that the header can carry does; empty where
/// there are none.
std::string missing_routes(const Torus& torus, const RouteTable& table) {
  const Network& network = torus.network();
  const std::uint32_t terminals = network.terminal_count();
  std::uint64_t missing = 0;
  std::optional<std::pair<TerminalId, TerminalId>> first;
  std::optional<BreadthFirstSearch> search;
  for (const TerminalId s : network.terminals()) {
    std::span<const std::uint32_t> distance;  // found out where a route is missing
    for (const TerminalId d : network.terminals()) {
      if (s == d || table[static_cast<std::size_t>(s.value) * terminals + d.value].bits() != 0) continue;
      if (!search) search.emplace(network);
      if (distance.empty()) distance = search->from(network.router_of(s));
      if (distance[network.router_of(d).value] == BreadthFirstSearch::kUnreached) continue;
      ++missing;
      if (!first) first.emplace(s, d);
    }
  }
  if (!first) return {};
  return fmt::format(
      "{} pairs that are connected have no route, the first {} to {}: the direction order with the turns "
      "allowed beside it leaves none",
      missing, network.terminal_name(first->first), network.terminal_name(first->second));
}

Augmentation augmentation_from(const Parameters& parameters) {
  const std::string& turns = parameters.text("turns");
  return turns == "exact"  ? Augmentation::exact
         : turns == "none" ? Augmentation::none
                           : Augmentation::direction_sets;
}

}  // namespace

Routing to_routing(const System& system, const RouteTable& table, std::string engine, std::uint32_t threads) {
  Routing routing;
  routing.engine = std::move(engine);
  routing.paths = to_source_routes(system.torus, table, threads);
  routing.flow_control = FlowControl::bubble;
  routing.report.note = missing_routes(system.torus, table);
  return routing;
}

Routing to_routing(const System& system, const RouteChoices& choices, const RouteTable& table,
                   std::string engine, std::uint32_t threads) {
  Routing routing = to_routing(system, table, std::move(engine), threads);
  routing.report.single_route_share = choices.single_route_share();
  return routing;
}

Engine torus_engine(std::string name, std::string summary, std::vector<Parameter> parameters,
                    std::function<Routing(const System&, const EngineRequest&, Progress&)> run) {
  parameters.insert(
      parameters.begin(),
      {.name = "turns",
       .kind = ParameterKind::text,
       .help = "turns against the direction order: by used-direction sets, by exact reachability, none",
       .fallback = "sets",
       .choices = {"sets", "exact", "none"}});
  return {
      .name = std::move(name),
      .summary = std::move(summary),
      .parameters = std::move(parameters),
      .promise = {.deadlock_free = true, .minimal = false},
      .unsuitable = Torus::trouble,
      .run =
          [run = std::move(run)](const Network& network, const EngineRequest& request, Progress& progress) {
            const System system(network, augmentation_from(request.parameters));
            return run(system, request, progress);
          },
      .gives_routes = true,
      .routes_parts = true};
}

}  // namespace unknot::angara
