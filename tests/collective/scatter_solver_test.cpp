// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/solvers/scatter_solver.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "collective/brute_force.hpp"
#include "collective/reference_checker.hpp"
#include "collective/schedules.hpp"
#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/check/checker.hpp"
#include "unknot/collective/model/flow_paths.hpp"
#include "unknot/collective/paths/flow_division.hpp"
#include "unknot/collective/paths/scatter_flow.hpp"
#include "unknot/collective/solvers/solver.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"

namespace unknot {
namespace {

Solution run(const Problem& problem, std::uint32_t steps = 0) {
  Progress silent;
  return solve(problem, "scatter-flow", {.steps = steps}, silent);
}

Problem from_root(const std::string& spec, std::uint32_t root, std::uint32_t extra_hops) {
  ProblemRules rules;
  rules.extra_hops = extra_hops;
  Participants who;
  who.root = NodeId(root);
  return make_collective(testing::graph_of(spec), "OAS", who, rules);
}

/// Steps that are known to be the fewest: from a middle, an edge and a corner of meshes, and others.
TEST(ScatterFlowSolver, ReachesTheFewestSteps) {
  constexpr std::uint32_t kAny = Problem::kAnyLength;
  struct Row {
    const char* spec;
    std::uint32_t root, extra_hops, steps;
  };
  for (const Row& row : std::initializer_list<Row>{{"hypercube:8", 0, 0, 32},
                                                   {"ring:24", 0, 0, 12},
                                                   {"uniring:32", 0, kAny, 31},
                                                   {"mesh:4x4", 2, kAny, 5},
                                                   {"mesh:4x4", 2, 0, 6},
                                                   {"mesh:8x8", 4, kAny, 21},
                                                   {"mesh:10x10", 0, 0, 50},
                                                   {"mesh:10x10", 5, 0, 33},
                                                   {"mesh:10x10", 55, 0, 25},
                                                   {"torus:10x10", 0, 0, 25},
                                                   {"petersen", 3, 0, 3},
                                                   {"kautz:b=3,n=3,oriented=1", 35, kAny, 12},
                                                   {"levi", 0, kAny, 10},
                                                   {"spidergon:64", 0, 0, 21},
                                                   {"kautz:b=3,n=3,oriented=1", 35, 0, 13},
                                                   {"fulltree:63", 62, 0, 62},
                                                   {"fulltree:63", 30, 0, 60},
                                                   {"fulltree:63", 0, 0, 31},
                                                   {"fat:2,hypercube:3", 8, 0, 15}}) {
    SCOPED_TRACE(fmt::format("{} from {}, {} hops longer", row.spec, row.root, row.extra_hops));
    const Problem problem = from_root(row.spec, row.root, row.extra_hops);
    const Solution found = run(problem);
    EXPECT_EQ(found.steps, row.steps);
    EXPECT_EQ(found.fewest, row.steps);
    EXPECT_EQ(found.conflicts, 0U);
    EXPECT_TRUE(check_schedule(problem, found.schedule).valid());
  }
}

/// A step less is impossible, and the schedule then delivers as many messages as can be.
TEST(ScatterFlowSolver, ProvesThatThereIsNone) {
  const Problem problem = from_root("mesh:8x8", 4, 0);
  const Solution none = run(problem, 20);
  EXPECT_TRUE(none.impossible);
  EXPECT_EQ(none.steps, 20U);
  EXPECT_EQ(none.fewest, 21U);
  EXPECT_EQ(none.conflicts, 3U);
  EXPECT_EQ(none.schedule.transfer_count(), 60U);
  EXPECT_EQ(check_schedule(problem, none.schedule).violations(), 3U);
  EXPECT_EQ(check_schedule(problem, none.schedule).of(ViolationKind::missing), 3U);
  EXPECT_FALSE(run(problem, 21).impossible);
  EXPECT_EQ(run(problem, 40).schedule.step_count(), 40U);
}

std::vector<Problem> under_all_rules(const std::vector<const char*>& specs) {
  std::vector<Problem> problems;
  for (const char* const spec : specs) {
    for (const LinkClass links : {LinkClass::full_duplex, LinkClass::half_duplex}) {
      for (const std::uint32_t capacity : {1U, 2U}) {
        const auto graph = testing::graph_of(spec, {.links = links, .terminal_capacity = capacity});
        if (capacity > 1 && !graph->has_terminal_nodes()) continue;
        for (const std::uint32_t ports : {1U, 2U, Problem::kAllPorts}) {
          for (const std::uint32_t extra : {0U, 1U, 2U, Problem::kAnyLength}) {
            ProblemRules rules;
            rules.send_ports = rules.receive_ports = ports;
            rules.extra_hops = extra;
            for (const char* const name : {"OAS", "AOG"})
              problems.push_back(make_collective(graph, name, {}, rules));
          }
        }
      }
    }
  }
  return problems;
}

TEST(ScatterFlowSolver, AgreesWithTryingAllPaths) {
  for (const Problem& problem : under_all_rules({"ring:5", "mesh:2x3", "kautz:b=2,n=2,oriented=1", "btree:4",
                                                 "fat:2,ring:3", "random:switches=5,links=9,parallel=1"})) {
    SCOPED_TRACE(fmt::format("{}, {} nodes, {} ports, {} hops longer", problem.collective,
                             problem.graph->node_count(), problem.send_ports, problem.extra_hops));
    const Problem scatter = problem.is_gather() ? time_reversed(problem) : problem;
    const Solution found = run(problem);
    EXPECT_EQ(found.steps, testing::BruteForce(scatter).least_steps());
    EXPECT_EQ(found.fewest, found.steps);
    EXPECT_TRUE(check_schedule(problem, found.schedule).valid());
  }
}

/// Of any receivers: the steps are those of the flow bound.
TEST(ScatterFlowSolver, AgreesWithTheFlowBound) {
  Random random(7);
  for (const char* const spec :
       {"torus:5x5", "kautz:b=2,n=4,oriented=1", "mesh:3x3x3", "spidergon:18",
        "random:switches=20,links=30,parallel=1", "xgft:m=4x3,w=2x2", "jellyfish:routers=30,degree=5"}) {
    for (const LinkClass links : {LinkClass::full_duplex, LinkClass::half_duplex}) {
      const auto graph = testing::graph_of(spec, {.links = links});
      for (int trial = 0; trial < 12; ++trial) {
        std::vector<NodeId> ends;
        for (const NodeId n : graph->nodes()) {
          if (graph->has_endpoint(n) && random.below(3) > 0) ends.push_back(n);
        }
        std::vector<MessageEnds> messages;
        for (const NodeId n : ends)
          messages.push_back({ends[static_cast<std::size_t>(trial) % ends.size()], n});
        ProblemRules rules;
        rules.send_ports = random.below(2) == 0 ? Problem::kAllPorts : 1 + random.below(4);
        rules.extra_hops = random.below(2) == 0 ? Problem::kAnyLength : 0;
        const Problem problem = make_problem("MNS", graph, Delivery::scatter, messages, rules);
        SCOPED_TRACE(fmt::format("{}, trial {}", spec, trial));
        const Solution found = run(problem);
        ScatterFlow flow(problem, 0);
        EXPECT_EQ(found.steps, flow.least_steps());
        EXPECT_EQ(found.conflicts, 0U);
        EXPECT_TRUE(check_schedule(problem, found.schedule).valid());
        if (links == LinkClass::full_duplex && !graph->has_terminal_nodes()) {
          const Network network = make_network(spec);
          EXPECT_TRUE(testing::ReferenceChecker(network, problem).valid(found.schedule));
        }
      }
    }
  }
}

TEST(ScatterFlowSolver, TakesLongSchedules) {
  const Problem problem = testing::problem_on("mesh:40x40", "AOG");
  const Solution found = run(problem);
  EXPECT_EQ(found.steps, 800U);
  EXPECT_TRUE(check_schedule(problem, found.schedule).valid());
}

TEST(ScatterFlowSolver, RefusesOtherProblems) {
  const auto refuses = find_solver("scatter-flow").unsuitable;
  EXPECT_EQ(refuses(testing::problem_on("ring:5", "AAS")), "messages of several sources are no single flow");
  EXPECT_EQ(refuses(testing::problem_on("ring:5", "OAB")), "it is no scatter and no gather");
  EXPECT_EQ(refuses(testing::problem_on("ring:5", "AOR")), "it is no scatter and no gather");
  EXPECT_EQ(refuses(testing::problem_on("ring:5", "OAS")), "");
  EXPECT_EQ(refuses(testing::problem_on("ring:5", "AOG")), "");
  EXPECT_THROW(run(testing::problem_on("ring:5", "AAS")), InputError);
}

TEST(FlowDivision, GivesEveryStepItsEvenShare) {
  const auto graph = testing::graph_of("hypercube:4");
  for (std::uint32_t steps = 4; steps <= 9; ++steps) {
    const Problem problem = testing::problem_on("hypercube:4", "OAS");
    ScatterFlow flow(problem, 0);
    ASSERT_TRUE(flow.feasible(steps));
    ScatterShare all;
    std::vector<std::uint32_t> amount(graph->arc_count(), 0), sum(graph->arc_count(), 0);
    for (const ArcId a : graph->arcs()) {
      amount[a.value] = static_cast<std::uint32_t>(flow.flow(a));
      if (amount[a.value] > 0) all.arcs.push_back({a, amount[a.value]});
    }
    all.ends.assign(problem.partner.begin(), problem.partner.end());
    std::set<NodeId> ends;
    std::uint32_t next = 0;
    divide_flow(*graph, NodeId(0), all, steps, [&](std::uint32_t step, const ScatterShare& share) {
      EXPECT_EQ(step, next++);
      EXPECT_GE(share.ends.size(), 15 / steps);
      EXPECT_LE(share.ends.size(), 15 / steps + 1);
      for (const NodeId n : share.ends) EXPECT_TRUE(ends.insert(n).second);
      for (const auto& [arc, some] : share.arcs) {
        sum[arc.value] += some;
        EXPECT_LE(some, 1U);
      }
    });
    EXPECT_EQ(next, steps);
    EXPECT_EQ(sum, amount);
    EXPECT_EQ(ends.size(), 15U);
  }
}

TEST(FlowDivision, RejectsWhatIsNoFlow) {
  const auto graph = testing::graph_of("ring:4");
  ScatterShare broken;
  broken.arcs.push_back({graph->find(NodeId(1), NodeId(2)), 3});
  broken.ends = testing::nodes({3});
  EXPECT_THROW(divide_flow(*graph, NodeId(0), broken, 2, [](std::uint32_t, const ScatterShare&) {}),
               std::logic_error);
}

TEST(FlowPaths, CancelsCirclesAndKeepsTheRest) {
  const auto graph = testing::graph_of("mesh:3x3");
  std::vector<std::uint32_t> flow(graph->arc_count(), 0);
  const auto add = [&](std::initializer_list<std::uint32_t> path) {
    std::uint32_t before = NodeId::kNone;
    for (const std::uint32_t n : path) {
      if (before != NodeId::kNone) ++flow[graph->find(NodeId(before), NodeId(n)).value];
      before = n;
    }
  };
  add({0, 1, 4, 3, 0});  // a circle
  add({4, 5, 4});        // back and forth
  add({0, 1, 2, 5, 8});
  add({6, 7, 8});
  FlowPaths paths(*graph);
  paths.cancel_circles(flow);
  std::uint32_t hops = 0;
  for (const std::uint32_t amount : flow) hops += amount;
  EXPECT_EQ(hops, 6U);
  std::set<std::pair<std::uint32_t, std::uint32_t>> ends;
  const std::vector<NodeId> starts{NodeId(0), NodeId(3), NodeId(6)};
  paths.split(flow, starts, [&](std::span<const NodeId> path) {
    ends.emplace(path.front().value, path.back().value);
    hops -= static_cast<std::uint32_t>(path.size()) - 1;
  });
  EXPECT_EQ(hops, 0U);
  EXPECT_EQ(ends.size(), 2U);
  EXPECT_EQ(ends.begin()->first, 0U);
  EXPECT_EQ(ends.rbegin()->first, 6U);
  EXPECT_EQ(flow, std::vector<std::uint32_t>(graph->arc_count(), 0));
}

}  // namespace
}  // namespace unknot
