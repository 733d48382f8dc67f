// SPDX-License-Identifier: Apache-2.0
#include "unknot/angara/system.hpp"

#include <utility>

#include "unknot/angara/source_routes.hpp"

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

Routing to_routing(const System& system, const RouteTable& table, std::string engine, std::uint32_t threads) {
  Routing routing;
  routing.engine = std::move(engine);
  routing.routes = to_source_routes(system.torus, table, threads);
  routing.flow_control = FlowControl::bubble;
  return routing;
}

Parameter turns_parameter() {
  return {.name = "turns",
          .kind = ParameterKind::text,
          .help = "turns against the direction order: by used-direction sets, by exact reachability, none",
          .fallback = "sets",
          .choices = {"sets", "exact", "none"}};
}

Augmentation augmentation_from(const Parameters& parameters) {
  const std::string& turns = parameters.text("turns");
  return turns == "exact"  ? Augmentation::exact
         : turns == "none" ? Augmentation::none
                           : Augmentation::direction_sets;
}

}  // namespace unknot::angara
