// SPDX-License-Identifier: Apache-2.0
// Orders of lanes that are repaired until every pair has a route: counted by a judge of its own.
#include "unknot/routing/source_routed/order_repair.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "routing/lane_cover.hpp"
#include "stop_after.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/routing/orders/start_orders.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

/// Routers that a route from `home` gets to, channel by channel, from each to those that may follow it; with
/// no lane, any path.
std::vector<bool> reached(const Network& network, const LaneOrders& orders, RouterId home,
                          const std::uint32_t* lane) {
  std::vector<bool> taken(network.channel_count(), false);
  std::vector<bool> routers(network.router_count(), false);
  std::vector<ChannelId> open;
  const auto take = [&](ChannelId c) {
    if (taken[c.value]) return;
    taken[c.value] = true;
    open.push_back(c);
  };
  routers[home.value] = true;
  for (const ChannelId c : network.out(home)) take(c);
  while (!open.empty()) {
    const ChannelId last = open.back();
    open.pop_back();
    routers[network.target(last).value] = true;
    for (const ChannelId c : network.out(network.target(last))) {
      if (lane == nullptr || orders.after(*lane, c.value, last.value)) take(c);
    }
  }
  return routers;
}

/// Pairs of routers with terminals that have a path and no route that rises along a lane.
std::uint64_t judge(const Network& network, const LaneOrders& orders) {
  std::uint64_t missing = 0;
  for (const RouterId home : network.routers()) {
    if (network.terminals_at(home).empty()) continue;
    const std::vector<bool> joined = reached(network, orders, home, nullptr);
    std::vector<std::vector<bool>> rising;
    for (std::uint32_t lane = 0; lane < orders.lanes(); ++lane)
      rising.push_back(reached(network, orders, home, &lane));
    for (const RouterId to : network.routers()) {
      if (network.terminals_at(to).empty() || !joined[to.value]) continue;
      if (std::none_of(rising.begin(), rising.end(), [to](const auto& by) { return by[to.value]; }))
        ++missing;
    }
  }
  return missing;
}

/// Two parts, one of them with cables of one direction, and routers without terminals in both.
Network two_parts() {
  NetworkBuilder builder;
  builder.add_routers(14);
  for (std::uint32_t i = 0; i < 6; ++i) builder.add_cable(RouterId(i), RouterId((i + 1) % 6));
  builder.add_cable(RouterId(0), RouterId(3));
  for (std::uint32_t i = 0; i < 8; ++i) {
    builder.add_channel(RouterId(6 + i), RouterId(6 + (i + 1) % 8));
    builder.add_channel(RouterId(6 + i), RouterId(6 + (i + 3) % 8));
  }
  for (std::uint32_t i = 0; i < 14; ++i) {
    if (i % 4 != 1) builder.add_terminal(RouterId(i));
  }
  return std::move(builder).build();
}

std::vector<Network> networks() {
  std::vector<Network> all;
  for (const char* spec :
       {"ring:9", "torus:4x4", "petersen", "kautz:b=2,n=3", "hypercube:5", "jellyfish:routers=80,degree=3",
        "random:switches=40,links=50,terminals=70,seed=2"})
    all.push_back(make_network(spec));
  all.push_back(two_parts());
  all.push_back(test::doubled_ring(8));
  return all;
}

