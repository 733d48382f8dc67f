// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/orders/covering.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "routing/lane_cover.hpp"
#include "stop_after.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::array kAll{StartOrders::up_down, StartOrders::linear, StartOrders::dimension,
                          StartOrders::random};
constexpr std::uint64_t kLooks = 3'000'000;

/// Whether every pair has a shortest path on one lane.
void expect_covering(const test::CoverCase& at, const Covering& covering, std::uint32_t lanes) {
  ASSERT_EQ(covering.orders->lanes(), lanes);
  EXPECT_EQ(covering.search->uncovered(), 0U);
  for (std::uint32_t j = 0; j < at.dags.size(); ++j) {
    const std::vector<LaneOrders::Mask> masks =
        test::path_masks(at.network, at.dags[j], *covering.orders, covering.search->entries(j));
    for (const std::uint32_t router : at.dags[j].order) {
      if (at.network.terminals_at(RouterId(router)).empty()) continue;
      EXPECT_NE(masks[router], 0) << router << " to " << at.dags[j].root;
    }
  }
}

TEST(CoveringPortfolio, FindsWhatIsKnownToExist) {
  const Progress quiet;
  const std::vector<std::pair<std::string, std::uint32_t>> known{{"ring:5", 2},
                                                                 {"ring:8", 2},
                                                                 {"torus:4x4", 1},
                                                                 {"kautz:b=3,n=3", 2},
                                                                 {"slimfly:q=5", 2},
                                                                 {"deimos", 1},
                                                                 {"torus:4x4x4", 1},
                                                                 {"dragonfly:a=4,h=2,p=2", 2},
                                                                 {"uniring:5", 3},
                                                                 {"mesh:3x4x2", 1},
                                                                 {"kautz:b=2,n=3,terminals=5", 2}};
  for (const auto& [spec, lanes] : known) {
    SCOPED_TRACE(spec);
    const test::CoverCase at(spec);
    CoveringPortfolio portfolio(at.network, at.dags, at.level, 1, 0);
    const auto covering = portfolio.find(lanes, kAll, OrderSearch::Tie::first, nullptr, kLooks, 0, quiet);
    ASSERT_TRUE(covering.has_value()) << portfolio.uncovered() << " left";
    EXPECT_EQ(portfolio.uncovered(), 0U);
    expect_covering(at, *covering, lanes);
  }
}

