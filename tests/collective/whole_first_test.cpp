// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/repair/whole_first.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "collective/reference_checker.hpp"
#include "collective/schedules.hpp"
#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/check/checker.hpp"
#include "unknot/collective/model/fault_impact.hpp"
#include "unknot/collective/packing/fewer_steps.hpp"
#include "unknot/network/faults.hpp"

namespace unknot {
namespace {

bool same(const Schedule& a, const Schedule& b) {
  if (a.step_count() != b.step_count() || a.transfer_count() != b.transfer_count()) return false;
  for (std::uint32_t s = 0; s < a.step_count(); ++s) {
    if (a.step_end(s) != b.step_end(s)) return false;
  }
  for (std::uint32_t t = 0; t < a.transfer_count(); ++t) {
    if (!std::ranges::equal(a.path(t), b.path(t))) return false;
  }
  return true;
}

/// A message a step, along a shortest path.
Schedule one_by_one(const Problem& problem) {
  const NodeGraph& graph = *problem.graph;
  Schedule schedule;
  std::vector<std::uint32_t> hops;
  for (std::uint32_t g = 0; g < problem.groups(); ++g) {
    for (const NodeId partner : problem.partners(g)) {
      graph.distances_to(partner, hops);
      std::vector<NodeId> path{problem.owner[g]};
      while (path.back() != partner) {
        for (const ArcId a : graph.out(path.back())) {
          if (hops[graph.head(a).value] + 1 != hops[path.back().value]) continue;
          path.push_back(graph.head(a));
          break;
        }
      }
      schedule.add_step();
      schedule.add(problem.owner[g], path);
    }
  }
  return schedule;
}

struct Fewest {
  const char* spec;
  LinkClass links;
  std::uint32_t ports;
  std::uint32_t steps;
};

/// From a message a step down to the bound, which nothing undercuts.
TEST(FewerSteps, TakesStepsOutDownToTheBound) {
  constexpr std::uint32_t kAll = Problem::kAllPorts;
  for (const Fewest& one :
       std::vector<Fewest>{{"petersen", LinkClass::full_duplex, kAll, 5},
                           {"mesh:3x3", LinkClass::full_duplex, kAll, 6},
                           {"jellyfish:routers=16,degree=4,p=1", LinkClass::full_duplex, kAll, 9},
                           {"ring:5", LinkClass::half_duplex, kAll, 6},
                           {"full-mesh:5", LinkClass::full_duplex, 1, 4}}) {
    const auto graph = testing::graph_of(one.spec, {.links = one.links});
    ProblemRules rules;
    rules.send_ports = rules.receive_ports = one.ports;
    const Problem problem = make_collective(graph, "AAS", {}, rules);
    const std::uint32_t bound = lower_bound(problem).steps;
    const Schedule begin = one_by_one(problem);
    ASSERT_TRUE(check_schedule(problem, begin).valid());
    const auto never = [] { return false; };
    const Schedule found = fewer_steps(problem, begin, {bound, 20'000'000, 1}, never);
    EXPECT_TRUE(check_schedule(problem, found).valid()) << one.spec;
    if (one.links == LinkClass::full_duplex && one.ports == kAll) {
      EXPECT_TRUE(testing::ReferenceChecker(make_network(one.spec), problem).valid(found)) << one.spec;
    }
    EXPECT_LE(found.step_count(), one.steps) << one.spec << ", at least " << bound;
    EXPECT_TRUE(same(found, fewer_steps(problem, begin, {bound, 20'000'000, 1}, never))) << one.spec;
  }
}

TEST(FewerSteps, BeginsWithWhatFitsFirst) {
  for (const char* spec : {"mesh:4x4", "petersen", "jellyfish:routers=24,degree=4,p=1", "btree:8"}) {
    const Problem problem = testing::problem_on(spec, "AAS");
    const std::uint32_t bound = lower_bound(problem).steps;
    const auto found = first_fit(problem, bound, 1);
    ASSERT_TRUE(found) << spec;
    EXPECT_TRUE(check_schedule(problem, *found).valid()) << spec;
    EXPECT_LE(found->step_count(), bound + bound / 2 + 1) << spec;
    EXPECT_TRUE(same(*found, *first_fit(problem, bound, 1))) << spec;
  }
  const auto half = testing::graph_of("ring:5", {.links = LinkClass::half_duplex});
  EXPECT_FALSE(first_fit(make_collective(half, "AAS"), 1, 1));
}

TEST(FewerSteps, LeavesWhatItIsToldToLeave) {
  const Problem problem = testing::problem_on("mesh:3x3", "AAS");
  const Schedule begin = one_by_one(problem);
  const auto never = [] { return false; };
  EXPECT_TRUE(same(fewer_steps(problem, begin, {1, 0, 1}, never), begin));
  EXPECT_TRUE(same(fewer_steps(problem, begin, {begin.step_count(), 1'000'000, 1}, never), begin));
  EXPECT_TRUE(same(fewer_steps(problem, begin, {1, 1'000'000, 1}, [] { return true; }), begin));
  EXPECT_EQ(fewer_steps(problem, begin, {40, 10'000'000, 1}, never).step_count(), 40U);
}

struct Damaged {
  Network network;
  Problem left;
  WholeNetwork whole;

  Damaged(const char* spec, const char* faults, const char* collective)
      : network(make_network(spec)),
        left(problem_of(with_faults(network, parse_faults(network, faults)), collective)),
        whole{problem_of(network, collective), {}} {
    const Network after = with_faults(network, parse_faults(network, faults));
    whole.numbers = node_numbers(*whole.problem.graph, *left.graph, compare_networks(network, after));
  }
  static Problem problem_of(const Network& network, const char* collective) {
    return make_collective(std::make_shared<const NodeGraph>(network), collective);
  }
};

TEST(WholeFirst, MendsSchedulesOfTheWholeNetwork) {
  for (const char* collective : {"AAS", "AAB", "AAR"}) {
    const Damaged given("torus:6x6", "cable-count=1,seed=3", collective);
    Progress silent;
    SolveOptions options;
    options.lower_bound = lower_bound(given.left).steps;
    const auto found = solve_whole_first(given.whole, given.left, 100, 50, options, silent);
    ASSERT_TRUE(found) << collective;
    EXPECT_TRUE(check_schedule(given.left, found->schedule).valid()) << collective;
    EXPECT_EQ(found->steps, found->schedule.step_count());
    EXPECT_LE(found->steps, options.lower_bound + 2) << collective;
    EXPECT_FALSE(solve_whole_first(given.whole, given.left, found->steps, 50, options, silent)) << collective;
  }
}

/// Another root has other messages: what was mended would not be what is asked for.
TEST(WholeFirst, HasNothingToSayOfAnotherCollective) {
  Damaged given("torus:4x4", "cable-count=1,seed=1", "OAS");
  Participants who;
  who.root = NodeId(5);
  given.left = make_collective(given.left.graph, "OAS", who);
  Progress silent;
  EXPECT_FALSE(solve_whole_first(given.whole, given.left, 100, 10, {}, silent));
}

}  // namespace
}  // namespace unknot
