// SPDX-License-Identifier: Apache-2.0
// Orders of lanes by annealing: shortest routes counted by a judge of its own.
#include "unknot/routing/source_routed/order_annealing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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

namespace unknot {
namespace {

/// Routers by the hops of the shortest route from `home` that rises along a lane, or of the shortest path; by
/// breadth-first search over channels.
std::vector<std::uint32_t> route_hops(const Network& network, const LaneOrders& orders, RouterId home,
                                      const std::uint32_t* lane) {
  constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  std::vector<std::uint32_t> hops(network.router_count(), kNone);
  std::vector<bool> taken(network.channel_count(), false);
  std::vector<ChannelId> now;
  std::vector<ChannelId> next;
  hops[home.value] = 0;
  for (const ChannelId c : network.out(home)) next.push_back(c);
  for (std::uint32_t distance = 1; !next.empty(); ++distance) {
    now.swap(next);
    next.clear();
    for (const ChannelId c : now) {
      const RouterId to = network.target(c);
      hops[to.value] = std::min(hops[to.value], distance);
      for (const ChannelId on : network.out(to)) {
        if (taken[on.value] || (lane != nullptr && !orders.after(*lane, on.value, c.value))) continue;
        taken[on.value] = true;
        next.push_back(on);
      }
    }
  }
  return hops;
}

std::uint64_t count_detours(const Network& network, const LaneOrders& orders) {
  std::uint64_t detours = 0;
  for (const RouterId home : network.routers()) {
    if (network.terminals_at(home).empty()) continue;
    const std::vector<std::uint32_t> least = route_hops(network, orders, home, nullptr);
    std::vector<std::vector<std::uint32_t>> rising;
    for (std::uint32_t lane = 0; lane < orders.lanes(); ++lane)
      rising.push_back(route_hops(network, orders, home, &lane));
    for (const RouterId to : network.routers()) {
      if (network.terminals_at(to).empty()) continue;
      if (std::none_of(rising.begin(), rising.end(),
                       [&](const auto& by) { return by[to.value] == least[to.value]; }))
        ++detours;
    }
  }
  return detours;
}

/// What it says of the orders is so before and after, whatever the shape, and orders stay orders.
TEST(OrderAnnealing, CountsDetoursRightly) {
  Progress quiet;
  std::vector<Network> networks = test::small_networks();
  NetworkBuilder parts;
  parts.add_routers(9);
  for (std::uint32_t i = 0; i < 4; ++i) parts.add_cable(RouterId(i), RouterId((i + 1) % 4));
  for (std::uint32_t i = 4; i < 9; ++i) parts.add_channel(RouterId(i), RouterId(i == 8 ? 4 : i + 1));
  for (std::uint32_t i = 0; i < 9; ++i) parts.add_terminal(RouterId(i));
  networks.push_back(std::move(parts).build());
  networks.push_back(make_network("jellyfish:routers=150,degree=4"));  // three words of destinations
  for (Network& network : networks) {
    const test::CoverCase the(std::move(network));
    for (const std::uint32_t lanes : {1U, 2U}) {
      SCOPED_TRACE(the.network.description() + " " + std::to_string(lanes));
      LaneOrders orders(the.network, lanes);
      set_start_orders(the.network, StartOrders::random, 4, orders);
      OrderAnnealing annealing(the.network, the.level, orders, 9);
      EXPECT_EQ(annealing.detours(), count_detours(the.network, orders));
      const std::uint64_t left = annealing.run(300, quiet);
      EXPECT_EQ(left, annealing.detours());
      EXPECT_EQ(left, count_detours(the.network, orders));
      for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        std::vector<std::uint32_t> order = orders.order(lane);
        std::sort(order.begin(), order.end());
        std::vector<std::uint32_t> each(the.network.channel_count());
        std::iota(each.begin(), each.end(), 0U);
        EXPECT_EQ(order, each);
      }
    }
  }
}

TEST(OrderAnnealing, FindsShortestRoutes) {
  Progress quiet;
  // All pairs, where enough lanes are known to have them.
  for (const auto& [spec, lanes] : {std::pair("torus:6x6", 2U),
                                    {"hypercube:5", 1U},
                                    {"mesh:5x5", 1U},
                                    {"jellyfish:routers=64,degree=6", 2U}}) {
    const test::CoverCase the(spec);
    LaneOrders orders(the.network, lanes);
    set_start_orders(the.network, StartOrders::random, 1, orders);
    OrderAnnealing annealing(the.network, the.level, orders, 1);
    EXPECT_EQ(annealing.run(std::uint64_t{400} * the.network.channel_count(), quiet), 0U) << spec;
    EXPECT_EQ(count_detours(the.network, orders), 0U) << spec;
  }
}

/// Slower cooling finds more; no moves leave the orders as they are.
TEST(OrderAnnealing, MoreMovesLeaveFewerDetours) {
  Progress quiet;
  const test::CoverCase the("jellyfish:routers=100,degree=4");
  std::vector<std::uint64_t> left;
  for (const std::uint64_t a_channel : {0U, 5U, 100U}) {
    LaneOrders orders(the.network, 1);
    set_start_orders(the.network, StartOrders::up_down, 0, orders);
    const std::vector<std::uint32_t> before = orders.order(0);
    OrderAnnealing annealing(the.network, the.level, orders, 1);
    left.push_back(annealing.run(a_channel * the.network.channel_count(), quiet));
    EXPECT_EQ(a_channel == 0, orders.order(0) == before);
  }
  EXPECT_LT(left[2] * 4, left[0] * 3);
  EXPECT_LT(left[2], left[1]);
}

TEST(OrderAnnealing, OneSeedOneResult) {
  Progress quiet;
  const test::CoverCase the("jellyfish:routers=40,degree=4");
  std::vector<std::vector<std::uint32_t>> results;
  for (const std::uint64_t seed : {7U, 7U, 8U}) {
    LaneOrders orders(the.network, 2);
    (void)OrderAnnealing(the.network, the.level, orders, seed).run(500, quiet);
    results.push_back(orders.order(0));
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_NE(results[0], results[2]);
}

TEST(OrderAnnealing, CanBeInterrupted) {
  const test::CoverCase the("uniring:9");
  LaneOrders orders(the.network, 1);
  const test::StopAfter stop(2);
  EXPECT_THROW((void)OrderAnnealing(the.network, the.level, orders, 1).run(1000, stop), Interrupted);
}

}  // namespace
}  // namespace unknot
