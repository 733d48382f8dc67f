// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/bounds/lower_bound.hpp"

namespace unknot {

std::optional<BoundProof> distance_bound(const Problem& problem, const BoundOptions& /*options*/) {
  if (problem.delivery != Delivery::scatter) return DeliveryProof{};
  const NodeGraph& graph = *problem.graph;
  LengthProof proof;
  if (graph.link_class() == LinkClass::half_duplex) {
    proof.arc.assign(graph.arc_count(), 0);
    proof.link.assign(graph.link_count(), 1);
  } else {
    proof.arc.assign(graph.arc_count(), 1);
  }
  return proof;
}

}  // namespace unknot
