// SPDX-License-Identifier: Apache-2.0
#include "unknot/tables/rules/forwarding_rule.hpp"

#include <algorithm>
#include <vector>

namespace unknot {

void ForwardingRule::levels(TerminalId /*destination*/, std::span<std::uint8_t> level) const {
  std::fill(level.begin(), level.end(), std::uint8_t{0});
}

Routing written_down(const Network& network, const ForwardingRule& rule) {
  Routing routing;
  routing.engine = rule.name();
  routing.virtual_lanes = routing.lanes_needed = rule.lanes();
  routing.paths = ForwardingTable(network);
  if (rule.lanes() > 1) routing.service_levels = ServiceLevels(network, ServiceLevels::Rows::by_router);
  std::vector<std::uint16_t> position(network.router_count());
  std::vector<std::uint8_t> level(network.router_count());
  for (const TerminalId d : network.terminals()) {
    const RouterId home = network.router_of(d);
    const std::uint32_t first = network.terminals_at(home).first();
    const TerminalId speaker(first + (d.value - first) % rule.kinds());
    rule.column(speaker, position);
    if (rule.lanes() > 1) rule.levels(speaker, level);
    for (const RouterId r : network.routers()) {
      if (r == home) continue;
      routing.table().set(r, d, position[r.value]);
      if (rule.lanes() == 1 || network.terminals_at(r).empty()) continue;
      ServiceLevels& levels = routing.service_levels;
      levels.row(levels.row_of(network.terminals_at(r)[0]))[d.value] = level[r.value];
    }
  }
  return routing;
}

}  // namespace unknot
