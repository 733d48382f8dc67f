// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/packing/link_turns.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "collective/schedules.hpp"
#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/check/checker.hpp"
#include "unknot/collective/paths/max_flow.hpp"
#include "unknot/collective/solvers/solver.hpp"

namespace unknot {
namespace {

const NodeGraphOptions kHalfDuplex{.links = LinkClass::half_duplex};

Problem half_duplex_on(const std::string& spec, const Participants& who = {}) {
  return make_collective(testing::graph_of(spec, kHalfDuplex), "AAB", who);
}

/// By a maximum flow from links, each as often as it carries in all steps, to what their ends lack.
bool enough_by_flow(const Problem& problem, std::uint32_t steps) {
  const NodeGraph& graph = *problem.graph;
  const std::uint32_t links = graph.link_count();
  MaxFlow flow(2 + links + graph.node_count());
  const auto vertex = [&](NodeId n) { return 2 + links + n.value; };
  std::vector<std::uint64_t> lacks(graph.node_count(), 0);
  for (const NodeId n : problem.partner) ++lacks[n.value];
  std::uint64_t all = 0;
  for (std::uint32_t link = 0; link < links; ++link)
    flow.set_capacity(flow.add_edge(0, 2 + link), std::uint64_t{steps} * graph.link_capacity(link));
  for (const ArcId a : graph.arcs()) {
    const std::uint32_t edge = flow.add_edge(2 + graph.link(a), vertex(graph.head(a)));
    flow.set_capacity(edge, std::uint64_t{steps} * graph.capacity(a));
  }
  for (const NodeId n : graph.nodes()) {
    flow.set_capacity(flow.add_edge(vertex(n), 1), lacks[n.value]);
    all += lacks[n.value];
  }
  return flow.run(0, 1) == all;
}

TEST(LinkTurns, AreEnoughExactlyWhenAFlowSaysSo) {
  Random random(7);
  for (const char* spec : {"ring:5", "mesh:3x4", "torus:4x3", "fulltree:15", "full-mesh:5", "petersen",
                           "jellyfish:routers=12,degree=3,p=1", "fat:2,ring:4"}) {
    const Problem problem = half_duplex_on(spec);
    const NodeGraph& graph = *problem.graph;
    std::uint32_t sufficient = 0;
    for (std::uint32_t steps = 1; steps <= 2 * graph.node_count(); ++steps) {
      LinkTurns turns(problem, steps);
      EXPECT_EQ(turns.enough(), enough_by_flow(problem, steps)) << spec << ", " << steps;
      sufficient += turns.enough() ? 1 : 0;
      turns.draw(random);
      std::vector<std::uint64_t> carried(graph.arc_count(), 0);
      for (std::uint32_t s = 0; s < steps; ++s) {
        std::vector<std::uint32_t> on_link(graph.link_count(), 0);
        for (const ArcId a : graph.arcs()) {
          EXPECT_LE(turns.units(a, s), graph.capacity(a));
          on_link[graph.link(a)] += turns.units(a, s);
          carried[a.value] += turns.units(a, s);
        }
        for (std::uint32_t link = 0; link < graph.link_count(); ++link)
          EXPECT_LE(on_link[link], graph.link_capacity(link)) << spec;
      }
      for (const ArcId a : graph.arcs()) EXPECT_GE(carried[a.value], turns.turns(a)) << spec;
    }
    EXPECT_GT(sufficient, 0U) << spec;
    EXPECT_LT(sufficient, 2 * graph.node_count()) << spec;
  }
}

/// Without turns receivers take each other's cables, and steps are lost.
TEST(LinkTurns, LetHalfDuplexBroadcastsReachTheBound) {
  for (const char* spec : {"torus:8x8", "torus:5x5", "hypercube:6", "mesh:6x6", "petersen", "ring:12",
                           "kautz:b=3,n=3", "jellyfish:routers=64,degree=6,p=1"}) {
    const Problem problem = half_duplex_on(spec);
    Progress silent;
    SolveOptions options;
    options.lower_bound = lower_bound(problem).steps;
    const Solution found = solve(problem, "matching", options, silent);
    EXPECT_EQ(found.conflicts, 0U) << spec;
    EXPECT_EQ(found.steps, options.lower_bound) << spec;
    EXPECT_TRUE(check_schedule(problem, found.schedule).valid()) << spec;
  }
}

}  // namespace
}  // namespace unknot
