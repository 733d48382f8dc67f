// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/trees/first_found_table.hpp"

#include <cstdint>
#include <vector>

#include "unknot/support/error.hpp"

namespace unknot {

ForwardingTable first_found_table(const Network& network, Progress& progress) {
  ForwardingTable table(network);
  std::vector<ChannelId> found_by(network.router_count());  // channel of the tree that leads to the router
  std::vector<RouterId> queue;
  queue.reserve(network.router_count());
  progress.begin("trees", network.router_count());
  for (const RouterId root : network.routers()) {
    found_by.assign(network.router_count(), ChannelId());
    queue.assign(1, root);
    for (std::size_t next = 0; next < queue.size(); ++next) {
      for (const ChannelId c : network.out(queue[next])) {
        const RouterId to = network.target(c);
        if (to == root || found_by[to.value].valid()) continue;
        found_by[to.value] = c;
        queue.push_back(to);
      }
    }
    for (const RouterId destination : queue) {
      const IdRange<TerminalId> terminals = network.terminals_at(destination);
      if (terminals.empty()) continue;
      for (RouterId at = destination; at != root;) {
        const ChannelId c = found_by[at.value];
        at = network.source(c);
        if (table.get(at, terminals[0]) != ForwardingTable::kNone) continue;
        for (const TerminalId t : terminals) table.set(at, t, c.value - network.out(at).first());
      }
    }
    if (progress.interrupted()) throw Interrupted();
    progress.update(root.value + 1ULL);
  }
  return table;
}

}  // namespace unknot
