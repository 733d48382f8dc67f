// SPDX-License-Identifier: Apache-2.0
#include "unknot/network/managed_network.hpp"

#include "unknot/network/builder.hpp"

namespace unknot {

ManagedNetwork managed_network(const Network& network) {
  ManagedNetwork managed;
  managed.network = NetworkBuilder::with_router_ports(network);
  managed.of_terminal.reserve(network.terminal_count());
  managed.of_router.reserve(network.router_count());
  managed.host.reserve(managed.network.terminal_count());
  for (const RouterId r : network.routers()) {
    for (const TerminalId t : network.terminals_at(r)) {
      managed.of_terminal.emplace_back(static_cast<std::uint32_t>(managed.host.size()));
      managed.host.push_back(t);
    }
    managed.of_router.emplace_back(static_cast<std::uint32_t>(managed.host.size()));
    managed.host.emplace_back();
  }
  return managed;
}

}  // namespace unknot
