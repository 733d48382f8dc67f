// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/orders/order_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "routing/lane_cover.hpp"
#include "stop_after.hpp"
#include "unknot/routing/orders/start_orders.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

/// What the search says of itself, worked out anew from the orders and the chosen channels.
struct Count {
  std::uint64_t uncovered = 0, blocked = 0;
};

Count checked(const test::CoverCase& at, const LaneOrders& orders, const OrderSearch& search) {
  Count count;
  for (std::uint32_t j = 0; j < at.dags.size(); ++j) {
    const CoverDag& dag = at.dags[j];
    const std::uint16_t* const entries = search.entries(j);
    const std::vector<LaneOrders::Mask> masks = test::path_masks(at.network, dag, orders, entries);
    for (std::uint32_t i = 0; i < dag.positions(); ++i) {
      const std::uint32_t router = dag.order[i];
      const auto begin = dag.entry.begin() + dag.first[i];
      const auto end = dag.entry.begin() + dag.first[i + 1];
      EXPECT_NE(std::find(begin, end, entries[router]), end) << "not on a shortest path";
      EXPECT_EQ(search.masks(j)[router], masks[router]) << router << " to " << dag.root;
      if (at.network.terminals_at(RouterId(router)).empty()) continue;
      if (masks[router] == 0) ++count.uncovered;
      for (std::uint32_t c = dag.first[i]; c < dag.first[i + 1]; ++c) {
        const std::uint32_t to = dag.to[c];
        if (to == dag.root) continue;
        const bool open = (masks[to] & orders.allowed(dag.turn[c] + entries[to])) != 0;
        count.blocked += open ? 0 : 1;
      }
    }
  }
  EXPECT_EQ(search.uncovered(), count.uncovered);
  return count;
}

std::vector<std::vector<std::uint32_t>> orders_of(const LaneOrders& orders) {
  std::vector<std::vector<std::uint32_t>> all;
  for (std::uint32_t lane = 0; lane < orders.lanes(); ++lane) all.push_back(orders.order(lane));
  return all;
}

TEST(OrderSearch, SaysWhatOrdersAndChoicesSay) {
  const Progress quiet;
  std::uint64_t covered_pairs = 0;
  for (Network& network : test::small_networks()) {
    SCOPED_TRACE(network.description());
    const test::CoverCase at(std::move(network));
    for (const std::uint32_t lanes : {1U, 2U, 3U}) {
      LaneOrders orders(at.network, lanes);
      set_start_orders(at.network, StartOrders::random, lanes, orders);
      OrderSearch search(at.network, at.dags, at.level, orders, OrderSearch::Tie::first, 5);
      const std::uint64_t before = checked(at, orders, search).uncovered;
      for (int round = 0; round < 6; ++round) {
        const std::uint64_t left = search.run(500, quiet);
        EXPECT_EQ(left, checked(at, orders, search).uncovered);
        // A search that the same orders start anew finds a consistent state as well.
        LaneOrders same(at.network, lanes);
        for (std::uint32_t lane = 0; lane < lanes; ++lane) same.set_order(lane, orders.order(lane));
        EXPECT_EQ(same.allowed(), orders.allowed());
        (void)checked(at, same, OrderSearch(at.network, at.dags, at.level, same, OrderSearch::Tie::first, 5));
        if (HasFailure()) FAIL() << lanes << " lanes, round " << round;
      }
      covered_pairs += before - std::min(before, search.uncovered());
    }
  }
  EXPECT_GT(covered_pairs, 500U);  // it does search
}

