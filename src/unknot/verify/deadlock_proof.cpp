// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/deadlock_proof.hpp"

#include <utility>

#include "unknot/deadlock/shortest_cycle.hpp"
#include "unknot/deadlock/topological.hpp"
#include "unknot/verify/ring_rule.hpp"

namespace unknot {

DeadlockProof prove(const Network& network, FlowControl flow_control, const DependencyGraph& graph) {
  if (flow_control == FlowControl::bubble) return ring_rule(graph, directed_rings(network));
  TopologicalNumbers numbers = topological_numbers(graph);
  if (numbers.acyclic) return {true, std::move(numbers.number), {}};
  return {false, {}, shortest_cycle(graph)};
}

}  // namespace unknot
