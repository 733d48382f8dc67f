// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <vector>

#include "unknot/formats/draft/fabric_text.hpp"
#include "unknot/formats/ibdiagnet/net_dump.hpp"
#include "unknot/formats/text/link_speed.hpp"
#include "unknot/support/files/append.hpp"

namespace unknot {
namespace {

/// What a row says of the other end.
struct Neighbour {
  std::uint64_t guid = 0;
  std::uint32_t port = 0;
  std::uint32_t lid = 0;
  std::string name;
  LinkRate rate = 0;
};

Neighbour neighbour_of(const Network& network, const Adapters& adapters, const PortUse& use) {
  if (use.kind == PortUse::Kind::cable) {
    const ChannelId c(use.index);
    const RouterId peer = network.target(c);
    return {network.router_guid(peer), network.target_port(c), network.router_lid(peer),
            network.router_name(peer), network.channel_rate(c)};
  }
  if (use.kind == PortUse::Kind::terminal) {
    const TerminalId t(use.index);
    return {network.terminal_port_guid(t), network.terminal_adapter_port(t), network.terminal_lid(t),
            network.terminal_name(t), network.terminal_rate(t)};
  }
  const ServiceNode& node = network.labels().service_nodes[use.index];
  return {node.port_guid, adapters.port_of_service[use.index], node.lid, node.name, node.rate};
}

}  // namespace

std::string write_net_dump(const Network& network) {
  require_cables(network, "ibdiagnet's list of links");
  const Adapters adapters = adapters_of(network);
  const auto service_nodes = service_nodes_by_router(network);
  std::string text = "# Made by unknot: ibdiagnet's list of links.\n";
  for (const RouterId r : network.routers()) {
    append(text, "\n\"{}\", N/A, 0x{:016x}, LID {}\n", one_line(network.router_name(r)),
           network.router_guid(r), network.router_lid(r));
    text +=
        "      #     : IB#   : Sta  : PhysSta : MTU : LWA : LSA   : FEC mode : Retran : Neighbor Guid      : "
        "N#    "
        ": NLID  : Neighbor Description\n";
    const std::vector<PortUse> uses = ports_in_use(network, r, service_nodes[r.value]);
    auto use = uses.begin();
    for (std::uint32_t port = 1; port <= network.port_count(r); ++port) {
      if (use == uses.end() || use->port != port) {
        append(text, "      {:<5} : {:<5} : DOWN : POLLING : N/A : N/A : N/A   : N/A      : N/A    :\n", port,
               port);
        continue;
      }
      const Neighbour far_end = neighbour_of(network, adapters, *use++);
      const LinkRateWords rate = words_of_link_rate(far_end.rate);
      append(text,
             "      {:<5} : {:<5} : ACT  : LINK UP : N/A : {:<3} : {:<5} : N/A      : N/A    : 0x{:016x} : "
             "{:<5} : "
             "{:<5} : \"{}\"\n",
             port, port, rate.width.empty() ? "N/A" : rate.width, rate.speed.empty() ? "N/A" : rate.speed,
             far_end.guid, far_end.port, far_end.lid, one_line(far_end.name));
    }
  }
  return text;
}

}  // namespace unknot
