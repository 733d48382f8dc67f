// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/solvers/nested_solver.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "collective/brute_force.hpp"
#include "collective/reference_checker.hpp"
#include "collective/schedules.hpp"
#include "effort.hpp"
#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/check/checker.hpp"
#include "unknot/collective/nested/part_deadlines.hpp"
#include "unknot/collective/nested/plan_enumeration.hpp"
#include "unknot/collective/paths/path_packer.hpp"
#include "unknot/collective/paths/receiver_centres.hpp"
#include "unknot/collective/paths/terminal_centres.hpp"
#include "unknot/collective/solvers/solver.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kAny = Problem::kAnyLength;

Solution run(const Problem& problem, const SolveOptions& options = {}, const char* spec = "nested-flows") {
  Progress silent;
  return solve(problem, spec, options, silent);
}

Problem from_root(const std::string& spec, std::uint32_t root, std::uint32_t extra_hops = kAny,
                  const char* collective = "OAB", std::uint32_t ports = Problem::kAllPorts,
                  const NodeGraphOptions& options = {}) {
  ProblemRules rules;
  rules.extra_hops = extra_hops;
  rules.send_ports = rules.receive_ports = ports;
  Participants who;
  who.root = NodeId(root);
  return make_collective(testing::graph_of(spec, options), collective, who, rules);
}

struct Known {
  const char* spec;
  std::uint32_t root, extra_hops, steps;
};

/// Steps that are known to be the fewest; rings of 3^k and tori of 5^k nodes leave no channel idle.
TEST(NestedFlowsSolver, ReachesTheFewestSteps) {
  for (const Known& row : std::initializer_list<Known>{{"hypercube:8", 0, 0, 3},
                                                       {"hypercube:9", 0, 0, 3},
                                                       {"hypercube:10", 0, kAny, 3},
                                                       {"ring:27", 0, 0, 3},
                                                       {"ring:81", 0, 0, 4},
                                                       {"torus:5x5", 0, 0, 2},
                                                       {"torus:9x9", 0, 0, 3},
                                                       {"torus:11x11", 0, kAny, 3},
                                                       {"mesh:4x4", 5, kAny, 2},
                                                       {"mesh:9x9", 40, 0, 3},
                                                       {"mesh:10x10", 0, 0, 4},
                                                       {"mesh:10x10", 5, kAny, 4},
                                                       {"mesh:10x10", 55, 0, 3},
                                                       {"spidergon:64", 0, kAny, 3},
                                                       {"kautz:b=3,n=3,oriented=1", 0, kAny, 3},
                                                       {"levi", 0, kAny, 3},
                                                       {"uniring:64", 0, kAny, 6},
                                                       {"fulltree:255", 0, kAny, 7},
                                                       {"mesh:1x81", 40, 0, 4},
                                                       {"midimew:8", 0, 0, 2},
                                                       {"fat:2,hypercube:5", 32, 0, 6},
                                                       {"fat:4,spidergon:8", 8, 0, 5},
                                                       {"btree:32", 31, 0, 5},
                                                       {"slimfly:q=5", 0, 0, 2},
                                                       {"xgft:m=8x8,w=1x2", 74, 0, 9}}) {
    SCOPED_TRACE(fmt::format("{} from {}, {} hops longer", row.spec, row.root, row.extra_hops));
    for (const char* const collective : {"OAB", "AOR"}) {
      const Problem problem = from_root(row.spec, row.root, row.extra_hops, collective);
      if (fewer_cases() && problem.messages() > 40) continue;  // the smaller ones lead through the same code
      const Solution found = run(problem, {.lower_bound = lower_bound(problem).steps});
      EXPECT_EQ(found.steps, row.steps) << collective;
      EXPECT_EQ(found.fewest, row.steps) << collective;
      EXPECT_EQ(found.conflicts, 0U);
      EXPECT_TRUE(check_schedule(problem, found.schedule).valid());
    }
  }
}

