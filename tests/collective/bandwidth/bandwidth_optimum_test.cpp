// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/bandwidth/bandwidth_optimum.hpp"

#include <gmock/gmock.h>

#include "collective/bandwidth/sample_networks.hpp"
#include "collective/schedules.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

using testing::bandwidth_problem;
using testing::graph_of;

Fraction optimum_of(const BandwidthProblem& problem) {
  Progress progress;
  return bandwidth_optimum(problem, progress).time();
}

Fraction optimum_on(const char* spec, const char* collective) {
  return optimum_of(make_bandwidth_problem(graph_of(spec), collective));
}

/// The definition: the largest of shares over capacity, over all sets with a member inside.
Fraction by_all_cuts(const BandwidthProblem& problem) {
  const NodeGraph& graph = *problem.graph;
  Fraction most;
  for (std::uint32_t set = 1; set < 1U << graph.node_count(); ++set) {
    std::uint64_t shares = 0, capacity = 0;
    bool member = false;
    for (const NodeId n : graph.nodes()) {
      const bool inside = (set >> n.value & 1U) != 0;
      member = member || (inside && problem.is_member(n));
      if (!inside) shares += problem.shares[n.value];
    }
    for (const ArcId a : graph.arcs()) {
      if ((set >> graph.tail(a).value & 1U) == 0 && (set >> graph.head(a).value & 1U) != 0)
        capacity += graph.capacity(a);
    }
    if (member && shares > 0) most = std::max(most, Fraction(shares, capacity));
  }
  return most;
}

TEST(Fraction, IsInLowestTermsAndCompares) {
  EXPECT_EQ(Fraction(30, 26).text(), "15/13");
  EXPECT_EQ(Fraction(12, 4).text(), "3");
  EXPECT_EQ(Fraction(0, 7), Fraction(0, 1));
  Random random(7);
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t a = random.below(20), b = 1 + random.below(20), c = random.below(20),
                        d = 1 + random.below(20);
    EXPECT_EQ(Fraction(a, b) <=> Fraction(c, d), a * d <=> c * b) << a << '/' << b << ' ' << c << '/' << d;
  }
  const std::uint64_t most = UINT64_MAX;
  EXPECT_GT(Fraction(most, most - 1), Fraction(most - 1, most - 2 + 1));
  EXPECT_LT(Fraction(most - 2, most - 1), Fraction(most - 1, most));
}

TEST(BandwidthOptimum, EqualsTheNarrowestOfAllCuts) {
  Random random(2026);
  for (int i = 0; i < 600; ++i) {
    const Network network = testing::sample_network(testing::sample_shape(random, i % 2 == 1), random);
    for (const char* collective : {"AAB", "AAR", "OAB", "AOR"}) {
      const BandwidthProblem problem = bandwidth_problem(network, collective);
      Progress progress;
      const BandwidthCut cut = bandwidth_optimum(problem, progress);
      EXPECT_EQ(cut.time().text(), by_all_cuts(problem).text()) << "case " << i << ' ' << collective;
      const BandwidthCut counted = count_cut(problem, cut.inside);
      EXPECT_EQ(counted.shares, cut.shares);
      EXPECT_EQ(counted.capacity, cut.capacity);
    }
  }
}

TEST(BandwidthOptimum, KnownValues) {
  EXPECT_EQ(optimum_on("hypercube:3", "AAB").text(), "7/3");
  EXPECT_EQ(optimum_on("torus:16x16", "AAB").text(), "255/4");
  EXPECT_EQ(optimum_on("torus:16x16", "OAB").text(), "1/4");
  EXPECT_EQ(optimum_on("fattree3:4", "AAR").text(), "15");
  EXPECT_EQ(optimum_on("ring:5", "AAB").text(), "2");
}

/// Two boxes of eight, twelve cables from each node to its box's switch and one to the switch between.
TEST(BandwidthOptimum, TwoBoxesOfEight) {
  for (const std::uint32_t inside : {12U, 4U}) {
    NetworkBuilder builder;
    builder.add_routers(19);
    for (std::uint32_t r = 0; r < 16; ++r) {
      builder.add_terminal(RouterId(r));
      for (std::uint32_t i = 0; i < inside; ++i) builder.add_cable(RouterId(r), RouterId(16 + r / 8));
      builder.add_cable(RouterId(r), RouterId(18));
    }
    const Network network = std::move(builder).build();
    EXPECT_EQ(optimum_of(bandwidth_problem(network, "AAB")).text(), inside == 12 ? "15/13" : "3");
  }
}

TEST(BandwidthOptimum, IsRefusedWhereItMeansNothing) {
  const auto expect_refused = [](const char* collective, const Participants& who, const ProblemRules& rules,
                                 const char* words) {
    try {
      (void)make_bandwidth_problem(graph_of("ring:4"), collective, who, rules);
      ADD_FAILURE() << "not refused: " << words;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr(words));
    }
  };
  expect_refused("AAS", {}, {}, "each message has a receiver of its own");
  expect_refused("scan", {}, {}, "it has no part");
  ProblemRules rules;
  rules.send_ports = 1;
  expect_refused("AAB", {}, rules, "ports have no limit");
  rules = {};
  rules.extra_hops = 0;
  expect_refused("AAB", {}, rules, "paths have any length");
  Participants who;
  who.nodes = testing::nodes({2});
  expect_refused("AAB", who, {}, "there is no message");
  who.nodes = testing::nodes({2, 4});
  expect_refused("AAB", who, {}, "there is no node 4");
  who = {};
  who.transmitters = testing::nodes({0, 1});
  who.receivers = testing::nodes({2, 3});
  expect_refused("MNB", who, {}, "has other receivers than others");
  expect_refused("all-reduce", who, {}, "has other receivers than others");
  who.messages = {{NodeId(0), NodeId(1)}};
  expect_refused("MNB", who, {}, "not listed one by one");
}

/// Owners need not get what they have: one that alone sends takes part all the same.
TEST(BandwidthOptimum, WhoTakesPart) {
  Participants who;
  who.transmitters = testing::nodes({3});
  who.receivers = testing::nodes({2, 0, 2});
  const BandwidthProblem one = make_bandwidth_problem(graph_of("ring:4"), "MNB", who);
  EXPECT_EQ(one.members, testing::nodes({0, 2, 3}));
  EXPECT_EQ(one.all_shares, 1U);
  EXPECT_EQ(optimum_of(one).text(), "1/2");
  EXPECT_EQ(one.who.receivers, testing::nodes({0, 2}));
  who.transmitters = testing::nodes({0, 2});
  const BandwidthProblem two = make_bandwidth_problem(graph_of("ring:4"), "MNB", who);
  EXPECT_EQ(two.members, testing::nodes({0, 2}));
  EXPECT_EQ(optimum_of(two).text(), "1/2");
  EXPECT_FALSE(two.who.transmitters);
}

}  // namespace
}  // namespace unknot
