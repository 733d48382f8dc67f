// SPDX-License-Identifier: Apache-2.0
#include "unknot/deadlock/topological.hpp"

#include <algorithm>

namespace unknot {

TopologicalNumbers topological_numbers(const DependencyGraph& graph) {
  const std::uint32_t vertices = graph.vertex_count();
  std::vector<std::uint32_t> waiting(vertices, 0);
  std::vector<std::uint32_t> number(vertices, 0);
  std::vector<DependencyGraph::Vertex> ready;
  std::uint32_t used = 0;
  for (std::uint32_t v = 0; v < vertices; ++v) {
    for (const std::uint32_t w : graph.next(v)) ++waiting[w];
  }
  for (std::uint32_t v = 0; v < vertices; ++v) {
    if (!graph.used(v)) continue;
    ++used;
    if (waiting[v] == 0) ready.push_back(v);
  }
  for (std::size_t next = 0; next < ready.size(); ++next) {
    const std::uint32_t v = ready[next];
    for (const std::uint32_t w : graph.next(v)) {
      number[w] = std::max(number[w], number[v] + 1);
      if (--waiting[w] == 0) ready.push_back(w);
    }
  }
  TopologicalNumbers result;
  result.acyclic = ready.size() == used;
  for (std::uint32_t v = 0; v < vertices; ++v) {
    if (!graph.used(v) || waiting[v] != 0) number[v] = TopologicalNumbers::kNone;
  }
  result.number = std::move(number);
  return result;
}

}  // namespace unknot
