// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <utility>
#include <vector>

#include "unknot/formats/chips/link_weights.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

/// Routers with terminals, and those that packets come by, have a link to take.
void require_ways(const Network& network, const WantedWays::Destination& to) {
  std::vector<bool> needed(network.router_count(), false);
  for (const RouterId r : network.routers()) {
    if (!network.terminals_at(r).empty()) needed[r.value] = true;
    for (const std::uint16_t position : to.positions[r.value])
      needed[network.target(network.out(r)[position]).value] = true;
  }
  for (const RouterId r : network.routers()) {
    if (r == to.router || !needed[r.value] || !to.positions[r.value].empty()) continue;
    throw InputError(fmt::format("router \"{}\" has no link to take to router \"{}\", where Garnet needs one",
                                 shown(network.router_name(r)), shown(network.router_name(to.router))));
  }
}

/// `positions_of(r, t)`: a vector, empty where there is no link to take.
template <class PositionsOf>
WantedWays collect_ways(const Network& network, const PositionsOf& positions_of) {
  WantedWays wanted;
  for (const RouterId to : network.routers()) {
    const IdRange<TerminalId> here = network.terminals_at(to);
    if (here.empty()) continue;
    WantedWays::Destination one{to, {}};
    one.positions.resize(network.router_count());
    for (const RouterId r : network.routers()) {
      if (r == to) continue;
      one.positions[r.value] = positions_of(r, here[0]);
      for (const TerminalId t : here) {
        if (positions_of(r, t) == one.positions[r.value]) continue;
        throw InputError(fmt::format(
            "router \"{}\" sends packets for \"{}\" and for \"{}\", which are on one router, by different "
            "links, and weights of links cannot tell them apart",
            shown(network.router_name(r)), shown(network.terminal_name(here[0])),
            shown(network.terminal_name(t))));
      }
    }
    require_ways(network, one);
    wanted.destinations.push_back(std::move(one));
  }
  return wanted;
}

}  // namespace

WantedWays wanted_ways(const Network& network, const Routing& routing) {
  require_tables(routing, "a topology for Garnet");
  if (!routing.further.empty())
    throw InputError("Garnet has one address for each controller, and these tables have several");
  if (routing.flow_control != FlowControl::credits)
    throw InputError("Garnet has no bubble flow control, which these tables need");
  const ForwardingTable& table = routing.table();
  return collect_ways(network, [&](RouterId r, TerminalId t) {
    const std::uint32_t position = table.get(r, t);
    std::vector<std::uint16_t> one;
    if (position < ForwardingTable::kStray) one.push_back(static_cast<std::uint16_t>(position));
    return one;
  });
}

WantedWays wanted_ways(const Network& network, const AdaptiveRouting& routing) {
  if (routing.planes.size() != 1 || routing.lane_map != nullptr || routing.lane_steps != nullptr ||
      routing.adaptive_levels != 1) {
    throw InputError(
        "Garnet gives packets any virtual channel of their virtual network, and these groups go by "
        "service levels, lanes or incoming ports");
  }
  const AdaptivePlane& plane = routing.planes.front();
  return collect_ways(network, [&](RouterId r, TerminalId t) {
    std::vector<std::uint16_t> positions;
    const std::uint16_t entry = plane.entry(r, t);
    if (entry == AdaptivePlane::kNone || entry == AdaptivePlane::kHere) return positions;
    const Choice& choice = plane.choices(r)[entry];
    if (choice.kind != ChoiceKind::fixed) {
      const auto group = plane.group(r, choice.group);
      positions.assign(group.begin(), group.end());
    } else if (choice.fixed < Choice::kStray) {
      positions.push_back(choice.fixed);
    }
    return positions;
  });
}

}  // namespace unknot
