// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <functional>

#include "collective/bandwidth/sample_networks.hpp"
#include "collective/priced/tree_judges.hpp"
#include "unknot/collective/bandwidth/bandwidth_optimum.hpp"
#include "unknot/collective/bandwidth/forest_check.hpp"
#include "unknot/collective/priced/make_trees.hpp"
#include "unknot/collective/priced/reduce_bound.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

using testing::bandwidth_problem;
using testing::routers_graph;
using testing::sample_network;

struct Made {
  TreeFlow flow;
  WholeTrees trees;
};

/// By prices, and what is made is played on symbols beside the checker.
Made made(std::span<const BandwidthProblem> groups, const Fraction& enough, std::uint32_t threads = 1) {
  Progress progress;
  Made all{pack_trees(groups, {.enough = enough.value(), .threads = threads}, progress), {}};
  all.trees = whole_trees(groups, all.flow, enough, 0.01);
  const testing::Played played = testing::play_forest(groups, all.trees.forest);
  EXPECT_EQ(played.fault, "");
  EXPECT_EQ(played.time, all.trees.verdict.time);
  return all;
}

std::vector<BandwidthProblem> groups_on(const std::shared_ptr<const NodeGraph>& graph, const char* collective,
                                        std::vector<std::vector<NodeId>> groups,
                                        std::vector<std::uint32_t> sizes = {}) {
  Participants who;
  who.groups = std::move(groups);
  return make_bandwidth_groups(graph, collective, who, {}, sizes);
}

TreeBound bound_of(std::span<const BandwidthProblem> groups, const TreeFlow& flow) {
  return best_tree_bound(groups, flow, {});
}

TEST(TreesOfGroups, BoundIsTheLeastTimeOfTheProgramByFlowsAndIsReached) {
  Random random(2402);
  for (int i = 0; i < 24; ++i) {
    const testing::SampleShape shape{
        4 + random.below(2), random.below(3), random.below(8), i % 3 == 2,
        i % 3 == 1 ? testing::SampleCapacities::each_its_own : testing::SampleCapacities::none};
    const Network network = sample_network(shape, random);
    const auto graph = routers_graph(network);
    std::vector<std::vector<NodeId>> groups(2);
    for (std::uint32_t n = 0; n < shape.members; ++n) groups[n % 2].emplace_back(n);
    for (const char* collective : {"all-gather", "broadcast", "reduce-scatter", "all-reduce"}) {
      const std::string name = "case " + std::to_string(i) + " " + collective;
      const std::vector<BandwidthProblem> problems =
          groups_on(graph, collective, groups, {1, 1 + random.below(3)});
      const Made all = made(problems, {});
      const TreeBound bound = bound_of(problems, all.flow);
      const double least = testing::least_time_by_flows(problems);
      EXPECT_NEAR(bound.time().value(), least, least * 2e-4) << name;
      EXPECT_NEAR(all.flow.time, least, least * 2e-4) << name;
      EXPECT_GE(all.trees.verdict.time, bound.time()) << name;
      EXPECT_LE(all.trees.verdict.time.value(), bound.time().value() * 1.0101) << name;
    }
  }
}

TEST(TreesOfGroups, LengthsOfAnySortBound) {
  const Network network = make_network("mesh:3x3");
  const std::vector<BandwidthProblem> problems = groups_on(
      routers_graph(network), "all-gather", {{NodeId(0), NodeId(1), NodeId(5)}, {NodeId(3), NodeId(7)}});
  const double least = testing::least_time_by_flows(problems);
  Random random(3);
  for (int i = 0; i < 100; ++i) {
    std::vector<std::uint32_t> length(problems.front().graph->arc_count());
    for (std::uint32_t& one : length) one = random.below(5);
    length[0] += 1;
    EXPECT_LE(count_tree_lengths(problems, length).time().value(), least * (1 + 1e-9));
  }
}

