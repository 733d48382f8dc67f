// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/route_parts.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "unknot/network/connectivity.hpp"
#include "unknot/network/faults.hpp"

namespace unknot {
namespace {

using Rows = ServiceLevels::Rows;

/// One part, with the numbers its routers and terminals have in the whole.
struct Part {
  std::vector<RouterId> routers;
  std::vector<TerminalId> terminals;
  Network network;
  Routing routing;
};

void copy_entries(const Part& part, ForwardingTable& table) {
  for (std::uint32_t r = 0; r < part.routers.size(); ++r) {
    for (std::uint32_t t = 0; t < part.terminals.size(); ++t)
      table.set(part.routers[r], part.terminals[t], part.routing.table().get(RouterId(r), TerminalId(t)));
  }
}

void copy_levels(const Part& part, ServiceLevels& levels) {
  for (std::uint32_t s = 0; s < part.terminals.size(); ++s) {
    const auto row = levels.row(levels.row_of(part.terminals[s]));
    for (std::uint32_t t = 0; t < part.terminals.size(); ++t)
      row[part.terminals[t].value] = part.routing.service_levels.get(TerminalId(s), TerminalId(t));
  }
}

void copy_lane_map(const Part& part, LaneMap& map) {
  for (std::uint32_t r = 0; r < part.routers.size(); ++r) {
    const std::uint32_t ports = part.network.port_count(RouterId(r)) + 1U;
    for (std::uint32_t pair = 0; pair < ports * ports; ++pair) {
      const auto in = static_cast<std::uint16_t>(pair / ports);
      const auto out = static_cast<std::uint16_t>(pair % ports);
      map.set(part.routers[r], in, out, part.routing.lane_map->get(RouterId(r), in, out));
    }
  }
}

/// Parts with something to route: terminals on two routers at least.
std::vector<Part> parts_to_route(const Network& network) {
  const RouterParts numbers = weakly_connected_parts(network);
  std::vector<Part> parts(numbers.count);
  std::vector<std::uint32_t> routers_with_terminals(numbers.count, 0);
  for (const RouterId r : network.routers()) {
    Part& part = parts[numbers.part[r.value]];
    part.routers.push_back(r);
    for (const TerminalId t : network.terminals_at(r)) part.terminals.push_back(t);
    if (!network.terminals_at(r).empty()) ++routers_with_terminals[numbers.part[r.value]];
  }
  for (std::uint32_t i = 0; i < numbers.count; ++i) {
    if (routers_with_terminals[i] < 2) continue;
    Faults others;
    for (const RouterId r : network.routers()) {
      if (numbers.part[r.value] != i) others.routers.push_back(r);
    }
    parts[i].network = with_faults(network, others);
  }
  std::erase_if(parts, [](const Part& part) { return part.network.router_count() == 0; });
  return parts;
}

}  // namespace

Routing route_parts(const Network& network, const std::function<Routing(const Network&)>& route_part) {
  std::vector<Part> parts = parts_to_route(network);
  Routing whole;
  whole.paths = ForwardingTable(network);
  Rows rows = Rows::none;
  bool mapped = false;
  for (Part& part : parts) {
    part.routing = route_part(part.network);
    whole.engine = part.routing.engine;
    whole.virtual_lanes = std::max(whole.virtual_lanes, part.routing.virtual_lanes);
    whole.lanes_needed = std::max(whole.lanes_needed, part.routing.lanes_needed);
    if (whole.report.note.empty()) whole.report.note = part.routing.report.note;
    rows = std::max(rows, part.routing.service_levels.rows());
    mapped = mapped || part.routing.lane_map != nullptr;
  }
  whole.service_levels = ServiceLevels(network, rows);
  const auto map =
      mapped ? std::make_shared<LaneMap>(network, static_cast<std::uint8_t>(LaneMap::kLevels)) : nullptr;
  for (const Part& part : parts) {
    copy_entries(part, whole.table());
    if (rows != Rows::none) copy_levels(part, whole.service_levels);
    if (part.routing.lane_map != nullptr) copy_lane_map(part, *map);
  }
  whole.lane_map = map;
  return whole;
}

}  // namespace unknot
