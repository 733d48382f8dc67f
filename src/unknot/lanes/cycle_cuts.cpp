// SPDX-License-Identifier: Apache-2.0
#include "unknot/lanes/cycle_cuts.hpp"

#include <algorithm>

#include "unknot/lanes/arc_levels.hpp"

namespace unknot {

std::vector<std::vector<std::uint32_t>> short_cycles(
    std::uint32_t vertices, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& arcs,
    std::size_t most) {
  std::vector<std::vector<std::uint32_t>> heads(
      vertices);  // in the order of `arcs`, which says what cycle is found first
  for (const auto& [tail, head] : arcs) heads[tail].push_back(head);
  const std::vector<std::uint32_t> part = cyclic_parts(ArcSpace(vertices, arcs));
  std::vector<std::vector<std::uint32_t>> cycles;
  std::vector<std::uint32_t> parent(vertices, vertices);
  std::vector<std::uint32_t> queue;
  for (std::uint32_t root = 0; root < vertices; ++root) {
    if (part[root] == ArcSpace::kNone) continue;
    queue.assign(1, root);
    parent[root] = root;
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const std::uint32_t v = queue[head];
      const std::vector<std::uint32_t>& next = heads[v];
      if (std::find(next.begin(), next.end(), root) != next.end()) {
        std::vector<std::uint32_t> cycle;
        for (std::uint32_t at = v; at != root; at = parent[at]) cycle.push_back(at);
        cycle.push_back(root);
        std::reverse(cycle.begin(), cycle.end());
        std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
        cycles.push_back(std::move(cycle));
        break;
      }
      for (const std::uint32_t w : next) {
        if (parent[w] != vertices || part[w] != part[root]) continue;
        parent[w] = v;
        queue.push_back(w);
      }
    }
    for (const std::uint32_t v : queue) parent[v] = vertices;
  }
  std::sort(cycles.begin(), cycles.end(),
            [](const auto& a, const auto& b) { return a.size() != b.size() ? a.size() < b.size() : a < b; });
  cycles.erase(std::unique(cycles.begin(), cycles.end()), cycles.end());
  if (cycles.size() > most) cycles.resize(most);
  return cycles;
}

}  // namespace unknot
