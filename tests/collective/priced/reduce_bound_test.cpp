// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/priced/reduce_bound.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <optional>

#include "collective/bandwidth/sample_networks.hpp"
#include "collective/priced/tree_judges.hpp"
#include "collective/schedules.hpp"
#include "unknot/collective/bandwidth/make_forest.hpp"
#include "unknot/collective/priced/make_trees.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

using testing::routers_graph;

/// Cables, channels one way, parallel ones, and capacities of each direction's own or all alike; connected or
/// not.
Network uneven_network(std::uint32_t routers, std::uint32_t links, Random& random) {
  const std::uint32_t most = random.below(2) == 0 ? 1 : 12;
  NetworkBuilder builder;
  builder.add_routers(routers);
  for (std::uint32_t r = 0; r < routers; ++r) builder.add_terminal(RouterId(r));
  for (std::uint32_t i = 0; i < links; ++i) {
    const RouterId a(random.below(routers)), b(random.below(routers));
    if (a == b) continue;
    const bool one_way = random.below(2) == 0;
    if (one_way) {
      builder.add_channel(a, b);
    } else {
      builder.add_cable(a, b);
    }
    const std::uint32_t back = 1000 * (1 + random.below(most));
    builder.set_capacity(1000 * (1 + random.below(most)), one_way ? 0 : back);
  }
  return std::move(builder).build();
}

