// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/solvers/matching_solver.hpp"

#include <gtest/gtest.h>

#include "collective/reference_checker.hpp"
#include "collective/schedules.hpp"
#include "effort.hpp"
#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/check/checker.hpp"
#include "unknot/collective/model/broadcast_lanes.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

Solution matched(const Problem& problem, std::uint32_t steps = 0) {
  Progress silent;
  SolveOptions options;
  options.steps = steps;
  options.lower_bound = lower_bound(problem).steps;
  return solve(problem, "matching", options, silent);
}

struct Known {
  const char* spec;
  std::uint32_t steps;
};

/// As few steps as the ports of the receivers allow: (P - 1) / degree on direct networks, P - 1 for terminals
/// with one port. Tori of odd sides, spidergons of 16 and 64 and rings leave no channel idle in any step.
TEST(Matching, ReachesTheBoundOfAllToAllBroadcasts) {
  for (const Known& known : std::vector<Known>{{"ring:24", 12},
                                               {"uniring:8", 7},
                                               {"mesh:3x3", 4},
                                               {"mesh:5x5", 12},
                                               {"mesh:10x10", 50},
                                               {"torus:3x3", 2},
                                               {"torus:4x8", 8},
                                               {"torus:9x9", 20},
                                               {"torus:16x16", 64},
                                               {"hypercube:6", 11},
                                               {"hypercube:7", 19},
                                               {"hypercube:8", 32},
                                               {"spidergon:16", 5},
                                               {"spidergon:32", 11},
                                               {"spidergon:64", 21},
                                               {"midimew:8", 2},
                                               {"heawood", 5},
                                               {"levi", 10},
                                               {"petersen", 3},
                                               {"kautz:b=3,n=3,oriented=1", 12},
                                               {"fulltree:63", 62},
                                               {"btree:8", 7},
                                               {"btree:32", 31},
                                               {"btree:64", 63},
                                               {"fattree:32", 31},
                                               {"clos:12", 11},
                                               {"omega:16", 15},
                                               {"butterfly:16", 15},
                                               {"fat:2,hypercube:5", 63},
                                               {"fat:4,spidergon:8", 31},
                                               {"slimfly:q=5", 7},
                                               {"jellyfish:routers=64,degree=6,p=1", 11}}) {
    const Problem problem = testing::problem_on(known.spec, "AAB");
    if (fewer_cases() && problem.messages() > 1000) continue;  // the smaller ones lead through the same code
    const Solution found = matched(problem);
    EXPECT_EQ(found.steps, known.steps) << known.spec;
    EXPECT_EQ(found.conflicts, 0U) << known.spec;
    EXPECT_EQ(found.steps, lower_bound(problem).steps) << known.spec;
  }
}

/// Reductions are broadcasts backwards, on the reversed network.
TEST(Matching, SolvesReductions) {
  for (const Known& known : std::vector<Known>{{"torus:5x5", 6},
                                               {"hypercube:4", 4},
                                               {"kautz:b=3,n=2,oriented=1", 4},
                                               {"omega:8", 7},
                                               {"btree:8", 7}}) {
    const Solution found = matched(testing::problem_on(known.spec, "AAR"));
    EXPECT_EQ(found.steps, known.steps) << known.spec;
    EXPECT_EQ(found.conflicts, 0U);
  }
}

/// Shortest paths alone will do where terminals have one port, though no spanning tree has them.
TEST(Matching, ToursOfShortestPaths) {
  for (const char* const spec :
       {"fat:2,hypercube:4", "fat:3,spidergon:8", "fat:4,spidergon:4", "fattree:16", "omega:8", "btree:16"}) {
    ProblemRules rules;
    rules.extra_hops = 0;
    const Problem problem = make_collective(testing::graph_of(spec), "AAB", {}, rules);
    const Solution found = matched(problem);
    EXPECT_EQ(found.steps, problem.groups() - 1) << spec;
    EXPECT_TRUE(check_schedule(problem, found.schedule).valid()) << spec;
  }
}

