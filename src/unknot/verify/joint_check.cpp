// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/joint_check.hpp"

#include <algorithm>
#include <utility>

#include "unknot/support/error.hpp"
#include "unknot/verify/deadlock_proof.hpp"
#include "unknot/verify/multicast/multicast_walk.hpp"
#include "unknot/verify/table_walk.hpp"

namespace unknot {

DependencyGraph united(const Network& network, std::span<const DependencyGraph> graphs) {
  using Vertex = DependencyGraph::Vertex;
  std::vector<std::pair<Vertex, Vertex>> arcs;
  std::vector<std::uint8_t> used;
  std::uint32_t lanes = 0;
  for (const DependencyGraph& graph : graphs) {
    lanes = std::max(lanes, graph.lane_count());
    used.resize(std::max<std::size_t>(used.size(), graph.vertex_count()), 0);
    for (Vertex v = 0; v < graph.vertex_count(); ++v) {
      if (graph.used(v)) used[v] = 1;
      for (const Vertex w : graph.next(v)) arcs.emplace_back(v, w);
    }
  }
  std::sort(arcs.begin(), arcs.end());
  arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
  return {network.channel_count(), lanes, std::move(used), [&](const auto& visit) {
            for (const auto& [from, to] : arcs) visit(from, to);
          }};
}

JointVerdict verify_together(const Network& network, std::span<const Routing> routings, std::uint32_t threads,
                             Progress& progress) {
  if (routings.empty()) return {true, {}};
  std::vector<DependencyGraph> graphs;
  const auto add = [&](const Routing& routing) {
    if (routing.flow_control != routings[0].flow_control)
      throw InputError("routings of different flow control cannot be in force together");
    graphs.push_back(walk_tables(network, routing, threads, 0, progress).graph);
    if (routing.multicast) graphs.push_back(walk_multicast(network, routing, 0, progress).graph);
  };
  for (const Routing& routing : routings) {
    add(routing);
    for (const Routing& further : routing.further) add(further);
  }
  const DependencyGraph all = united(network, graphs);
  const DeadlockProof proof = prove(network, routings[0].flow_control, all);
  JointVerdict verdict{proof.deadlock_free, {}};
  for (const DependencyGraph::Vertex v : proof.cycle)
    verdict.cycle.push_back({ChannelId(all.channel_of(v)), static_cast<std::uint8_t>(all.lane_of(v))});
  return verdict;
}

}  // namespace unknot