TEST(CoveringPortfolio, FindsNothingWhereThereIsNothing) {
  // Shortest paths of two hops and more close the cycle on one lane, whatever is chosen.
  const Progress quiet;
  for (const char* spec : {"ring:5", "ring:8", "uniring:5", "ring:7,p=2"}) {
    const test::CoverCase at((std::string(spec)));
    CoveringPortfolio portfolio(at.network, at.dags, at.level, 1, 0);
    EXPECT_FALSE(portfolio.find(1, kAll, OrderSearch::Tie::first, nullptr, 200'000, 0, quiet).has_value())
        << spec;
    EXPECT_GT(portfolio.uncovered(), 0U) << spec;
    EXPECT_LE(portfolio.uncovered(), portfolio.pairs()) << spec;
  }
}

TEST(CoveringPortfolio, DoesNotDependOnThreads) {
  const Progress quiet;
  for (const char* spec : {"kautz:b=3,n=2", "torus:5x5", "slimfly:q=5"}) {
    const test::CoverCase at((std::string(spec)));
    std::vector<std::vector<std::uint32_t>> orders;
    std::vector<std::uint64_t> looks;
    for (const std::uint32_t threads : {1U, 3U}) {
      CoveringPortfolio portfolio(at.network, at.dags, at.level, 4, threads);
      const auto covering = portfolio.find(2, kAll, OrderSearch::Tie::first, nullptr, kLooks, 1, quiet);
      ASSERT_TRUE(covering.has_value()) << spec;
      looks.push_back(covering->search->looks());
      for (std::uint32_t lane = 0; lane < 2; ++lane) orders.push_back(covering->orders->order(lane));
    }
    EXPECT_EQ(looks[0], looks[1]) << spec;
    EXPECT_EQ(orders[0], orders[2]) << spec;
    EXPECT_EQ(orders[1], orders[3]) << spec;
  }
}

TEST(CoveringPortfolio, GoesOnFromACoveringWithOneLaneMore) {
  const Progress quiet;
  for (const char* spec : {"kautz:b=3,n=2", "torus:5x5", "dragonfly:a=4,h=2,p=2"}) {
    const test::CoverCase at((std::string(spec)));
    CoveringPortfolio portfolio(at.network, at.dags, at.level, 1, 0);
    auto covering = portfolio.find(5, kAll, OrderSearch::Tie::first, nullptr, kLooks, 0, quiet);
    for (std::uint32_t lanes = 4; lanes >= 2; --lanes) {
      ASSERT_TRUE(covering.has_value()) << spec << " " << lanes + 1;
      // No kinds of starts: only the lanes there are, less one.
      covering = portfolio.find(lanes, {}, OrderSearch::Tie::first, covering->orders.get(), kLooks, 0, quiet);
    }
    ASSERT_TRUE(covering.has_value()) << spec;
    expect_covering(at, *covering, 2);
  }
}

TEST(CoveringPortfolio, DropsTheLaneThatIsNotMissed) {
  // Two lanes cover the ring; whichever the third is, nothing is left to search once it goes.
  const Progress quiet;
  const test::CoverCase ring("ring:8");
  LaneOrders two(ring.network, 2);
  set_start_orders(ring.network, StartOrders::dimension, 0, two);
  LaneOrders noise(ring.network, 1);
  set_start_orders(ring.network, StartOrders::random, 0, noise);
  CoveringPortfolio portfolio(ring.network, ring.dags, ring.level, 1, 1);
  for (std::uint32_t spare = 0; spare < 3; ++spare) {
    LaneOrders three(ring.network, 3);
    for (std::uint32_t lane = 0; lane < 2; ++lane)
      three.set_order(lane < spare ? lane : lane + 1, two.order(lane));
    three.set_order(spare, noise.order(0));
    const auto covering = portfolio.find(2, {}, OrderSearch::Tie::first, &three, 0, 0, quiet);
    ASSERT_TRUE(covering.has_value()) << spare;
    expect_covering(ring, *covering, 2);
    for (std::uint32_t lane = 0; lane < 2; ++lane) EXPECT_EQ(covering->orders->order(lane), two.order(lane));
  }
}

TEST(CoveringPortfolio, FindsNothingWithoutAStart) {
  const Progress quiet;
  const test::CoverCase at("slimfly:q=5");
  CoveringPortfolio portfolio(at.network, at.dags, at.level, 1, 0);
  constexpr std::array kGrid{StartOrders::dimension};  // there are no coordinates
  EXPECT_FALSE(portfolio.find(4, kGrid, OrderSearch::Tie::first, nullptr, kLooks, 0, quiet).has_value());
  EXPECT_EQ(portfolio.uncovered(), portfolio.pairs());
}

TEST(CoveringPortfolio, CountsPairsOfRoutersWithTerminals) {
  for (Network& network : test::small_networks()) {
    const test::CoverCase at(std::move(network));
    const CoveringPortfolio portfolio(at.network, at.dags, at.level, 1, 1);
    const std::uint64_t routers = at.dags.size();
    EXPECT_EQ(portfolio.pairs(), routers * (routers - 1)) << at.network.description();
  }
}

TEST(CoveringPortfolio, StopsWhenAsked) {
  const test::CoverCase at("ring:8");
  CoveringPortfolio portfolio(at.network, at.dags, at.level, 1, 1);
  EXPECT_THROW((void)portfolio.find(1, kAll, OrderSearch::Tie::first, nullptr, 1'000'000'000'000, 0,
                                    test::StopAfter(5)),
               Interrupted);
}

}  // namespace
}  // namespace unknot