TEST(OrderSearch, WideningBlocksLessAndUncoversNothing) {
  const Progress quiet;
  std::uint64_t freed = 0;
  int tried = 0;
  for (Network& network : test::small_networks()) {
    SCOPED_TRACE(network.description());
    const test::CoverCase at(std::move(network));
    LaneOrders orders(at.network, 4);
    set_start_orders(at.network, StartOrders::up_down, 1, orders);
    OrderSearch search(at.network, at.dags, at.level, orders, OrderSearch::Tie::first, 3);
    if (search.run(200'000, quiet) > 0) continue;
    std::uint64_t blocked = checked(at, orders, search).blocked;
    for (int round = 0; round < 5; ++round) {
      const std::uint64_t now = search.widen(3000, quiet);
      EXPECT_EQ(search.uncovered(), 0U);
      EXPECT_LE(now, blocked);
      EXPECT_EQ(now, checked(at, orders, search).blocked);
      freed += blocked - std::min(blocked, now);
      blocked = now;
      if (HasFailure()) FAIL() << "round " << round;
    }
    ++tried;
  }
  EXPECT_GE(tried, 7);
  EXPECT_GT(freed, 20U);
}

TEST(OrderSearch, WideningWhatIsNotCoveredKeepsTheBooks) {
  // Not its purpose, but nothing may come out of step; searching goes on afterwards.
  const Progress quiet;
  for (const char* spec : {"torus:4x3,p=2", "random:switches=30,links=70,terminals=25,seed=3"}) {
    const test::CoverCase at((std::string(spec)));
    LaneOrders orders(at.network, 2);
    set_start_orders(at.network, StartOrders::random, 1, orders);
    OrderSearch search(at.network, at.dags, at.level, orders, OrderSearch::Tie::first, 3);
    EXPECT_GT(search.uncovered(), 0U);
    for (int round = 0; round < 3; ++round) {
      const std::uint64_t blocked = search.widen(2000, quiet);
      EXPECT_EQ(blocked, checked(at, orders, search).blocked) << spec;
      (void)search.run(1000, quiet);
      (void)checked(at, orders, search);
    }
  }
}

TEST(OrderSearch, SameSeedSameResult) {
  const Progress quiet;
  const test::CoverCase at("kautz:b=3,n=2");
  std::vector<std::vector<std::vector<std::uint32_t>>> results;
  for (const std::uint64_t seed : {7U, 7U, 8U}) {
    LaneOrders orders(at.network, 2);
    set_start_orders(at.network, StartOrders::random, 2, orders);
    OrderSearch search(at.network, at.dags, at.level, orders, OrderSearch::Tie::first, seed);
    (void)search.run(20'000, quiet);
    if (search.uncovered() == 0) (void)search.widen(20'000, quiet);
    results.push_back(orders_of(orders));
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_NE(results[0], results[2]);
}

TEST(OrderSearch, WorksAsMuchAsItMayAndNotOnceAllIsCovered) {
  const Progress quiet;
  const test::CoverCase ring("ring:8");
  LaneOrders one(ring.network, 1);
  OrderSearch hopeless(ring.network, ring.dags, ring.level, one, OrderSearch::Tie::first, 1);
  std::uint64_t looks = hopeless.looks();
  EXPECT_GT(looks, 0U);
  EXPECT_GT(hopeless.run(0, quiet), 0U);
  EXPECT_EQ(hopeless.looks(), looks);
  EXPECT_GT(hopeless.run(5000, quiet), 0U);  // a ring needs two lanes
  EXPECT_GE(hopeless.looks(), looks + 5000);
  EXPECT_LT(hopeless.looks(), looks + 6000);

  LaneOrders two(ring.network, 2);
  set_start_orders(ring.network, StartOrders::dimension, 0, two);
  OrderSearch covered(ring.network, ring.dags, ring.level, two, OrderSearch::Tie::first, 1);
  ASSERT_EQ(covered.uncovered(), 0U);
  looks = covered.looks();
  const auto before = orders_of(two);
  EXPECT_EQ(covered.run(1'000'000, quiet), 0U);
  EXPECT_EQ(covered.looks(), looks);
  EXPECT_EQ(orders_of(two), before);
}

TEST(OrderSearch, StopsBetweenMovesWhenAsked) {
  const Progress quiet;
  const test::CoverCase at("torus:5x5");
  LaneOrders orders(at.network, 2);
  set_start_orders(at.network, StartOrders::random, 3, orders);
  OrderSearch search(at.network, at.dags, at.level, orders, OrderSearch::Tie::first, 1);
  EXPECT_THROW((void)search.run(1'000'000'000'000, test::StopAfter(2)), Interrupted);
  (void)checked(at, orders, search);
  EXPECT_THROW((void)search.widen(1'000'000'000'000, test::StopAfter(2)), Interrupted);
  (void)checked(at, orders, search);
  (void)search.run(2000, quiet);
  const std::uint64_t blocked = search.widen(2000, quiet);
  EXPECT_EQ(blocked, checked(at, orders, search).blocked);
}

}  // namespace
}  // namespace unknot
