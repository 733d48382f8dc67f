// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/priced/reduce_bound.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "collective/bandwidth/sample_networks.hpp"
#include "collective/priced/reduce_judges.hpp"
#include "collective/priced/tree_judges.hpp"
#include "collective/schedules.hpp"
#include "unknot/collective/priced/make_trees.hpp"
#include "unknot/collective/trees/make_forest.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

using testing::AllSets;
using testing::among;
using testing::Gossip;
using testing::uneven_network;

TEST(ReduceBound, EqualsTheBestOfAllPartitionsAndCuts) {
  Random random(1985);
  int apart = 0, compared = 0, leaving = 0, shared = 0, channels = 0;
  for (int i = 0; i < 900; ++i) {
    const std::uint32_t members = 2 + random.below(5), switches = random.below(3);
    const std::uint32_t nodes = members + switches;
    const bool one_way = i % 3 == 0;
    const auto made =
        among(one_way ? testing::sample_network({members, switches, random.below(12), true}, random)
                      : uneven_network(nodes, nodes + random.below(3 * nodes), random),
              members);
    if (!made) continue;
    const BandwidthProblem& problem = *made;
    Progress progress;
    const AllSets all(problem);
    if (!all.joined()) {
      ++apart;
      EXPECT_THROW((void)reduce_bound(problem, progress), InputError) << i;
      EXPECT_THROW((void)better_partition(problem, {1, 1}, false, progress), InputError) << i;
      continue;
    }
    ++compared;
    for (const SwitchPowers powers : {SwitchPowers{}, SwitchPowers{.copy = true}, SwitchPowers{.sum = true},
                                      SwitchPowers{.copy = true, .sum = true}}) {
      BandwidthProblem one = problem;
      one.powers = powers;
      Fraction most = all.by_cuts();
      if (!powers.sum) most = std::max(most, all.by_partitions(false));
      if (!powers.copy) most = std::max(most, all.by_partitions(true));
      const ReduceBound bound = reduce_bound(one, progress);
      EXPECT_EQ(counted_anew(one, bound).text(), bound.time().text()) << i;
      if (const auto* passed = std::get_if<ChannelBound>(&bound.proof)) {
        ++channels;
        EXPECT_FALSE(powers.any()) << i;
        EXPECT_GT(bound.time(), most) << i;
        EXPECT_EQ(bound.time().text(), testing::by_channels(one, passed->channels).text()) << i;
        continue;
      }
      ASSERT_EQ(bound.time().text(), most.text()) << i << " " << powers.copy << powers.sum;
      const auto* parts = std::get_if<PartitionBound>(&bound.proof);
      if (parts != nullptr && !powers.any() && parts->leaving) ++leaving;
    }
    for (const bool out : {false, true}) {
      const auto best = better_partition(problem, {1, 1'000'000}, out, progress);
      ASSERT_TRUE(best.has_value()) << i;
      EXPECT_EQ(best->time().text(), all.by_partitions(out).text()) << i;
      EXPECT_FALSE(better_partition(problem, best->time(), out, progress).has_value()) << i;
      const Fraction disjoint = all.by_disjoint_sets(out);
      EXPECT_LE(disjoint, all.by_partitions(out)) << i;
      shared += disjoint < all.by_partitions(out) ? 1 : 0;
    }
  }
  EXPECT_GE(compared, 500);
  // What the loop is there for was there.
  EXPECT_GE(apart, 10);
  EXPECT_GE(leaving, 5);
  EXPECT_GE(shared, 5);
  EXPECT_GE(channels, 20);
}

/// The rules by which parts and channels prove something, of any parts and channels: no order of messages
/// passes them less often than that.
TEST(ReduceBound, NoGossipPassesLess) {
  Random random(1974);
  int equal = 0, counted = 0;
  for (int i = 0; i < 220; ++i) {
    const std::uint32_t members = 2 + random.below(3), nodes = members + random.below(3);
    const auto made = among(uneven_network(nodes, 2 * nodes + random.below(2 * nodes), random), members);
    if (!made || !AllSets(*made).joined()) continue;
    const BandwidthProblem& problem = *made;
    const NodeGraph& graph = *problem.graph;
    std::vector<ArcId> channels;
    std::vector<std::uint32_t> length(graph.arc_count(), 0);
    for (const ArcId a : graph.arcs()) {
      if (random.below(2) != 0) continue;
      channels.push_back(a);
      length[a.value] = 1;
    }
    if (channels.empty()) continue;
    const ChannelBound bound = count_channels(problem, channels);
    EXPECT_EQ(bound.time().text(), testing::by_channels(problem, channels).text()) << i;
    const std::uint64_t least = Gossip(problem, length).least();
    EXPECT_LE(bound.shares, least * problem.all_shares) << i;
    equal += bound.shares == least * problem.all_shares ? 1 : 0;
    ++counted;
    // So far trees have always been the cheapest, whatever the lengths; that they are is not proven.
    EXPECT_EQ(count_tree_lengths({&problem, 1}, length).costs, least * problem.all_shares) << i;
    // Parts that share switches at will, and what passes into each of them.
    std::vector<std::vector<NodeId>> parts(2);
    for (const NodeId n : graph.nodes()) {
      if (problem.is_member(n)) {
        parts[n.value == 0 ? 0 : n.value == 1 ? 1 : random.below(2)].push_back(n);
      } else {
        for (auto& part : parts) {
          if (random.below(2) == 0) part.push_back(n);
        }
      }
    }
    for (const bool leaving : {false, true}) {
      std::fill(length.begin(), length.end(), 0);
      for (const auto& part : parts) {
        const auto inside = [&](NodeId n) { return std::find(part.begin(), part.end(), n) != part.end(); };
        for (const ArcId a : graph.arcs()) {
          const bool from = inside(graph.tail(a)), to = inside(graph.head(a));
          length[a.value] += from != to && from == leaving ? 1 : 0;
        }
      }
      EXPECT_LE(count_partition(problem, parts, leaving).shares,
                Gossip(problem, length).least() * problem.all_shares)
          << i;
    }
  }
  EXPECT_GE(counted, 150);
  EXPECT_GE(equal, counted / 2);
}

