// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/multipath/disjoint_paths.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace unknot {

double disjoint_paths(const Network& network, const ForwardingTable& table) {
  std::vector<std::uint32_t> taken(network.channel_count(), 0);  // by which pair last
  std::uint32_t pair = 0;
  std::uint64_t paths = 0;
  std::vector<ChannelId> path;
  for (std::uint32_t first = 0; first < network.terminal_count();) {
    std::uint32_t end = first + 1;
    while (end < network.terminal_count() && network.further_address(TerminalId(end))) ++end;
    const RouterId home = network.router_of(TerminalId(first));
    for (const RouterId source : network.routers()) {
      if (source == home || network.terminals_at(source).empty()) continue;
      ++pair;
      for (std::uint32_t address = first; address < end; ++address) {
        path.clear();
        for (RouterId r = source; r != home; r = network.target(path.back()))
          path.push_back(network.out(r)[table.get(r, TerminalId(address))]);
        if (std::any_of(path.begin(), path.end(), [&](ChannelId c) { return taken[c.value] == pair; }))
          continue;
        for (const ChannelId c : path) taken[c.value] = pair;
        ++paths;
      }
    }
    first = end;
  }
  return pair == 0 ? 1 : static_cast<double>(paths) / pair;
}

}  // namespace unknot
