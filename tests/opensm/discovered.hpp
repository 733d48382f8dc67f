// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "fabric.hpp"
#include "unknot/formats/tables/lid_map.hpp"
#include "unknot/network/network.hpp"

namespace unknot {

/// The fabric as a subnet manager would find it. `lanes`: of the port that each channel leaves by.
inline unknot_fabric discovered(const Network& network, const std::function<std::uint8_t(ChannelId)>& lanes) {
  unknot_fabric fabric;
  const LidMap lids = LidMap::of(network);
  for (const RouterId r : network.routers()) {
    unknot_fabric_add_switch(&fabric, network.router_guid(r), network.router_name(r).c_str(),
                             static_cast<std::uint16_t>(lids.of(r)), 1,
                             static_cast<std::uint8_t>(network.port_count(r)));
  }
  for (const TerminalId t : network.terminals()) {
    unknot_fabric_add_adapter(&fabric, network.terminal_node_guid(t), network.terminal_port_guid(t),
                              network.terminal_name(t).c_str(), static_cast<std::uint16_t>(lids.of(t)), 1);
  }
  for (const ChannelId c : network.channels()) {
    unknot_fabric_link_switch(&fabric, static_cast<int>(network.source(c).value),
                              static_cast<std::uint8_t>(network.source_port(c)),
                              static_cast<int>(network.target(c).value),
                              static_cast<std::uint8_t>(network.target_port(c)), lanes(c));
  }
  for (const TerminalId t : network.terminals()) {
    unknot_fabric_link_adapter(&fabric, static_cast<int>(network.router_of(t).value),
                               static_cast<std::uint8_t>(network.terminal_port(t)),
                               static_cast<int>(t.value));
  }
  return fabric;
}

inline unknot_fabric discovered(const Network& network, std::uint8_t lanes) {
  return discovered(network, [lanes](ChannelId) { return lanes; });
}

}  // namespace unknot
