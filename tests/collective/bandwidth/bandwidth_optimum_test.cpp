// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/bandwidth/bandwidth_optimum.hpp"

#include <gmock/gmock.h>

#include "collective/bandwidth/sample_networks.hpp"
#include "collective/schedules.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

using testing::problem_on;
using testing::routers_problem;

Fraction optimum_of(const Problem& problem) {
  Progress progress;
  return bandwidth_optimum(make_bandwidth_problem(problem), progress).time();
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
      const BandwidthProblem problem = make_bandwidth_problem(routers_problem(network, collective));
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
  EXPECT_EQ(optimum_of(problem_on("hypercube:3", "AAB")).text(), "7/3");
  EXPECT_EQ(optimum_of(problem_on("torus:16x16", "AAB")).text(), "255/4");
  EXPECT_EQ(optimum_of(problem_on("torus:16x16", "OAB")).text(), "1/4");
  EXPECT_EQ(optimum_of(problem_on("fattree3:4", "AAR")).text(), "15");
  EXPECT_EQ(optimum_of(problem_on("ring:5", "AAB")).text(), "2");
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
    EXPECT_EQ(optimum_of(routers_problem(network, "AAB")).text(), inside == 12 ? "15/13" : "3");
  }
}

TEST(BandwidthOptimum, IsRefusedWhereItMeansNothing) {
  const auto expect_refused = [](const Problem& problem, const char* words) {
    try {
      (void)optimum_of(problem);
      ADD_FAILURE() << "not refused: " << words;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr(words));
    }
  };
  expect_refused(problem_on("ring:4", "AAS"), "each message has a receiver of its own");
  expect_refused(problem_on("ring:4", "scan"), "has other receivers than others");
  ProblemRules rules;
  rules.send_ports = 1;
  expect_refused(make_collective(testing::graph_of("ring:4"), "AAB", {}, rules), "ports have no limit");
  rules = {};
  rules.extra_hops = 0;
  expect_refused(make_collective(testing::graph_of("ring:4"), "AAB", {}, rules), "paths have any length");
}

}  // namespace
}  // namespace unknot
