// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "unknot/collective/bounds/lower_bound.hpp"

namespace unknot {
namespace {

/// The node with most steps by itself.
struct Busiest {
  NodeId node;
  std::uint64_t steps = 0;
  void offer(NodeId n, std::uint64_t messages, std::uint64_t a_step) {
    const std::uint64_t needed = a_step == 0 ? 0 : (messages + a_step - 1) / a_step;
    if (needed > steps) *this = {n, needed};
  }
};

}  // namespace

std::optional<BoundProof> port_bound(const Problem& problem, const BoundOptions& /*options*/) {
  const NodeGraph& graph = *problem.graph;
  Busiest sender, receiver;
  for (std::uint32_t g = 0; g < problem.groups(); ++g) {
    const NodeId owner = problem.owner[g];
    const std::size_t messages = problem.delivery == Delivery::scatter ? problem.partners(g).size() : 1;
    sender.offer(owner, messages, problem.send_limit(owner));
  }
  std::vector<std::uint64_t> messages(graph.node_count(), 0);
  for (const NodeId n : problem.partner) ++messages[n.value];
  for (const NodeId n : graph.nodes()) receiver.offer(n, messages[n.value], problem.receive_limit(n));
  if (receiver.steps > sender.steps) return CutProof{{receiver.node}, CutProof::Direction::in};
  return CutProof{{sender.node}, CutProof::Direction::out};
}

}  // namespace unknot