/// Fewer steps than these have no schedule, though the bounds of the catalogue are lower.
TEST(NestedFlowsSolver, ProvesThatThereIsNone) {
  for (const Known& row : std::initializer_list<Known>{
           {"mesh:5x5", 12, 0, 3}, {"mesh:5x5", 12, kAny, 3}, {"fulltree:63", 62, kAny, 5}}) {
    SCOPED_TRACE(fmt::format("{} from {}", row.spec, row.root));
    const Problem problem = from_root(row.spec, row.root, row.extra_hops);
    EXPECT_LT(lower_bound(problem).steps, row.steps);
    const Solution none = run(problem, {.steps = row.steps - 1});
    EXPECT_TRUE(none.impossible);
    EXPECT_EQ(none.fewest, row.steps);
    EXPECT_GT(none.conflicts, 0U);
    EXPECT_EQ(none.schedule.step_count(), row.steps - 1);
    EXPECT_EQ(check_schedule(problem, none.schedule).of(ViolationKind::missing), none.conflicts);
    EXPECT_EQ(run(problem).steps, row.steps);
  }
}

/// What it finds and what it proves is what all paths give, under every rule.
TEST(NestedFlowsSolver, AgreesWithTryingAllPaths) {
  for (const char* const spec : {"ring:5", "mesh:2x3", "kautz:b=2,n=2,oriented=1", "btree:4", "mesh:1x5",
                                 "random:switches=5,links=6,parallel=1", "fulltree:6"}) {
    for (const LinkClass links : {LinkClass::full_duplex, LinkClass::half_duplex}) {
      for (const std::uint32_t ports : {1U, 2U, Problem::kAllPorts}) {
        for (const std::uint32_t extra : {0U, 1U, 2U, kAny}) {
          const auto graph = testing::graph_of(spec, {.links = links});
          const std::uint32_t root = graph->has_terminal_nodes() ? graph->router_count() : ports % 3;
          SCOPED_TRACE(fmt::format("{} from {}, {} ports, {} hops longer", spec, root, ports, extra));
          const Problem problem = from_root(spec, root, extra, "OAB", ports, {.links = links});
          const Solution found = run(problem);
          EXPECT_EQ(found.steps, testing::BruteForce(problem).least_steps());
          EXPECT_LE(found.fewest, found.steps);
          EXPECT_TRUE(extra != kAny || found.fewest == found.steps);
          EXPECT_TRUE(check_schedule(problem, found.schedule).valid());
          if (links == LinkClass::full_duplex && !graph->has_terminal_nodes()) {
            const Network network = make_network(spec);
            EXPECT_TRUE(testing::ReferenceChecker(network, problem).valid(found.schedule));
          }
        }
      }
    }
  }
}

TEST(NestedFlowsSolver, IsTheSameForTheSameSeed) {
  const Problem problem = from_root("torus:11x11", 0, 0);
  const Solution one = run(problem, {.lower_bound = 3, .seed = 5, .threads = 1});
  EXPECT_EQ(run(problem, {.lower_bound = 3, .seed = 5, .threads = 2}).schedule, one.schedule);
  EXPECT_NE(run(problem, {.lower_bound = 3, .seed = 6}).schedule, one.schedule);
}

TEST(NestedFlowsSolver, EndsWithItsEffortAndWithTheTime) {
  const Problem problem = from_root("torus:25x25", 0);
  const Solution little = run(problem, {.steps = 4}, "nested-flows:effort=1");
  EXPECT_GT(little.conflicts, 0U);
  EXPECT_EQ(little.schedule.step_count(), 4U);
  EXPECT_FALSE(little.out_of_time);
  const Solution hurried = run(problem, {.steps = 4, .seconds = 1e-6}, "nested-flows:effort=4000000000");
  EXPECT_TRUE(hurried.out_of_time);
  EXPECT_FALSE(hurried.impossible);
}

class Impatient : public Progress {
 public:
  [[nodiscard]] bool interrupted() const override { return true; }
};

TEST(NestedFlowsSolver, EndsWhenTheUserWantsToStop) {
  Impatient user;
  EXPECT_THROW((void)solve(from_root("ring:81", 0), "nested-flows", {.steps = 4}, user), Interrupted);
  EXPECT_THROW((void)solve(from_root("ring:80", 0, kAny, "OAS"), "scatter-flow", {}, user), Interrupted);
}

