// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/orders/start_orders.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "routing/lane_cover.hpp"
#include "unknot/routing/orders/order_search.hpp"

namespace unknot {
namespace {

constexpr StartOrders kKinds[] = {StartOrders::up_down, StartOrders::linear, StartOrders::dimension,
                                  StartOrders::random};

/// Ordered pairs of routers that some path along growing places of the order joins.
std::uint32_t reachable_pairs(const Network& network, const std::vector<std::uint32_t>& order) {
  std::uint32_t pairs = 0;
  for (const RouterId start : network.routers()) {
    std::vector<bool> reached(network.router_count(), false);
    reached[start.value] = true;
    for (const std::uint32_t c : order) {
      if (reached[network.source(ChannelId(c)).value]) reached[network.target(ChannelId(c)).value] = true;
    }
    pairs += static_cast<std::uint32_t>(std::count(reached.begin(), reached.end(), true)) - 1;
  }
  return pairs;
}

TEST(StartOrders, OnlyDimensionOrderAsksForCoordinates) {
  for (const Network& network : test::small_networks()) {
    for (const StartOrders kind : kKinds) {
      EXPECT_EQ(fits(kind, network), kind != StartOrders::dimension || network.coordinates() != nullptr)
          << network.description();
    }
  }
  EXPECT_FALSE(fits(StartOrders::dimension, make_network("slimfly:q=5")));
  EXPECT_TRUE(fits(StartOrders::dimension, make_network("torus:4x3")));
}

TEST(StartOrders, NameEachChannelOnceOnEveryLane) {
  int tried = 0;
  for (const Network& network : test::small_networks()) {
    std::vector<std::uint32_t> all(network.channel_count());
    std::iota(all.begin(), all.end(), 0);
    for (const StartOrders kind : kKinds) {
      if (!fits(kind, network)) continue;
      for (const std::uint32_t lanes : {1U, 2U, 3U, 5U, 16U}) {
        for (std::uint64_t variant = 0; variant < 4; ++variant) {
          LaneOrders orders(network, lanes);
          set_start_orders(network, kind, variant, orders);
          LaneOrders again(network, lanes);
          set_start_orders(network, kind, variant, again);
          EXPECT_EQ(orders.allowed(), again.allowed());
          for (std::uint32_t lane = 0; lane < lanes; ++lane) {
            std::vector<std::uint32_t> order = orders.order(lane);
            EXPECT_EQ(order, again.order(lane));
            std::sort(order.begin(), order.end());
            EXPECT_EQ(order, all) << network.description() << " lane " << lane;
          }
          ++tried;
        }
      }
    }
  }
  EXPECT_GT(tried, 500);
}

TEST(StartOrders, VariantsDiffer) {
  const Network network = make_network("torus:4x5");
  for (const StartOrders kind : kKinds) {
    std::set<std::vector<std::uint32_t>> seen;
    for (std::uint64_t variant = 0; variant < 6; ++variant) {
      LaneOrders orders(network, 2);
      set_start_orders(network, kind, variant, orders);
      seen.insert(orders.order(0));
    }
    EXPECT_GE(seen.size(), 3U) << static_cast<int>(kind);
  }
}

TEST(StartOrders, UpDownLetsEveryPairBeReachedOnEveryLane) {
  int tried = 0;
  for (const Network& network : test::small_networks()) {
    const bool one_way = std::any_of(network.channels().begin(), network.channels().end(),
                                     [&](ChannelId c) { return !network.reverse(c).valid(); });
    if (one_way) continue;
    for (std::uint64_t variant = 0; variant < 3; ++variant) {
      LaneOrders orders(network, 4);
      set_start_orders(network, StartOrders::up_down, variant, orders);
      for (std::uint32_t lane = 0; lane < 4; ++lane) {
        EXPECT_EQ(reachable_pairs(network, orders.order(lane)),
                  network.router_count() * (network.router_count() - 1))
            << network.description() << " variant " << variant << " lane " << lane;
      }
      ++tried;
    }
  }
  EXPECT_GE(tried, 15);
}

TEST(StartOrders, UpDownLanesHaveDifferentRoots) {
  const Network network = make_network("torus:4x4");
  LaneOrders orders(network, 4);
  set_start_orders(network, StartOrders::up_down, 0, orders);
  std::set<std::vector<std::uint32_t>> different;
  for (std::uint32_t lane = 0; lane < 4; ++lane) different.insert(orders.order(lane));
  EXPECT_EQ(different.size(), 4U);
}

TEST(StartOrders, LinearLanesGoUpwardsAndDownwardsInTurn) {
  // Variant 0 of the first lane arranges by id: down the ids first, then up; the second the other way round.
  const Network network = make_network("torus:4x3");
  LaneOrders orders(network, 2);
  set_start_orders(network, StartOrders::linear, 0, orders);
  for (std::uint32_t lane = 0; lane < 2; ++lane) {
    const std::vector<std::uint32_t> order = orders.order(lane);
    const std::uint32_t half = network.channel_count() / 2;
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      const ChannelId c(order[i]);
      const bool towards_smaller = network.target(c) < network.source(c);
      EXPECT_EQ(towards_smaller, (i < half) == (lane == 0));
    }
  }
}

TEST(StartOrders, DimensionOrderCoversToriWithALaneForEachPairOfCuts) {
  for (const char* spec : {"ring:5", "ring:8", "torus:4x4", "torus:5x5", "torus:3x4", "torus:6x5,p=2",
                           "torus:3x3x3", "torus:4x4x4", "torus:5x2x3"}) {
    const test::CoverCase torus((std::string(spec)));
    const Coordinates* const coordinates = torus.network.coordinates();
    ASSERT_NE(coordinates, nullptr) << spec;
    for (std::uint64_t variant = 0; variant < 3; ++variant) {
      LaneOrders orders(torus.network, 1U << coordinates->dimensions);
      set_start_orders(torus.network, StartOrders::dimension, variant, orders);
      const OrderSearch search(torus.network, torus.dags, torus.level, orders, OrderSearch::Tie::first, 1);
      EXPECT_EQ(search.uncovered(), 0U) << spec << " variant " << variant;
    }
  }
}

TEST(StartOrders, DimensionOrderCoversMeshesOnOneLane) {
  for (const char* spec : {"mesh:4x4", "mesh:3x4x2,p=2", "hypercube:4"}) {
    const test::CoverCase mesh((std::string(spec)));
    LaneOrders orders(mesh.network, 1);
    ASSERT_TRUE(fits(StartOrders::dimension, mesh.network)) << spec;
    set_start_orders(mesh.network, StartOrders::dimension, 0, orders);
    const OrderSearch search(mesh.network, mesh.dags, mesh.level, orders, OrderSearch::Tie::first, 1);
    EXPECT_EQ(search.uncovered(), 0U) << spec;
  }
}

}  // namespace
}  // namespace unknot
