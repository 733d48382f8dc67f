// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "unknot/deadlock/dependency_graph.hpp"
#include "unknot/deadlock/topological.hpp"
#include "unknot/lanes/path_set.hpp"

namespace unknot {

/// Whether every path has a layer below `count`, none is empty and none has a cycle, by code that makes no
/// layers.
inline bool is_acyclic_cover(const PathSet& paths, const PathLayers& layers) {
  if (layers.layer.size() != paths.size()) return false;
  std::vector<std::vector<std::uint32_t>> members(layers.count);
  for (std::uint32_t p = 0; p < paths.size(); ++p) {
    if (layers.layer[p] >= layers.count) return false;
    members[layers.layer[p]].push_back(p);
  }
  return std::all_of(members.begin(), members.end(), [&](const std::vector<std::uint32_t>& layer) {
    const DependencyGraph graph(paths.vertex_count(), 1, std::vector<std::uint8_t>(paths.vertex_count(), 1),
                                [&](const auto& visit) {
                                  for (const std::uint32_t p : layer) {
                                    const auto path = paths.path(p);
                                    for (std::size_t i = 1; i < path.size(); ++i) visit(path[i - 1], path[i]);
                                  }
                                });
    return !layer.empty() && topological_numbers(graph).acyclic;
  });
}

}  // namespace unknot
