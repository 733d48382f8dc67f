// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/deadlock/dependency_graph.hpp"

namespace unknot {

/// Result of peeling a graph: vertices without a predecessor are taken away until none is left (Kahn 1962).
struct TopologicalNumbers {
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  /// By vertex: length of the longest path that ends there, so that every arc goes from a smaller to a larger
  /// number; kNone for vertices that no packet uses, and for those on a cycle or behind one.
  std::vector<std::uint32_t> number;
  bool acyclic = false;
};

/// O(vertices + arcs).
TopologicalNumbers topological_numbers(const DependencyGraph& graph);

}  // namespace unknot
