// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/paths/scatter_flow.hpp"

#include <algorithm>

namespace unknot {

// Vertices: the nodes, a source before the owner for its ports, a sink behind all partners.
ScatterFlow::ScatterFlow(const Problem& problem, std::uint32_t group)
    : problem_(problem),
      graph_(*problem.graph),
      group_(group),
      flow_(graph_.node_count() + 2),
      edge_(graph_.arc_count(), kNoEdge) {
  const NodeId owner = problem.owner[group];
  std::vector<std::uint32_t> hops;
  graph_.distances_from(owner, hops);
  ports_edge_ = flow_.add_edge(graph_.node_count(), owner.value);
  for (const ArcId a : graph_.arcs()) {
    const NodeId from = graph_.tail(a);
    const std::uint32_t far = hops[from.value];
    if (far == NodeGraph::kUnreached || graph_.head(a) == owner || (graph_.is_leaf(from) && from != owner))
      continue;
    if (std::uint64_t{hops[graph_.head(a).value]} + problem.extra_hops < far + 1) continue;
    edge_[a.value] = flow_.add_edge(from.value, graph_.head(a).value);
  }
  for (const NodeId n : problem.partners(group)) {
    last_edges_.push_back(flow_.add_edge(n.value, graph_.node_count() + 1));
    flow_.set_capacity(last_edges_.back(), 1);
  }
}

bool ScatterFlow::feasible(std::uint32_t steps) {
  for (const ArcId a : graph_.arcs()) {
    if (edge_[a.value] != kNoEdge)
      flow_.set_capacity(edge_[a.value], std::uint64_t{graph_.capacity(a)} * steps);
  }
  const std::uint64_t wanted = problem_.partners(group_).size();
  flow_.set_capacity(ports_edge_, std::min(wanted, std::uint64_t{problem_.send_ports} * steps));
  return flow_.run(graph_.node_count(), graph_.node_count() + 1) == wanted;
}

std::uint32_t ScatterFlow::least_steps(std::uint32_t enough_below) {
  std::uint32_t high = std::max<std::uint32_t>(enough_below + 1, 1);
  if (feasible(high)) return high;
  std::uint32_t low = high;  // infeasible
  const auto messages = static_cast<std::uint32_t>(problem_.partners(group_).size());
  high = std::max(messages, high);
  while (high - low > 1) {
    const std::uint32_t middle = low + (high - low) / 2;
    (feasible(middle) ? high : low) = middle;
  }
  (void)feasible(high);
  return high;
}

std::vector<NodeId> ScatterFlow::source_side() const {
  std::vector<NodeId> nodes;
  for (const NodeId n : graph_.nodes()) {
    if (flow_.on_source_side(n.value)) nodes.push_back(n);
  }
  return nodes;
}

std::uint64_t ScatterFlow::flow(ArcId a) const {
  return edge_[a.value] == kNoEdge ? 0 : flow_.flow(edge_[a.value]);
}

}  // namespace unknot
