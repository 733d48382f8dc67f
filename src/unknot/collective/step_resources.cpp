// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/step_resources.hpp"

#include <algorithm>

namespace unknot {

StepResources::StepResources(const Problem& problem, const PathSets& paths, const Symmetry& symmetry) {
  const NodeGraph& graph = *problem.graph;
  constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  const auto add = [&](std::uint32_t capacity) {
    capacity_.push_back(capacity);
    return count() - 1;
  };

  std::vector<std::uint32_t> of_arc(graph.arc_count());
  const std::vector<ArcId> first_arc = symmetry.arc_orbits(graph);
  for (const ArcId a : graph.arcs()) {
    const ArcId first = first_arc[a.value];
    of_arc[a.value] = first == a ? add(graph.capacity(a)) : of_arc[first.value];
  }

  std::vector<std::uint32_t> of_link(graph.link_count(), kNone);
  std::vector<std::uint64_t> arcs_together(graph.link_count(), 0);
  std::vector<ArcId> an_arc(graph.link_count());
  for (const ArcId a : graph.arcs()) {
    arcs_together[graph.link(a)] += graph.capacity(a);
    an_arc[graph.link(a)] = a;
  }
  for (std::uint32_t l = 0; l < graph.link_count(); ++l) {
    if (of_link[l] != kNone || graph.link_capacity(l) >= arcs_together[l]) continue;
    std::uint32_t times = 0;  // that images of the link are the link itself
    for (std::uint32_t e = 0; e < symmetry.order(); ++e) {
      const std::uint32_t image = graph.link(symmetry.image(e, graph, an_arc[l]));
      of_link[image] = count();
      times += image == l ? 1 : 0;
    }
    add(graph.link_capacity(l) / times);
  }

  std::vector<std::uint32_t> sender(graph.node_count(), kNone), receiver(graph.node_count(), kNone);
  const std::vector<NodeId> first_node = symmetry.node_orbits();
  for (const NodeId n : graph.nodes()) {
    const NodeId first = first_node[n.value];
    if (problem.send_ports < graph.out_capacity(n))
      sender[n.value] = first == n ? add(problem.send_ports) : sender[first.value];
    if (problem.receive_ports < graph.in_capacity(n))
      receiver[n.value] = first == n ? add(problem.receive_ports) : receiver[first.value];
  }

  for (std::uint32_t p = 0; p < paths.paths(); ++p) {
    const auto arcs = paths.arcs(p);
    for (const ArcId a : arcs) {
      taken_.push_back(of_arc[a.value]);
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