/// By a program that knows no bound, and by trees that were made.
TEST(ReduceBound, IsNoLongerThanAnySchedule) {
  Random random(1986);
  int compared = 0, reached = 0;
  for (int i = 0; i < 80; ++i) {
    const std::uint32_t members = 2 + random.below(4), nodes = members + random.below(3);
    const auto made =
        among(i % 2 == 0 ? testing::sample_network({members, nodes - members, random.below(12), true}, random)
                         : uneven_network(nodes, 2 * nodes + random.below(2 * nodes), random),
              members);
    if (!made || !AllSets(*made).joined()) continue;
    const BandwidthProblem& problem = *made;
    Progress progress;
    const Fraction bound = reduce_bound(problem, progress).time();
    EXPECT_LE(bound.value(), testing::least_time_by_flows({&problem, 1}) * (1 + 1e-9)) << i;
    const TreeFlow flow = pack_trees({&problem, 1}, {.enough = bound.value(), .threads = 1}, progress);
    const Fraction time = whole_trees({&problem, 1}, flow, bound, 0.01).verdict.time;
    EXPECT_LE(bound, time) << i;
    ++compared;
    reached += bound == time ? 1 : 0;
  }
  EXPECT_GE(reached * 20, compared * 19);
}

/// Switches that copy, or that sum: no program knows all of what they may do, but trees that use it are no
/// quicker.
TEST(ReduceBound, HoldsWhereSwitchesDoOneOfBoth) {
  Random random(1987);
  for (int i = 0; i < 70; ++i) {
    const std::uint32_t members = 2 + random.below(4), nodes = members + 1 + random.below(3);
    auto made = among(uneven_network(nodes, 2 * nodes + random.below(2 * nodes), random), members);
    if (!made || !AllSets(*made).joined()) continue;
    BandwidthProblem& problem = *made;
    Progress progress;
    for (const bool copy : {true, false}) {
      problem.powers = {.copy = copy, .sum = !copy};
      const Fraction bound = reduce_bound(problem, progress).time();
      const TreeFlow flow = pack_trees({&problem, 1}, {.enough = bound.value(), .threads = 1}, progress);
      EXPECT_LE(bound, whole_trees({&problem, 1}, flow, bound, 0.01).verdict.time) << i;
    }
  }
}

/// Two members beside a switch that lets out ten times as much as they give: what each gets has come in at
/// the switch, which is in both parts.
TEST(ReduceBound, PartsMayShareSwitches) {
  NetworkBuilder builder;
  builder.add_routers(4);
  for (std::uint32_t r = 0; r < 3; ++r) {
    builder.add_terminal(RouterId(r));
    builder.add_cable(RouterId(r), RouterId(3));
    builder.set_capacity(1000, 10000);
  }
  const BandwidthProblem problem = testing::bandwidth_problem(std::move(builder).build(), "all-reduce");
  Progress progress;
  const auto bound = better_partition(problem, {1, 1}, false, progress);
  ASSERT_TRUE(bound.has_value());
  EXPECT_EQ(bound->time().text(), "2");
  EXPECT_EQ(AllSets(problem).by_disjoint_sets(false).text(), "6/11");
  // Each by itself with the switch lets in what the two others give.
  const PartitionBound all = count_partition(
      problem, {testing::nodes({0, 3}), testing::nodes({1, 3}), testing::nodes({2, 3})}, false);
  EXPECT_EQ(all.shares, 12U);
  EXPECT_EQ(all.capacity, 6U);
  // What leaves members says more.
  const ReduceBound best = reduce_bound(problem, progress);
  EXPECT_EQ(best.time().text(), "4");
  EXPECT_TRUE(std::get<PartitionBound>(best.proof).leaving);
}

