// SPDX-License-Identifier: Apache-2.0
#include "unknot/report/parts.hpp"
#include "unknot/report/places.hpp"

namespace unknot::report {

Json network_json(const Network& network) {
  Json x = Json::array(), y = Json::array(), names = Json::array(), terminals = Json::array();
  const std::vector<drawing::Point> places = router_places(network);
  for (const RouterId r : network.routers()) {
    x.push_back(shortened(places[r.value].x));
    y.push_back(shortened(places[r.value].y));
    names.push_back(network.router_name(r));
    terminals.push_back(network.terminals_at(r).size());
  }
  Json terminal_names = Json::array();
  for (const TerminalId t : network.terminals()) terminal_names.push_back(network.terminal_name(t));
  Json from = Json::array(), to = Json::array(), from_port = Json::array(), to_port = Json::array();
  for (const ChannelId c : network.channels()) {
    from.push_back(network.source(c).value);
    to.push_back(network.target(c).value);
    from_port.push_back(network.source_port(c));
    to_port.push_back(network.target_port(c));
  }
  return {{"x", std::move(x)},
          {"y", std::move(y)},
          {"names", std::move(names)},
          {"terminals", std::move(terminals)},
          {"terminal_names", std::move(terminal_names)},
          {"bent", drawing::grid_places(network).has_value()},
          {"from", std::move(from)},
          {"to", std::move(to)},
          {"from_port", std::move(from_port)},
          {"to_port", std::move(to_port)}};
}

}  // namespace unknot::report
