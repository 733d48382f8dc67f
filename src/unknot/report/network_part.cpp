// SPDX-License-Identifier: Apache-2.0
#include "unknot/report/groups.hpp"
#include "unknot/report/parts.hpp"
#include "unknot/report/places.hpp"

namespace unknot::report {

Json network_json(const Network& network) {
  std::vector<double> x, y;
  std::vector<std::uint32_t> terminals;
  std::vector<std::string> names, terminal_names;
  RouterPlaces places = router_places(network);
  const Groups groups = router_groups(network);
  if (places.layout == "layers" && !groups.names.empty()) gather_groups(places.at, groups.of);
  for (const RouterId r : network.routers()) {
    x.push_back(shortened(places.at[r.value].x));
    y.push_back(shortened(places.at[r.value].y));
    names.push_back(network.router_name(r));
    terminals.push_back(network.terminals_at(r).size());
  }
  terminal_names.reserve(network.terminal_count());
  for (const TerminalId t : network.terminals()) terminal_names.push_back(network.terminal_name(t));
  std::vector<std::uint32_t> from, to;
  std::vector<std::uint16_t> from_port, to_port;
  for (const ChannelId c : network.channels()) {
    from.push_back(network.source(c).value);
    to.push_back(network.target(c).value);
    from_port.push_back(network.source_port(c));
    to_port.push_back(network.target_port(c));
  }
  return {{"layout", places.layout},
          {"x", column(x)},
          {"y", column(y)},
          {"names", std::move(names)},
          {"terminals", column(terminals)},
          {"terminal_names", std::move(terminal_names)},
          {"bent", places.layout == "grid"},
          {"from", column(from)},
          {"to", column(to)},
          {"from_port", column(from_port)},
          {"to_port", column(to_port)},
          {"group", column(groups.names.empty() ? std::vector<std::uint32_t>() : groups.of)},
          {"groups", groups.names}};
}

}  // namespace unknot::report