/// Four rows of a torus: twelve deliveries over the eight channels of each; ways around by columns pass a
/// channel of another row.
TEST(TreesOfGroups, KnownValues) {
  const auto torus = routers_graph(make_network("torus:4x4"));
  std::vector<std::vector<NodeId>> rows(4);
  for (std::uint32_t n = 0; n < 16; ++n) rows[n / 4].emplace_back(n);
  const auto expect_time = [&](const char* collective, const char* time) {
    const std::vector<BandwidthProblem> problems = groups_on(torus, collective, rows);
    const TreeBound bound = bound_of(problems, made(problems, {}).flow);
    EXPECT_EQ(bound.time().text(), time);
    EXPECT_FALSE(bound.of_trees_only);
    EXPECT_EQ(made(problems, bound.time()).trees.verdict.time.text(), time);
  };
  expect_time("all-gather", "3/2");
  expect_time("all-reduce", "3");
  expect_time("broadcast", "1/2");
}

TEST(TreesOfGroups, TheSameAtAnyNumberOfThreads) {
  const auto graph = routers_graph(make_network("jellyfish:routers=24,degree=4,p=1"));
  std::vector<std::vector<NodeId>> groups(3);
  for (std::uint32_t n = 0; n < 24; ++n) groups[n % 3].emplace_back(n);
  const std::vector<BandwidthProblem> problems = groups_on(graph, "all-gather", groups);
  const Made one = made(problems, {}, 1), three = made(problems, {}, 3);
  EXPECT_EQ(one.trees.forest.way_nodes, three.trees.forest.way_nodes);
  EXPECT_EQ(one.flow.prices, three.flow.prices);
  const TreeBound bound = bound_of(problems, one.flow);
  EXPECT_LE(one.trees.verdict.time.value(), bound.time().value() * 1.01);
}

TEST(TreesOfGroups, RefusesWhatIsNoGroups) {
  const auto graph = routers_graph(make_network("ring:6"));
  const auto expect_refused = [&](std::vector<std::vector<NodeId>> groups, const char* words) {
    try {
      (void)groups_on(graph, "all-gather", std::move(groups));
      ADD_FAILURE() << words;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr(words));
    }
  };
  expect_refused({{NodeId(0), NodeId(1)}, {NodeId(1), NodeId(2)}}, "node 1 is of groups 0 and 1");
  expect_refused({{NodeId(0)}, {NodeId(2)}}, "no group has two nodes");
  expect_refused({{NodeId(0), NodeId(9)}}, "there is no node 9");
  EXPECT_EQ(groups_on(graph, "all-gather", {{NodeId(0)}, {NodeId(2), NodeId(4)}}).size(), 1U);
  EXPECT_THROW(
      (void)groups_on(graph, "all-gather", {{NodeId(0), NodeId(1)}, {NodeId(2), NodeId(4)}}, {1, 2, 3}),
      InputError);
}

TEST(UnevenAllReduce, NoSumAlongTreesIsQuickerAndBoundsHold) {
  Random random(1961);
  for (int i = 0; i < 30; ++i) {
    const testing::SampleShape shape{2 + random.below(4), random.below(3), random.below(8), i % 2 == 0,
                                     testing::SampleCapacities::each_its_own};
    const Network network = sample_network(shape, random);
    const BandwidthProblem problem = bandwidth_problem(network, "all-reduce");
    if (!problem.graph->first_uneven().valid()) continue;
    Progress progress;
    const ReduceBound bound = reduce_bound(problem, progress);
    const Made all = made({&problem, 1}, bound.time());
    const double least = testing::least_time_by_flows({&problem, 1});
    EXPECT_NEAR(all.flow.time, least, least * 5e-3) << i;
    EXPECT_LE(bound.time().value(), least * (1 + 1e-9)) << i;
    EXPECT_LE(all.trees.verdict.time.value(), all.flow.time * 1.0101) << i;
  }
}

