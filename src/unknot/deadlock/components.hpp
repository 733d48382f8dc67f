// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/deadlock/dependency_graph.hpp"

namespace unknot {

/// Strongly connected components that contain a cycle: [i] is the number of vertex i's component, kNone for a
/// vertex on no cycle. Two vertices lie on a common closed walk exactly when their numbers are equal.
struct CyclicComponents {
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  std::vector<std::uint32_t> component;
  std::uint32_t count = 0;
};

/// Tarjan 1972, without recursion. O(vertices + arcs).
CyclicComponents cyclic_components(const DependencyGraph& graph);

}  // namespace unknot