/// A one-way ring with two narrow arcs: what is behind one of them has to pass both before it is summed.
TEST(ReduceBound, ChannelsThatSumsPassThreeTimes) {
  NetworkBuilder builder;
  builder.add_routers(4);
  for (std::uint32_t r = 0; r < 4; ++r) {
    builder.add_terminal(RouterId(r));
    for (std::uint32_t i = 0; i < (r % 2 == 0 ? 1U : 9U); ++i)
      builder.add_channel(RouterId(r), RouterId((r + 1) % 4));
  }
  const BandwidthProblem problem = testing::bandwidth_problem(std::move(builder).build(), "all-reduce");
  Progress progress;
  const ReduceBound bound = reduce_bound(problem, progress);
  const auto& channels = std::get<ChannelBound>(bound.proof);
  EXPECT_EQ(channels.channels.size(), 2U);
  EXPECT_EQ(channels.shares, 12U);
  EXPECT_EQ(channels.capacity, 2U);
  EXPECT_NEAR(testing::least_time_by_flows({&problem, 1}), 6, 1e-6);
  EXPECT_EQ(std::max(AllSets(problem).by_cuts(), AllSets(problem).by_partitions(false)).text(), "4");
}

TEST(ReduceBound, PartsThatProveNothing) {
  Participants who;
  who.nodes = testing::nodes({0, 1, 2});
  const BandwidthProblem problem = make_bandwidth_problem(testing::graph_of("uniring:4"), "all-reduce", who);
  const auto shares = [&](std::vector<std::vector<NodeId>> parts) {
    return count_partition(problem, std::move(parts), true).shares;
  };
  EXPECT_EQ(shares({testing::nodes({0, 1}), testing::nodes({1, 2})}), 0U);
  EXPECT_EQ(shares({testing::nodes({0}), testing::nodes({1, 1}), testing::nodes({2})}), 0U);
  EXPECT_EQ(shares({testing::nodes({0}), testing::nodes({1})}), 0U);
  EXPECT_EQ(shares({testing::nodes({0, 3}), testing::nodes({1}), testing::nodes({2, 3})}), 12U);
}

TEST(ReduceBound, OfTwoNodesAndOfTheLargestCapacities) {
  const auto bound_of = [](std::uint32_t there, std::uint32_t back) {
    NetworkBuilder builder;
    builder.add_routers(2);
    for (std::uint32_t r = 0; r < 2; ++r) builder.add_terminal(RouterId(r));
    builder.add_cable(RouterId(0), RouterId(1));
    builder.set_capacity(there, back);
    const BandwidthProblem problem = testing::bandwidth_problem(std::move(builder).build(), "all-reduce");
    Progress progress;
    return reduce_bound(problem, progress).time().text();
  };
  EXPECT_EQ(bound_of(3, 5), "2/3");
  EXPECT_EQ(bound_of(4294967295, 4294967294), "1/2147483647");
  EXPECT_EQ(bound_of(1, 4294967295), "2");
}

/// On circles, so that as much enters each node as leaves it: a reduce-scatter and an all-gather of the same
/// parts take what partitions prove, where no node would have to be the root of less than nothing.
TEST(ReduceBound, IsReachedWhereNodesAreBalanced) {
  Random random(1988);
  int reached = 0;
  for (int i = 0; i < 60; ++i) {
    const std::uint32_t members = 3 + random.below(20), nodes = members + random.below(4);
    NetworkBuilder builder;
    builder.add_routers(nodes);
    for (std::uint32_t r = 0; r < members; ++r) builder.add_terminal(RouterId(r));
    // Circles, the first through all.
    std::vector<std::uint32_t> circle(nodes);
    for (std::uint32_t r = 0; r < nodes; ++r) circle[r] = r;
    for (int more = 0; more < 4; ++more) {
      for (std::size_t c = 0; c < circle.size(); ++c)
        builder.add_channel(RouterId(circle[c]), RouterId(circle[(c + 1) % circle.size()]));
      random.shuffle(circle);
      circle.resize(std::max<std::size_t>(2, circle.size() - random.below(3)));
    }
    const BandwidthProblem problem = testing::bandwidth_problem(std::move(builder).build(), "all-reduce");
    Progress progress;
    const Fraction bound = reduce_bound(problem, progress).time();
    const auto roots = roots_in_time(problem, bound, false, progress);
    if (!roots) continue;
    const auto forest = make_forest_both_ways(problem, *roots, bound, progress);
    ASSERT_TRUE(forest.has_value()) << i;
    const testing::Played played = testing::play_forest({&problem, 1}, *forest);
    EXPECT_EQ(played.fault, "") << i;
    EXPECT_EQ(played.time.text(), bound.text()) << i;
    ++reached;
  }
  EXPECT_GE(reached, 30);
}

}  // namespace
}  // namespace unknot