/// From orders at random, which leave most pairs out, to all of them, on one lane and on more.
TEST(OrderRepair, JoinsEveryPair) {
  Progress quiet;
  for (const Network& network : networks()) {
    for (const std::uint32_t lanes : {1U, 2U, 3U}) {
      for (const std::uint64_t seed : {1U, 2U, 3U}) {
        SCOPED_TRACE(network.description() + ", lanes " + std::to_string(lanes) + ", seed " +
                     std::to_string(seed));
        LaneOrders orders(network, lanes);
        set_start_orders(network, StartOrders::random, seed, orders);
        OrderRepair repair(network, orders, seed);
        EXPECT_EQ(repair.missing(), judge(network, orders));
        EXPECT_EQ(repair.run(20'000, quiet), 0U);
        EXPECT_EQ(repair.missing(), 0U);
        EXPECT_EQ(judge(network, orders), 0U);
        for (std::uint32_t lane = 0; lane < lanes; ++lane) {
          std::vector<std::uint32_t> order = orders.order(lane);
          std::sort(order.begin(), order.end());
          std::vector<std::uint32_t> each(network.channel_count());
          std::iota(each.begin(), each.end(), 0U);
          EXPECT_EQ(order, each);
        }
      }
    }
  }
}

/// Stopped at any move, it leaves no more pairs out than there were, and what it says of them is so.
TEST(OrderRepair, LosesNothingOnTheWay) {
  Progress quiet;
  for (const Network& network : networks()) {
    LaneOrders orders(network, 2);
    set_start_orders(network, StartOrders::random, 5, orders);
    std::uint64_t before = judge(network, orders);
    for (std::uint64_t moves = 0; moves < 40; moves = moves * 2 + 1) {
      OrderRepair repair(network, orders, moves);
      const std::uint64_t after = repair.run(moves, quiet);
      EXPECT_LE(after, before);
      EXPECT_EQ(after, repair.missing());
      EXPECT_EQ(after, judge(network, orders));
      before = after;
    }
  }
}

/// A ring of one direction has too few orders to join all pairs: the fewest that can be missing, by looking
/// at every order and every two of them.
TEST(OrderRepair, MissesTheFewestWhereNotAllCanBeJoined) {
  Progress quiet;
  const Network ring = make_network("uniring:5");
  std::vector<std::uint32_t> order(5);
  std::iota(order.begin(), order.end(), 0U);
  LaneOrders one(ring, 1);
  std::vector<std::uint32_t> sets;  // of pairs, by order
  do {
    one.set_order(0, order);
    std::uint32_t set = 0;
    const std::uint32_t lane = 0;
    for (std::uint32_t from = 0; from < 5; ++from) {
      const std::vector<bool> to = reached(ring, one, RouterId(from), &lane);
      for (std::uint32_t r = 0; r < 5; ++r) set |= static_cast<std::uint32_t>(to[r]) << (from * 5 + r);
    }
    sets.push_back(set);
  } while (std::next_permutation(order.begin(), order.end()));
  const auto missing = [](std::uint32_t set) { return std::uint64_t{25} - std::popcount(set); };
  std::uint64_t fewest_on_one = 25;
  std::uint64_t fewest_on_two = 25;
  for (const std::uint32_t a : sets) {
    fewest_on_one = std::min(fewest_on_one, missing(a));
    for (const std::uint32_t b : sets) fewest_on_two = std::min(fewest_on_two, missing(a | b));
  }
  ASSERT_GT(fewest_on_two, 0U);
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    LaneOrders two(ring, 2);
    set_start_orders(ring, StartOrders::random, seed, one);
    set_start_orders(ring, StartOrders::random, seed, two);
    EXPECT_EQ(OrderRepair(ring, one, seed).run(3000, quiet), fewest_on_one);
    EXPECT_EQ(OrderRepair(ring, two, seed).run(3000, quiet), fewest_on_two);
    EXPECT_EQ(judge(ring, two), fewest_on_two);
  }
}

TEST(OrderRepair, LeavesOrdersWhereNothingIsMissing) {
  Progress quiet;
  const Network network = make_network("torus:4x4");
  LaneOrders orders(network, 2);
  set_start_orders(network, StartOrders::up_down, 0, orders);
  const std::vector<std::uint32_t> first = orders.order(0);
  const std::vector<std::uint32_t> second = orders.order(1);
  EXPECT_EQ(OrderRepair(network, orders, 1).run(1000, quiet), 0U);
  EXPECT_EQ(orders.order(0), first);
  EXPECT_EQ(orders.order(1), second);
}

TEST(OrderRepair, OneSeedOneResult) {
  Progress quiet;
  const Network network = make_network("jellyfish:routers=40,degree=4");
  std::vector<std::vector<std::uint32_t>> results;
  for (const std::uint64_t seed : {7U, 7U, 8U}) {
    LaneOrders orders(network, 1);
    set_start_orders(network, StartOrders::random, 3, orders);
    (void)OrderRepair(network, orders, seed).run(2000, quiet);
    results.push_back(orders.order(0));
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_NE(results[0], results[2]);
}

TEST(OrderRepair, CanBeInterrupted) {
  const Network network = make_network("uniring:9");
  LaneOrders orders(network, 1);
  const std::vector<std::uint32_t> before = orders.order(0);
  const test::StopAfter stop(2);
  EXPECT_THROW((void)OrderRepair(network, orders, 1).run(1000, stop), Interrupted);
  EXPECT_EQ(orders.order(0), before);
}

TEST(OrderRepair, NoChannelsAndNoTerminals) {
  Progress quiet;
  for (const std::uint32_t routers : {1U, 3U}) {
    NetworkBuilder builder;
    builder.add_routers(routers);
    if (routers == 3) builder.add_terminal(RouterId(1));
    const Network network = std::move(builder).build();
    LaneOrders orders(network, 2);
    EXPECT_EQ(OrderRepair(network, orders, 1).run(10, quiet), 0U);
  }
}

}  // namespace
}  // namespace unknot