/// All-reduce among the first nodes; the others are switches. Nothing where a node has no channel in or out.
std::optional<BandwidthProblem> among(const Network& network, std::uint32_t members) {
  Participants who;
  who.nodes.emplace();
  for (std::uint32_t n = 0; n < members; ++n) who.nodes->emplace_back(n);
  try {
    return make_bandwidth_problem(routers_graph(network), "all-reduce", who);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// The definitions, set by set. Members come first.
class AllSets {
 public:
  explicit AllSets(const BandwidthProblem& problem) : problem_(problem) {
    for (std::uint32_t set = 1; set < 1U << problem.graph->node_count(); ++set) {
      const std::uint32_t members = set & all_members();
      if (members == 0) continue;
      note(members, crossing(set, false), enters_);
      note(members, crossing(set, true), leaves_);
      if (members != all_members()) cut_ = std::min(cut_, crossing(set, false));
    }
  }

  [[nodiscard]] bool joined() const { return cut_ > 0; }
  [[nodiscard]] Fraction by_cuts() const { return {shares(1), cut_}; }
  /// Over all partitions of the members, each part with the switches that suit it.
  [[nodiscard]] Fraction by_partitions(bool leaving) const {
    Fraction most;
    divide(all_members(), 0, 0, leaving ? leaves_ : enters_, most);
    return most;
  }
  /// Over all ways to put each node into just one part, switches into none, too.
  [[nodiscard]] Fraction by_disjoint_sets(bool leaving) const {
    Fraction most;
    std::vector<std::uint32_t> parts;
    place(0, parts, leaving, most);
    return most;
  }

 private:
  using Costs = std::map<std::uint32_t, std::uint64_t>;

  [[nodiscard]] std::uint32_t all_members() const { return (1U << problem_.members.size()) - 1; }
  [[nodiscard]] std::uint64_t shares(std::uint64_t times) const { return times * problem_.members.size(); }

  [[nodiscard]] std::uint64_t crossing(std::uint32_t set, bool leaving) const {
    const NodeGraph& graph = *problem_.graph;
    std::uint64_t capacity = 0;
    for (const ArcId a : graph.arcs()) {
      const bool from = (set >> graph.tail(a).value & 1U) != 0, to = (set >> graph.head(a).value & 1U) != 0;
      if (from != to && from == leaving) capacity += graph.capacity(a);
    }
    return capacity;
  }

  static void note(std::uint32_t members, std::uint64_t capacity, Costs& costs) {
    const auto [at, fresh] = costs.try_emplace(members, capacity);
    if (!fresh) at->second = std::min(at->second, capacity);
  }

  void divide(std::uint32_t left, std::uint32_t parts, std::uint64_t capacity, const Costs& costs,
              Fraction& most) const {
    if (left == 0) {
      if (parts > 1) most = std::max(most, Fraction(shares(2 * (parts - 1)), capacity));
      return;
    }
    const std::uint32_t lowest = left & (~left + 1);
    for (std::uint32_t part = left; part != 0; part = (part - 1) & left) {
      if ((part & lowest) != 0) divide(left & ~part, parts + 1, capacity + costs.at(part), costs, most);
    }
  }

  void place(std::uint32_t node, std::vector<std::uint32_t>& parts, bool leaving, Fraction& most) const {
    if (node == problem_.graph->node_count()) {
      std::uint64_t capacity = 0;
      for (const std::uint32_t part : parts) capacity += crossing(part, leaving);
      if (parts.size() > 1) most = std::max(most, Fraction(shares(2 * (parts.size() - 1)), capacity));
      return;
    }
    for (std::size_t part = 0; part < parts.size(); ++part) {
      parts[part] |= 1U << node;
      place(node + 1, parts, leaving, most);
      parts[part] &= ~(1U << node);
    }
    if (node >= problem_.members.size()) {
      place(node + 1, parts, leaving, most);
      return;
    }
    parts.push_back(1U << node);
    place(node + 1, parts, leaving, most);
    parts.pop_back();
  }

  const BandwidthProblem& problem_;
  Costs enters_, leaves_;  // by members: the least over switches beside them
  std::uint64_t cut_ = UINT64_MAX;
};

/// Of each kind of proof, counted anew.
Fraction counted(const BandwidthProblem& problem, const ReduceBound& bound) {
  if (const auto* cut = std::get_if<BandwidthCut>(&bound.proof))
    return count_separating_cut(problem, cut->inside).time();
  const auto& parts = std::get<PartitionBound>(bound.proof);
  return count_partition(problem, parts.parts, parts.leaving).time();
}

TEST(ReduceBound, EqualsTheBestOfAllPartitionsAndCuts) {
  Random random(1985);
  int apart = 0, compared = 0, leaving = 0, shared = 0;
  for (int i = 0; i < 1200; ++i) {
    const std::uint32_t members = 2 + random.below(5), switches = random.below(3);
    const std::uint32_t nodes = members + switches;
    const auto made = among(uneven_network(nodes, nodes + random.below(3 * nodes), random), members);
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
      ASSERT_EQ(bound.time().text(), most.text()) << i << " " << powers.copy << powers.sum;
      EXPECT_EQ(counted(one, bound).text(), most.text()) << i;
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
  EXPECT_GE(apart, 20);
  EXPECT_GE(leaving, 5);
  EXPECT_GE(shared, 5);
}

/// By a program that knows no bound, and by trees that were made.
TEST(ReduceBound, IsNoLongerThanAnySchedule) {
  Random random(1986);
  for (int i = 0; i < 60; ++i) {
    const std::uint32_t members = 2 + random.below(4), nodes = members + random.below(3);
    const auto made = among(uneven_network(nodes, 2 * nodes + random.below(2 * nodes), random), members);
    if (!made || !AllSets(*made).joined()) continue;
    const BandwidthProblem& problem = *made;
    Progress progress;
    const Fraction bound = reduce_bound(problem, progress).time();
    EXPECT_LE(bound.value(), testing::least_time_by_flows({&problem, 1}) * (1 + 1e-9)) << i;
    const TreeFlow flow = pack_trees({&problem, 1}, {.enough = bound.value(), .threads = 1}, progress);
    EXPECT_LE(bound, whole_trees({&problem, 1}, flow, bound, 0.01).verdict.time) << i;
  }
}

/// Switches that copy, or that sum: no program knows all of what they may do, but trees that use it are no
/// quicker.
TEST(ReduceBound, HoldsWhereSwitchesDoOneOfBoth) {
  Random random(1987);
  for (int i = 0; i < 100; ++i) {
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