TEST(UnevenAllReduce, OnEvenLinksBothOptimaAreTheSame) {
  Random random(1980);
  for (int i = 0; i < 20; ++i) {
    const Network network = sample_network({2 + random.below(4), random.below(3), random.below(8)}, random);
    const BandwidthProblem problem = bandwidth_problem(network, "all-reduce");
    Progress progress;
    const Fraction optimum = all_reduce_optimum(problem, progress).proof.time();
    EXPECT_NEAR(testing::least_time_by_flows({&problem, 1}), optimum.value(), optimum.value() * 1e-6) << i;
    const Made all = made({&problem, 1}, optimum);
    EXPECT_LE(all.trees.verdict.time.value(), optimum.value() * 1.0101) << i;
    EXPECT_LE(bound_of({&problem, 1}, all.flow).time(), optimum) << i;
  }
}

BandwidthProblem with_powers(const Network& network, const char* collective, const SwitchPowers& powers) {
  BandwidthProblem problem = bandwidth_problem(network, collective);
  set_powers(powers, problem);
  return problem;
}

/// Brute force: the narrowest of all cuts.
Fraction narrowest_cut(const BandwidthProblem& problem) {
  Fraction most;
  for (std::uint32_t set = 1; set + 1 < 1U << problem.graph->node_count(); ++set) {
    std::vector<NodeId> inside;
    for (const NodeId n : problem.graph->nodes()) {
      if ((set >> n.value & 1U) != 0) inside.push_back(n);
    }
    const BandwidthCut cut = count_separating_cut(problem, inside);
    if (cut.shares > 0) most = std::max(most, cut.time());
  }
  return most;
}

TEST(BranchingSwitches, AllReduceIsBoundedByTheNarrowestCutAndNearTheBestOfAllTrees) {
  Random random(2020);
  double worst = 1;
  for (int i = 0; i < 60; ++i) {
    const testing::SampleShape shape{
        2 + random.below(3), 1 + random.below(2), random.below(5), i % 3 == 2,
        i % 3 == 1 ? testing::SampleCapacities::same_both_ways : testing::SampleCapacities::none};
    const BandwidthProblem problem =
        with_powers(sample_network(shape, random), "all-reduce", {.copy = true, .sum = true});
    Progress progress;
    const ReduceBound bound = reduce_bound(problem, progress);
    EXPECT_EQ(bound.time(), narrowest_cut(problem)) << i;
    const Made all = made({&problem, 1}, bound.time());
    const double least = testing::least_time_of_all_trees(problem);
    EXPECT_GE(all.trees.verdict.time.value(), least * (1 - 1e-9)) << i;
    EXPECT_GE(least, bound.time().value() * (1 - 1e-9)) << i;
    worst = std::max(worst, all.trees.verdict.time.value() / least);
  }
  EXPECT_LE(worst, 1.0101);
}

/// Where switches only copy, or only sum, all-reduces take as long as without.
TEST(BranchingSwitches, OneOfBothGainsNothingForAnAllReduce) {
  Random random(2022);
  for (int i = 0; i < 60; ++i) {
    const testing::SampleShape shape{
        2 + random.below(4), 1 + random.below(3), random.below(5), false,
        i % 2 == 1 ? testing::SampleCapacities::same_both_ways : testing::SampleCapacities::none};
    const Network network = sample_network(shape, random);
    Progress progress;
    const Fraction optimum =
        all_reduce_optimum(bandwidth_problem(network, "all-reduce"), progress).proof.time();
    for (const bool copy : {true, false}) {
      const BandwidthProblem problem = with_powers(network, "all-reduce", {.copy = copy, .sum = !copy});
      EXPECT_GE(made({&problem, 1}, optimum).trees.verdict.time, optimum) << i;
    }
  }
}

