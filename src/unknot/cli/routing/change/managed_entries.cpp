// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/routing/change/managed_entries.hpp"

#include <vector>

namespace unknot::cli {

std::uint64_t made_for_management(const Network& network, const Rerouted& rerouted,
                                  const ManagedRun* management) {
  if (management == nullptr) return 0;
  const ForwardingTable& data = rerouted.routing.table();
  const ForwardingTable& all = management->result.routing.table();
  const std::vector<TerminalId>& same = management->managed.of_terminal;
  std::uint64_t count = 0;
  for (const RouterId r : network.routers()) {
    for (const TerminalId t : network.terminals())
      count += network.router_of(t) != r && data.get(r, t) != all.get(r, same[t.value]) ? 1 : 0;
  }
  return count;
}

void take_from_management(const Network& network, const ManagedRun& management, Rerouted& rerouted) {
  const ForwardingTable& all = management.result.routing.table();
  for (EntryChange& change : rerouted.entries) {
    if (network.router_of(change.destination) == change.router) continue;
    const std::uint32_t made =
        all.get(change.router, management.managed.of_terminal[change.destination.value]);
    if (made == change.after) continue;
    change.after = made;
    rerouted.routing.table().set(change.router, change.destination, made);
    if (change.before == made && rerouted.entries_minimum > 0) --rerouted.entries_minimum;
  }
  std::erase_if(rerouted.entries, [](const EntryChange& change) { return change.before == change.after; });
}

}  // namespace unknot::cli