/// Networks without symmetry, ports fewer than channels, parallel channels, paths of limited length: valid by
/// the plainest of checkers.
TEST(Matching, KeepsTheRules) {
  for (const char* const spec : {"mesh:3x4", "ring:7", "fulltree:15", "petersen", "kautz:b=2,n=3,oriented=1",
                                 "random:switches=9,links=20,parallel=1"}) {
    const Network network = make_network(spec);
    const auto graph = std::make_shared<const NodeGraph>(network);
    for (const std::uint32_t ports : {1U, 2U, Problem::kAllPorts}) {
      for (const std::uint32_t extra : {0U, 1U, Problem::kAnyLength}) {
        ProblemRules rules;
        rules.send_ports = ports;
        rules.receive_ports = ports == 2 ? 3 : ports;
        rules.extra_hops = extra;
        Participants some;
        some.transmitters = testing::nodes({0, 2, 3});
        for (const Problem& problem :
             {make_collective(graph, "AAB", {}, rules), make_collective(graph, "AAR", {}, rules),
              make_collective(graph, "MNB", some, rules)}) {
          const Solution found = matched(problem);
          EXPECT_EQ(found.conflicts, 0U);
          EXPECT_TRUE(testing::ReferenceChecker(network, problem).valid(found.schedule))
              << spec << ' ' << problem.collective << ' ' << ports << ' ' << extra;
        }
      }
    }
  }
}

TEST(Matching, LivesWithFailures) {
  const Network whole = make_network("torus:5x5");
  const auto graph = std::make_shared<const NodeGraph>(
      with_faults(whole, parse_faults(whole, "cables=S-0-S-1,channels=S-7-S-8,routers=S-12")));
  const Problem problem = make_collective(graph, "AAB");
  const Solution found = matched(problem);
  EXPECT_EQ(found.steps, lower_bound(problem).steps);
  EXPECT_EQ(found.conflicts, 0U);
}

TEST(Matching, IsTheSameForTheSameSeed) {
  Progress silent;
  const Problem problem = testing::problem_on("mesh:4x5", "AAB");
  SolveOptions options;
  options.lower_bound = 10;
  const Schedule first = solve(problem, "matching", options, silent).schedule;
  EXPECT_EQ(solve(problem, "matching", options, silent).schedule, first);
  options.seed = 2;
  EXPECT_NE(solve(problem, "matching", options, silent).schedule, first);
}

TEST(Matching, LeavesOutWhatDoesNotFit) {
  const Problem problem = testing::problem_on("torus:4x4", "AAB");
  const Solution found = matched(problem, 3);  // 240 deliveries, 64 channels
  EXPECT_EQ(found.conflicts, 240U - 3 * 64);
  EXPECT_FALSE(found.impossible);
  EXPECT_EQ(check_schedule(problem, found.schedule).of(ViolationKind::missing), found.conflicts);
}

TEST(Matching, EndsWhenTheTimeIsUp) {
  Progress silent;
  SolveOptions options;
  options.steps = 3;
  options.seconds = 1e-6;
  const Solution found =
      solve(testing::problem_on("torus:4x4", "AAB"), "matching:tries=1000000", options, silent);
  EXPECT_TRUE(found.out_of_time);
  EXPECT_EQ(found.evaluations, 2U);  // one try on the channels, one on a tour
}

TEST(Matching, RefusesOtherProblems) {
  Progress silent;
  for (const char* const collective : {"AAS", "OAS", "OAB", "AOR"}) {
    const Problem problem = testing::problem_on("ring:4", collective);
    EXPECT_FALSE(refusal(matching_solver(), problem).empty()) << collective;
    EXPECT_THROW((void)solve(problem, "matching", {}, silent), InputError) << collective;
  }
}

/// A closed tour stops at each node once, and no two parts of it share a channel.
TEST(BroadcastLanes, TourStopsOnceEverywhere) {
  for (const char* const spec : {"mesh:3x4", "btree:16", "fattree:8", "omega:8", "butterfly:16",
                                 "fat:3,ring:5", "kautz:b=2,n=3,oriented=1", "uniring:5"}) {
    const Problem problem = testing::problem_on(spec, "AAB");
    const NodeGraph& graph = *problem.graph;
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      Random random(seed);
      const BroadcastLanes tour = BroadcastLanes::of_tour(problem, random);
      ASSERT_EQ(tour.count(), problem.groups()) << spec;
      std::vector<std::uint32_t> used(graph.arc_count(), 0), next(graph.node_count(), 0);
      for (std::uint32_t l = 0; l < tour.count(); ++l) {
        next[tour.lane(l).tail.value] = tour.lane(l).head.value;
        for (const ArcId a : tour.arcs(l)) EXPECT_LE(++used[a.value], graph.capacity(a)) << spec;
      }
      const std::uint32_t start = problem.owner[0].value;
      std::uint32_t stops = 1;
      for (std::uint32_t at = next[start]; at != start && stops <= tour.count(); at = next[at]) ++stops;
      EXPECT_EQ(stops, tour.count()) << spec;
    }
  }
}

}  // namespace
}  // namespace unknot
