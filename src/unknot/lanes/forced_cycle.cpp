// SPDX-License-Identifier: Apache-2.0
#include "unknot/lanes/forced_cycle.hpp"

#include <cstdint>
#include <utility>

#include "unknot/lanes/acyclic_arcs.hpp"
#include "unknot/lanes/cycle_cuts.hpp"
#include "unknot/network/bfs.hpp"

namespace unknot {

std::vector<ForcedDependency> forced_cycle(const Network& network) {
  const ArcSpace space = ArcSpace::of_dependencies(network);
  std::vector<RouterId> source(space.arc_count());       // by dependency: a flow that must have it
  std::vector<RouterId> destination(space.arc_count());  // invalid where none must
  std::vector<RouterId> walked(space.arc_count());       // by dependency: last root whose paths took it
  BreadthFirstSearch search(network);
  std::vector<std::uint8_t> ways(network.router_count());  // shortest paths to the root: 1, or 2 for more
  std::vector<ChannelId> only(network.router_count());
  for (const RouterId root : network.routers()) {
    if (network.terminals_at(root).empty()) continue;
    const auto hops = search.to(root);
    ways[root.value] = 1;
    for (const RouterId r : search.order()) {
      if (r == root) continue;
      std::uint32_t count = 0;
      for (const ChannelId c : network.out(r)) {
        const RouterId next = network.target(c);
        if (hops[next.value] + 1 != hops[r.value]) continue;
        count += ways[next.value];
        only[r.value] = c;
      }
      ways[r.value] = count == 1 ? 1 : 2;
    }
    for (const RouterId from : search.order()) {
      if (from == root || ways[from.value] != 1 || network.terminals_at(from).empty()) continue;
      for (ChannelId held = only[from.value]; network.target(held) != root;
           held = only[network.target(held).value]) {
        const RouterId at = network.target(held);
        const std::uint32_t arc =
            space.out_first(held.value) + only[at.value].value - network.out(at).first();
        if (walked[arc] == root) break;  // and so is what follows
        walked[arc] = root;
        if (source[arc].valid()) continue;
        source[arc] = from;
        destination[arc] = root;
      }
    }
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> forced;
  for (std::uint32_t arc = 0; arc < space.arc_count(); ++arc) {
    if (source[arc].valid()) forced.emplace_back(space.tail(arc), space.head(arc));
  }
  const auto cycles = short_cycles(space.vertex_count(), forced, 1);
  std::vector<ForcedDependency> result;
  if (cycles.empty()) return result;
  for (std::size_t i = 0; i < cycles[0].size(); ++i) {
    const std::uint32_t arc = space.find(cycles[0][i], cycles[0][(i + 1) % cycles[0].size()]);
    result.push_back({ChannelId(cycles[0][i]), source[arc], destination[arc]});
  }
  return result;
}

}  // namespace unknot
