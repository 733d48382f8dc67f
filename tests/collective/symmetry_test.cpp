// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/symmetry/symmetry.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "collective/schedules.hpp"
#include "unknot/collective/check/checker.hpp"
#include "unknot/collective/solvers/solver.hpp"
#include "unknot/collective/symmetry/automorphisms.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {
namespace {

ColouredGraph plain(const NodeGraph& graph) {
  ColouredGraph result;
  result.colour.assign(graph.node_count(), 0);
  for (const ArcId a : graph.arcs()) result.arcs.emplace_back(graph.tail(a).value, graph.head(a).value);
  return result;
}

/// Orders of the groups as the literature has them.
TEST(Automorphisms, AreAsManyAsKnown) {
  const std::vector<std::pair<const char*, double>> known{{"petersen", 120},
                                                          {"heawood", 336},
                                                          {"levi", 1440},
                                                          {"hoffman-singleton", 252'000},
                                                          {"hypercube:4", 384},
                                                          {"ring:9", 18},
                                                          {"uniring:9", 9},
                                                          {"torus:5x5", 200},
                                                          {"mesh:3x4", 4},
                                                          {"mesh:4x4", 8},
                                                          {"kautz:b=3,n=2,oriented=1", 24}};
  for (const auto& [spec, order] : known) {
    const auto graph = testing::graph_of(spec);
    const Automorphisms found = automorphisms(plain(*graph));
    EXPECT_NEAR(std::exp(found.log_order), order, order * 1e-9) << spec;
    for (const Permutation& g : found.generators) {
      for (const ArcId a : graph->arcs())
        EXPECT_TRUE(graph->find(NodeId(g[graph->tail(a).value]), NodeId(g[graph->head(a).value])).valid())
            << spec;
    }
  }
}

TEST(Automorphisms, KeepColours) {
  ColouredGraph ring = plain(*testing::graph_of("ring:6"));
  ring.colour[0] = 7;
  const Automorphisms found = automorphisms(ring);
  EXPECT_NEAR(std::exp(found.log_order), 2, 1e-9);
  for (const Permutation& g : found.generators) EXPECT_EQ(g[0], 0U);
  EXPECT_TRUE(automorphisms({}).generators.empty());
}

struct Known {
  const char* spec;
  std::uint32_t order;
};

/// Cayley graphs have a group that reaches every node from every other; what has less has the most that moves
/// everything, or for switched networks what leaves no channel in place.
TEST(Symmetry, IsAsLargeAsKnown) {
  for (const Known& known : std::vector<Known>{{"hypercube:3", 8},
                                               {"hypercube:7", 128},
                                               {"ring:15", 15},
                                               {"uniring:8", 8},
                                               {"torus:4x4", 16},
                                               {"torus:3x4", 12},
                                               {"torus:12x12", 144},
                                               {"mesh:4x4", 4},
                                               {"mesh:3x4", 2},
                                               {"mesh:5x5", 1},
                                               {"petersen", 5},
                                               {"heawood", 14},
                                               {"levi", 10},
                                               {"kautz:b=3,n=2,oriented=1", 12},
                                               {"spidergon:18", 18},
                                               {"midimew:8", 8},
                                               {"fat:2,hypercube:4", 32},
                                               {"fat:3,spidergon:8", 8},
                                               {"btree:16", 2},
                                               {"fulltree:15", 1},
                                               {"omega:8", 8},
                                               {"clos:12", 12},
                                               {"clos:16", 16},
                                               {"kautz:b=3,n=3,oriented=1", 12}}) {
    const Problem problem = testing::problem_on(known.spec, "AAS");
    const Symmetry symmetry = find_symmetry(problem);
    EXPECT_EQ(symmetry.order(), known.order) << known.spec;
    EXPECT_TRUE(check_symmetry(problem, symmetry)) << known.spec;
  }
}

/// Subgroups are closed, orbits have as many members as the group has elements.
TEST(Symmetry, HasSubgroupsAndOrbits) {
  for (const char* const spec : {"hypercube:4", "torus:3x6", "levi", "fat:2,ring:6", "fattree:8"}) {
    const Problem problem = testing::problem_on(spec, "AAB");
    const NodeGraph& graph = *problem.graph;
    const Symmetry whole = find_symmetry(problem);
    std::uint32_t before = 1;
    for (const std::uint32_t order : whole.subgroup_orders()) {
      EXPECT_EQ(order % before, 0U);
      before = order;
      const Symmetry group = whole.subgroup(order);
      EXPECT_EQ(group.order(), order);
      std::set<std::vector<std::uint32_t>> elements;
      for (std::uint32_t e = 0; e < order; ++e)
        elements.emplace(group.images(e).begin(), group.images(e).end());
      EXPECT_EQ(elements.size(), order) << spec;
      for (std::uint32_t e = 0; e < order; ++e) {
        for (std::uint32_t f = 0; f < order; ++f) {
          std::vector<std::uint32_t> one;
          for (const NodeId n : graph.nodes()) one.push_back(group.image(e, group.image(f, n)).value);
          EXPECT_TRUE(elements.contains(one)) << spec;
        }
      }
      std::vector<std::uint32_t> size(graph.arc_count(), 0);
      for (const ArcId first : group.arc_orbits(graph)) ++size[first.value];
      for (const std::uint32_t members : size) EXPECT_TRUE(members == 0 || members == order) << spec;
      EXPECT_EQ(representatives(problem, group).groups() * order, problem.groups()) << spec;
    }
  }
}

/// Of scatters, which may turn about a node: odd meshes about the one in the middle.
TEST(Symmetry, MayLeaveANodeInPlace) {
  for (const auto& [spec, order] : std::vector<std::pair<const char*, std::uint32_t>>{
           {"mesh:3x3", 4}, {"mesh:5x5", 4}, {"mesh:3x5", 2}, {"fulltree:15", 2}, {"ring:8", 8}}) {
    const Problem problem = testing::problem_on(spec, "AAS");
    const Symmetry symmetry = find_symmetry(problem, {.fixed_node = true});
    EXPECT_EQ(symmetry.order(), order) << spec;
    EXPECT_TRUE(check_symmetry(problem, symmetry)) << spec;
    EXPECT_EQ(representatives(problem, symmetry).messages() * order, problem.messages()) << spec;
    EXPECT_EQ(check_symmetry(testing::problem_on(spec, "AAB"), symmetry), order == 8) << spec;
  }
}

/// Only what maps messages to messages, roles to roles and capacities to capacities.
TEST(Symmetry, IsThatOfTheProblem) {
  const auto order = [](const Problem& problem) {
    const Symmetry symmetry = find_symmetry(problem);
    EXPECT_TRUE(check_symmetry(problem, symmetry));
    return symmetry.order();
  };
  const auto ring = testing::graph_of("ring:8");
  const auto with = [&](std::vector<MessageEnds> messages) {
    return order(make_problem("list", ring, Delivery::scatter, std::move(messages)));
  };
  EXPECT_EQ(order(testing::problem_on("ring:8", "OAS")), 1U);
  Participants halves;
  halves.transmitters = testing::nodes({0, 2, 4, 6});
  halves.receivers = testing::nodes({1, 3, 5, 7});
  EXPECT_EQ(order(testing::problem_on("ring:8", "MNS", halves)), 4U);
  std::vector<MessageEnds> around;
  for (std::uint32_t i = 0; i < 8; ++i) around.push_back({NodeId(i), NodeId((i + 3) % 8)});
  EXPECT_EQ(with(around), 8U);
  around.pop_back();
  EXPECT_EQ(with(around), 1U);
  const Network broken =
      with_faults(make_network("ring:8"), parse_faults(make_network("ring:8"), "channels=S-0-S-1"));
  EXPECT_EQ(order(make_collective(std::make_shared<const NodeGraph>(broken), "AAS", {}, {})), 1U);
}

TEST(Symmetry, CheckRefusesWhatIsNone) {
  const Problem problem = testing::problem_on("ring:6", "AAS");
  const auto with = [](const std::vector<std::uint32_t>& generator, std::uint32_t index) {
    Symmetry symmetry(6);
    symmetry.extend(generator, index);
    return symmetry;
  };
  EXPECT_TRUE(check_symmetry(problem, with({1, 2, 3, 4, 5, 0}, 6)));
  EXPECT_TRUE(check_symmetry(problem, with({3, 4, 5, 0, 1, 2}, 2)));
  EXPECT_FALSE(check_symmetry(problem, with({0, 5, 4, 3, 2, 1}, 2)));  // keeps 0 and 3
  EXPECT_FALSE(check_symmetry(problem, with({1, 0, 3, 2, 5, 4}, 2)));  // channel 1-2 goes where none is
  EXPECT_FALSE(check_symmetry(problem, with({1, 1, 3, 4, 5, 0}, 2)));  // no permutation
  EXPECT_FALSE(check_symmetry(testing::problem_on("ring:6", "OAS"), with({3, 4, 5, 0, 1, 2}, 2)));
}

/// Evolution of what one node of each orbit sends: cells of the thesis that took it 82 and 64.6 million
/// evaluations (AAS on 32 nodes, AAB on 64; sections 7.3 and 7.4), with bounds as printed or better.
TEST(Symmetry, MakesEvolutionQuick) {
  struct Case {
    const char* spec;
    const char* collective;
    std::uint32_t steps;
    const char* solver;
  };
  Progress silent;
  for (const Case& c : std::vector<Case>{{"hypercube:5", "AAS", 16, "umda:symmetry=32"},
                                         {"hypercube:5", "AAS", 16, "sga:symmetry=32"},
                                         {"hypercube:6", "AAB", 11, "umda:symmetry=64,greedy=0.5"},
                                         {"torus:4x4", "AAS", 8, "umda:symmetry=4,greedy=0.5"},
                                         {"kautz:b=3,n=2,oriented=1", "AAS", 7, "umda:symmetry=2"},
                                         {"fat:2,spidergon:6", "AAB", 11, "umda:symmetry=6,greedy=0.5"}}) {
    const Problem problem = testing::problem_on(c.spec, c.collective);
    SolveOptions options;
    options.steps = c.steps;
    const Solution found = solve(problem, c.solver, options, silent);
    EXPECT_EQ(found.conflicts, 0U) << c.spec << ' ' << c.collective;
    EXPECT_TRUE(check_schedule(problem, found.schedule).valid());
    EXPECT_LT(found.evaluations, 1'000'000U) << c.spec << ' ' << c.collective;
  }
}

}  // namespace
}  // namespace unknot
