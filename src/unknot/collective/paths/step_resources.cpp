// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/paths/step_resources.hpp"

#include <algorithm>
#include "unknot/support/error.hpp"

namespace unknot {

SharedResources::SharedResources(const Problem& problem, const Symmetry& symmetry)
    : of_arc_(problem.graph->arc_count()),
      of_link_(problem.graph->arc_count(), kNone),
      sender_(problem.graph->node_count(), kNone),
      receiver_(problem.graph->node_count(), kNone) {
  const NodeGraph& graph = *problem.graph;
  const std::vector<ArcId> first_arc = symmetry.arc_orbits(graph);
  for (const ArcId a : graph.arcs()) {
    const ArcId first = first_arc[a.value];
    of_arc_[a.value] = first == a ? add(graph.capacity(a)) : of_arc_[first.value];
  }

  std::vector<std::uint64_t> arcs_together(graph.link_count(), 0);
  for (const ArcId a : graph.arcs()) arcs_together[graph.link(a)] += graph.capacity(a);
  std::vector<std::uint32_t> of_link(graph.link_count(), kNone);
  for (const ArcId a : graph.arcs()) {
    const std::uint32_t link = graph.link(a);
    if (of_link[link] == kNone && graph.link_capacity(link) < arcs_together[link]) {
      std::uint32_t times = 0;  // that images of the link are the link itself
      for (std::uint32_t e = 0; e < symmetry.order(); ++e) {
        const std::uint32_t image = graph.link(symmetry.image(e, graph, a));
        of_link[image] = count();
        times += image == link ? 1 : 0;
      }
      add(graph.link_capacity(link) / times);
      arcs_alone_ = false;
    }
    of_link_[a.value] = of_link[link];
  }

  const std::vector<NodeId> first_node = symmetry.node_orbits();
  std::vector<std::uint32_t> members(graph.node_count(), 0);
  for (const NodeId first : first_node) ++members[first.value];
  // Images of a transfer meet in a node that stays in place.
  const auto times = [&](NodeId first) { return symmetry.order() / members[first.value]; };
  for (const NodeId n : graph.nodes()) {
    const NodeId first = first_node[n.value];
    if (problem.send_ports < graph.out_capacity(n)) {
      sender_[n.value] = first == n ? add(problem.send_ports / times(first)) : sender_[first.value];
      arcs_alone_ = false;
    }
    if (problem.receive_ports < graph.in_capacity(n)) {
      receiver_[n.value] = first == n ? add(problem.receive_ports / times(first)) : receiver_[first.value];
      arcs_alone_ = false;
    }
  }
}

StepResources::StepResources(const Problem& problem, const PairPaths& paths, const Symmetry& symmetry,
                             const Progress& progress)
    : shared_(problem, symmetry) {
  const NodeGraph& graph = *problem.graph;
  const auto take = [&](std::uint32_t resource) {
    if (resource != SharedResources::kNone) taken_.push_back(resource);
  };
  constexpr std::uint32_t kAskEach = 4096;
  begin_.reserve(paths.paths() + std::size_t{1});
  for (std::uint32_t p = 0; p < paths.paths(); ++p) {
    if (p % kAskEach == 0 && progress.interrupted()) throw Interrupted();
    const auto arcs = paths.arcs(p);
    for (const ArcId a : arcs) {
      take(shared_.of_arc(a));
      take(shared_.of_link(a));
    }
    take(shared_.of_sender(graph.tail(arcs.front())));
    take(shared_.of_receiver(graph.head(arcs.back())));
    if (taken_.size() > UINT32_MAX)
      throw InputError("schedule: what all paths take together is too much; keep fewer of each pair");
    begin_.push_back(static_cast<std::uint32_t>(taken_.size()));
  }
}

}  // namespace unknot