TEST(NestedFlowsSolver, RefusesOtherProblems) {
  const auto refuses = find_solver("nested-flows").unsuitable;
  EXPECT_EQ(refuses(testing::problem_on("ring:5", "AAB")), "there is more than one message to spread");
  EXPECT_EQ(refuses(testing::problem_on("ring:5", "AAR")), "there is more than one message to spread");
  EXPECT_EQ(refuses(testing::problem_on("ring:5", "OAS")), "it is no broadcast and no reduction");
  EXPECT_EQ(refuses(testing::problem_on("ring:5", "AOR")), "");
  EXPECT_THROW(run(testing::problem_on("ring:5", "OAB"), {}, "nested-flows:effort=0"), InputError);
}

/// The owner's message goes to some of the nodes only, and only these pass it on.
TEST(NestedFlowsSolver, LeavesOutWhoTakesNoPart) {
  const auto graph = testing::graph_of("torus:6x6");
  std::vector<MessageEnds> messages;
  for (std::uint32_t n = 1; n < 36; n += 3) messages.push_back({NodeId(0), NodeId(n)});
  const Problem problem = make_problem("MNB", graph, Delivery::broadcast, messages);
  const Solution found = run(problem);
  EXPECT_EQ(found.steps, 2U);
  EXPECT_EQ(found.schedule.transfer_count(), 12U);
  EXPECT_TRUE(check_schedule(problem, found.schedule).valid());
}

TEST(StepFlow, InformsLargestSets) {
  // Out of a corner of a mesh lead two channels; once it has them in use, all else is cut off.
  const Problem problem = from_root("mesh:3x3", 0);
  StepFlow flow(problem);
  flow.add_sender(NodeId(0));
  EXPECT_EQ(flow.spare(), 2U);
  EXPECT_TRUE(flow.inform(NodeId(8)));
  StepFlow::State state;
  flow.save(state);
  EXPECT_TRUE(flow.inform(NodeId(1)));
  EXPECT_FALSE(flow.inform(NodeId(3)));
  EXPECT_EQ(flow.spare(), 0U);
  flow.restore(state);
  EXPECT_TRUE(flow.inform(NodeId(3)));
  // Four channels lead out of three nodes; two paths go through receivers, or not, as it suits the others.
  flow.clear();
  for (const std::uint32_t n : {0U, 1U, 3U}) flow.add_sender(NodeId(n));
  for (const std::uint32_t n : {2U, 4U, 5U, 6U}) EXPECT_TRUE(flow.inform(NodeId(n))) << n;
  EXPECT_FALSE(flow.inform(NodeId(8)));
  EXPECT_TRUE(flow.is_cut_off(NodeId(8)));
}

TEST(PathPacker, FindsPathsThatShareNothing) {
  // From both ends of a row to the middle row: shortest paths, on half-duplex cables each used once.
  const Problem problem = from_root("mesh:4x4", 0, 0, "OAB", 2, {.links = LinkClass::half_duplex});
  PathPacker packer(problem);
  const auto senders = testing::nodes({0, 15, 3, 12});
  const auto receivers = testing::nodes({5, 6, 9, 10, 1, 14, 7, 8});
  ASSERT_TRUE(packer.pack(senders, receivers, 50));
  std::set<std::uint32_t> links;
  std::vector<std::uint32_t> hops;
  for (std::size_t i = 0; i < receivers.size(); ++i) {
    const auto path = packer.path(i);
    EXPECT_EQ(path.back(), receivers[i]);
    problem.graph->distances_from(path.front(), hops);
    EXPECT_EQ(path.size() - 1, hops[receivers[i].value]);
    for (std::size_t j = 1; j < path.size(); ++j)
      EXPECT_TRUE(links.insert(problem.graph->link(problem.graph->find(path[j - 1], path[j]))).second);
  }
  EXPECT_FALSE(packer.pack(testing::nodes({0}), testing::nodes({1, 4, 5}), 50));
}

