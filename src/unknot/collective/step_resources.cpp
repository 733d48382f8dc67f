// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/step_resources.hpp"

#include <algorithm>

namespace unknot {

StepResources::StepResources(const Problem& problem, const PathSets& paths) {
  const NodeGraph& graph = *problem.graph;
  constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  for (const ArcId a : graph.arcs()) capacity_.push_back(graph.capacity(a));

  std::vector<std::uint32_t> of_link(graph.link_count(), kNone);
  std::vector<std::uint64_t> arcs_together(graph.link_count(), 0);
  for (const ArcId a : graph.arcs()) arcs_together[graph.link(a)] += graph.capacity(a);
  for (std::uint32_t l = 0; l < graph.link_count(); ++l) {
    if (graph.link_capacity(l) >= arcs_together[l]) continue;
    of_link[l] = count();
    capacity_.push_back(graph.link_capacity(l));
  }

  std::vector<std::uint32_t> sender(graph.node_count(), kNone), receiver(graph.node_count(), kNone);
  for (const NodeId n : graph.nodes()) {
    if (problem.send_ports < graph.out_capacity(n)) {
      sender[n.value] = count();
      capacity_.push_back(problem.send_ports);
    }
    if (problem.receive_ports < graph.in_capacity(n)) {
      receiver[n.value] = count();
      capacity_.push_back(problem.receive_ports);
    }
  }

  for (std::uint32_t p = 0; p < paths.paths(); ++p) {
    const auto arcs = paths.arcs(p);
    for (const ArcId a : arcs) {
      taken_.push_back(a.value);
      const std::uint32_t link = of_link[graph.link(a)];
      if (link != kNone) taken_.push_back(link);
    }
    const std::uint32_t send = sender[graph.tail(arcs.front()).value];
    const std::uint32_t receive = receiver[graph.head(arcs.back()).value];
    if (send != kNone) taken_.push_back(send);
    if (receive != kNone) taken_.push_back(receive);
    begin_.push_back(static_cast<std::uint32_t>(taken_.size()));
  }
}

}  // namespace unknot
