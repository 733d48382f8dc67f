// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/deadlock/dependency_graph.hpp"
#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// What a channel dependency graph proves: the numbers of a certificate, or a cycle that the flow control
/// does not break.
struct DeadlockProof {
  bool deadlock_free = false;
  /// Where so, by vertex: every arc goes from a smaller number to a larger one, or under bubble flow control
  /// stays inside one directed ring and one number. kUnused of Certificate for vertices without packets.
  std::vector<std::uint32_t> number;
  /// Where not: the vertices of a cycle, under bubble flow control one that leaves its ring; a shortest one
  /// unless components are huge.
  std::vector<DependencyGraph::Vertex> cycle;
};

/// Under credits a topological order or a shortest cycle, under bubble flow control the ring rule. O(vertices
/// + arcs) where there is no deadlock.
DeadlockProof prove(const Network& network, FlowControl flow_control, const DependencyGraph& graph);

}  // namespace unknot