TEST(BranchingSwitches, AllGatherAndReduceScatterAreNearTheBestOfAllTrees) {
  Random random(2021);
  double worst = 1;
  for (int i = 0; i < 60; ++i) {
    const testing::SampleShape shape{2 + random.below(3), 1 + random.below(2), random.below(5), i % 2 == 1};
    const Network network = sample_network(shape, random);
    for (const bool gather : {true, false}) {
      const BandwidthProblem problem =
          with_powers(network, gather ? "all-gather" : "reduce-scatter", {.copy = gather, .sum = !gather});
      Progress progress;
      const Fraction cut = bandwidth_optimum(problem, progress).time();
      const Made all = made({&problem, 1}, cut);
      const double least = testing::least_time_of_all_trees(problem);
      EXPECT_GE(least, cut.value() * (1 - 1e-9)) << i;
      EXPECT_GE(all.trees.verdict.time.value(), least * (1 - 1e-9)) << i;
      worst = std::max(worst, all.trees.verdict.time.value() / least);
    }
  }
  EXPECT_LE(worst, 1.0101);
}

/// A box of eight GPUs: every vector goes up once, and the sum comes down once.
TEST(BranchingSwitches, OfOneBoxTakeTheTimeOfOneVector) {
  const Network network = make_network("boxes:1,8");
  const auto graph = std::make_shared<const NodeGraph>(
      network, NodeGraphOptions{NodeModel::automatic, LinkClass::full_duplex, 0, CapacityUnit::cables});
  BandwidthProblem problem = make_bandwidth_problem(graph, "all-reduce");
  Progress progress;
  const Fraction without = all_reduce_optimum(problem, progress).proof.time();
  set_powers({.copy = true, .sum = true}, problem);
  const Fraction bound = reduce_bound(problem, progress).time();
  const Made all = made({&problem, 1}, bound);
  EXPECT_EQ(all.trees.verdict.time, bound);
  EXPECT_DOUBLE_EQ(without.value() / bound.value(), 2.0 * 7 / 8);
}

TEST(BranchingSwitches, CheckerFindsWhatIsWrong) {
  const Network network = make_network("btree:4");
  BandwidthProblem problem = make_bandwidth_problem(std::make_shared<const NodeGraph>(network), "all-reduce");
  set_powers({.copy = true, .sum = true}, problem);
  Progress progress;
  const Made all = made({&problem, 1}, reduce_bound(problem, progress).time());
  ASSERT_EQ(all.trees.verdict.fault, "");
  const auto expect_fault = [&](const std::function<void(Forest&)>& damage, const char* words) {
    Forest forest = all.trees.forest;
    damage(forest);
    EXPECT_THAT(check_forest(problem, forest).fault, ::testing::HasSubstr(words));
    EXPECT_NE(testing::play_forest({&problem, 1}, forest).fault, "") << words;
  };
  expect_fault([](Forest& f) { f.trees[0].edges.pop_back(); }, "nodes");
  expect_fault([](Forest& f) { f.trees[0].inward.pop_back(); }, "");
  expect_fault([](Forest& f) { std::reverse(f.trees[0].inward.begin(), f.trees[0].inward.end()); },
               "sends what it does not have yet, on the way in");
  expect_fault([](Forest& f) { std::reverse(f.trees[0].edges.begin(), f.trees[0].edges.end()); },
               "sends what it does not have yet");
  expect_fault([](Forest& f) { f.trees.pop_back(); }, "trees carry");
  // Switches that only pass on, or do one of the two.
  for (const SwitchPowers& powers : {SwitchPowers{}, SwitchPowers{.copy = true}, SwitchPowers{.sum = true}}) {
    BandwidthProblem weaker = problem;
    weaker.powers = powers;
    EXPECT_NE(check_forest(weaker, all.trees.forest).fault, "");
  }
  Forest other = all.trees.forest;
  other.trees[0].group = 3;
  EXPECT_THAT(check_forest(problem, other).fault, ::testing::HasSubstr("there is no group 3"));
}

TEST(BranchingSwitches, HaveNoUseWhereNothingIsCopiedOrCombined) {
  const Network network = make_network("ring:4");
  EXPECT_THROW((void)with_powers(network, "all-gather", {.sum = true}), InputError);
  EXPECT_THROW((void)with_powers(network, "reduce-scatter", {.copy = true}), InputError);
}

}  // namespace
}  // namespace unknot