TEST(ReceiverCentres, CutsARingIntoEqualParts) {
  const Problem problem = from_root("ring:81", 0);
  ReceiverCentres centres(problem);
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    Random random(seed);
    const auto span = centres.choose(testing::nodes({0}), true, random);
    std::vector<NodeId> chosen(span.begin(), span.end());
    std::sort(chosen.begin(), chosen.end());
    EXPECT_EQ(chosen, testing::nodes({27, 54}));
  }
}

TEST(ReceiverCentres, FillsTreesEvenly) {
  // 8 pods of 8 leaves with 8 terminals: after 3 steps one in each pod, after 6 one below each leaf.
  const Problem problem = testing::problem_on("xgft:m=8x8,w=1x2", "OAB");
  TerminalCentres centres(problem);
  Random random(1);
  std::vector<NodeId> informed{problem.owner[0]};
  for (int step = 1; step <= 6; ++step) {
    const auto chosen = centres.choose(informed, random);
    informed.insert(informed.end(), chosen.begin(), chosen.end());
    EXPECT_EQ(informed.size(), 1U << step);
  }
  std::set<NodeId> leaves;
  for (const NodeId n : informed) leaves.insert(problem.graph->head(problem.graph->out(n)[0]));
  EXPECT_EQ(leaves.size(), 64U);
}

TEST(PartDeadlines, HoldForTrees) {
  // Of 7 nodes below one, 5 at most have the message two steps after it came in, and there are 7 such parts
  // beside that of the owner: too many for the 6 nodes that can have it after the second of 4 steps.
  EXPECT_EQ(steps_of_parts(from_root("fulltree:63", 62), 20), 5U);
  EXPECT_EQ(steps_of_parts(from_root("fulltree:63", 62), 3), 4U);
  EXPECT_EQ(steps_of_parts(from_root("ring:81", 0), 20), 4U);
  EXPECT_EQ(steps_of_parts(from_root("ring:82", 0), 20), 5U);
}

/// On trees and nearly trees, from every node: never more than the fewest steps there are.
TEST(PartDeadlines, NeverExceedTheFewestSteps) {
  std::uint32_t reached = 0, all = 0;
  for (const char* const spec : {"random:switches=6,links=5,seed=1", "random:switches=6,links=5,seed=2",
                                 "random:switches=7,links=6,seed=3", "random:switches=6,links=6,seed=4",
                                 "fulltree:7", "mesh:1x7", "uniring:5"}) {
    for (const std::uint32_t ports : {1U, Problem::kAllPorts}) {
      for (const NodeId root : testing::graph_of(spec)->nodes()) {
        const Problem problem = from_root(spec, root.value, kAny, "OAB", ports);
        const std::uint32_t fewest = testing::BruteForce(problem).least_steps();
        EXPECT_LE(steps_of_parts(problem, 10), fewest) << spec << " from " << root.value;
        reached += steps_of_parts(problem, 10) == fewest ? 1 : 0;
        ++all;
      }
    }
  }
  EXPECT_GT(reached, all * 3 / 4);
}

TEST(PlanEnumeration, GivesUpWhereThereAreTooMany) {
  InformPlan plan;
  const auto never = [] { return false; };
  const Problem large = from_root("mesh:10x10", 0);
  EXPECT_EQ(PlanEnumeration(large, 3).run(1000, never, plan), PlanEnumeration::Outcome::too_many);
  const Problem small = from_root("mesh:3x3", 4);
  EXPECT_EQ(PlanEnumeration(small, 1).run(1000, never, plan), PlanEnumeration::Outcome::none);
  EXPECT_EQ(PlanEnumeration(small, 2).run(
                1'000'000, [] { return true; }, plan),
            PlanEnumeration::Outcome::too_many);
  ASSERT_EQ(PlanEnumeration(small, 2).run(1'000'000, never, plan), PlanEnumeration::Outcome::found);
  EXPECT_EQ(plan.step[0].size() + plan.step[1].size(), 8U);
  EXPECT_EQ(plan.missing(), 0U);
}

}  // namespace
}  // namespace unknot
