// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/orders/wished_paths.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "routing/lane_cover.hpp"
#include "unknot/load/congestion.hpp"
#include "unknot/routing/orders/covering.hpp"
#include "unknot/routing/trees/balanced_trees.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

constexpr std::array kStarts{StartOrders::up_down, StartOrders::linear};
constexpr std::uint64_t kLooks = 3'000'000;

ForwardingTable shortest_paths(const Network& network) {
  PathDags dags(network);
  Progress quiet;
  return balanced_trees(network, dags, 0, quiet).table;
}

double bandwidth(const Network& network, const Routing& routing) {
  Progress quiet;
  return congestion(network, routing, make_pattern(network, "bisection"), 100, 5, 1, quiet)
      .effective_bisection_bandwidth;
}

TEST(WishedPaths, StayOnTheLanesAndAreShortest) {
  Progress quiet;
  for (const Network& network : test::small_networks()) {
    SCOPED_TRACE(network.description());
    const test::CoverCase at(network);
    CoveringPortfolio portfolio(at.network, at.dags, at.level, 1, 1);
    auto covering = portfolio.find(4, kStarts, OrderSearch::Tie::first, nullptr, kLooks, 0, quiet);
    ASSERT_TRUE(covering.has_value());
    const WishedPaths wished(at.network, at.dags, at.level, shortest_paths(at.network), 2, 1, quiet);
    const auto trees = wished.trees_on(*covering->orders, kLooks, quiet);
    ASSERT_TRUE(trees.has_value());
    const Verdict verdict = verify(at.network, trees->routing(), {}, quiet);
    EXPECT_TRUE(verdict.minimal());
    EXPECT_TRUE(verdict.deadlock_free);
  }
}

TEST(WishedPaths, CarryMoreOnFewLanesThanBalancingInsideThem) {
  Progress quiet;
  double inside = 0;
  double made = 0;
  for (const char* seed : {"1", "2", "3"}) {
    const test::CoverCase at(std::string("random:switches=48,links=76,terminals=384,seed=") + seed);
    CoveringPortfolio portfolio(at.network, at.dags, at.level, 1, 1);
    auto covering = portfolio.find(4, kStarts, OrderSearch::Tie::first, nullptr, kLooks, 0, quiet);
    ASSERT_TRUE(covering.has_value());
    std::vector<std::uint16_t> entries;
    for (std::uint32_t j = 0; j < at.dags.size(); ++j) {
      const std::uint16_t* const row = covering->search->entries(j);
      entries.insert(entries.end(), row, row + at.network.router_count());
    }
    MaskedTrees balanced(at.network, at.dags, *covering->orders, entries);
    std::vector<std::uint32_t> order(at.network.terminal_count());
    std::iota(order.begin(), order.end(), 0U);
    for (int pass = 0; pass < 4; ++pass) balanced.rebalance(order, quiet);
    inside += bandwidth(at.network, balanced.routing());
    const WishedPaths wished(at.network, at.dags, at.level, shortest_paths(at.network), 4, 1, quiet);
    const auto trees = wished.trees_on(*covering->orders, kLooks, quiet);
    ASSERT_TRUE(trees.has_value());
    made += bandwidth(at.network, trees->routing());
  }
  EXPECT_GT(made, inside);
}

/// Balanced as published, some channels hold more flows back than they need to.
TEST(MaskedTrees, SpareTheChannelThatHoldsFlowsBack) {
  Progress quiet;
  const test::CoverCase at("random:switches=40,links=70,terminals=320,seed=4");
  const LaneOrders any = LaneOrders::unrestricted(at.network);
  MaskedTrees trees(at.network, at.dags, any, shortest_paths(at.network));
  const double before = bandwidth(at.network, trees.routing());
  std::vector<std::uint32_t> order(at.network.terminal_count());
  std::iota(order.begin(), order.end(), 0U);
  for (int pass = 0; pass < 2; ++pass) trees.spare_bottlenecks(order, quiet);
  EXPECT_GT(bandwidth(at.network, trees.routing()), before);
  EXPECT_TRUE(verify(at.network, trees.routing(), {}, quiet).minimal());
}

}  // namespace
}  // namespace unknot
