// SPDX-License-Identifier: Apache-2.0
// A route for each pair, inside orders of channels: what every_engine_test.cpp does not ask.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "unknot/engines/catalogue.hpp"
#include "unknot/load/channel_load.hpp"
#include "unknot/routing/orders/start_orders.hpp"
#include "unknot/routing/source_routed/rising_routes.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

/// Channels of a route and its lane, judged by the orders alone.
void expect_rising(const Network& network, const LaneOrders& orders, const Routing& routing) {
  for (const TerminalId s : network.terminals()) {
    for (const TerminalId d : network.terminals()) {
      const auto route = routing.routes()->route(s, d);
      const std::uint32_t lane = routing.service_levels.get(s, d);
      ASSERT_LT(lane, orders.lanes());
      for (std::size_t i = 1; i < route.size(); ++i)
        ASSERT_TRUE(orders.after(lane, route[i].value, route[i - 1].value));
    }
  }
}

TEST(RisingRoutes, RiseAndAreCountedRightly) {
  Progress quiet;
  for (const char* spec : {"torus:4x3,p=2", "petersen", "random:switches=12,links=25,terminals=20,seed=3"}) {
    SCOPED_TRACE(spec);
    const Network network = make_network(spec);
    LaneOrders orders(network, 3);
    set_start_orders(network, StartOrders::up_down, 0, orders);
    RisingRoutes routes(network, orders);
    ASSERT_EQ(routes.route_all(quiet), 0U);
    Random random(7);
    std::uint32_t before = routes.greatest_load();
    for (const double power : {2.0, 4.0, 8.0, 16.0}) {
      routes.balance(power, random, quiet);
      const Routing routing = routes.routing();
      expect_rising(network, orders, routing);
      const Verdict verdict = verify(network, routing, {}, quiet);
      EXPECT_TRUE(verdict.usable());
      EXPECT_EQ(verdict.total_hops, routes.hops());
      const std::vector<std::uint64_t> load = channel_load(network, routing);
      EXPECT_TRUE(std::equal(load.begin(), load.end(), routes.load().begin(), routes.load().end()));
    }
    EXPECT_LE(routes.greatest_load(), before);
  }
}

/// Each change lowers the sum of a power of the loads, so that the same power once more cannot raise it.
TEST(RisingRoutes, ARoundLowersTheSumOfPowers) {
  Progress quiet;
  const Network network = make_network("jellyfish:routers=24,degree=5");
  LaneOrders orders(network, 2);
  set_start_orders(network, StartOrders::up_down, 0, orders);
  RisingRoutes routes(network, orders);
  ASSERT_EQ(routes.route_all(quiet), 0U);
  // A channel's price is that of its last pair: the sum of all of them, one after the other.
  const auto sum = [&](double power) {
    double all = 0;
    for (const std::uint32_t load : routes.load()) {
      for (std::uint32_t pair = 1; pair <= load; ++pair) all += std::pow(pair + 1.0, power);
    }
    return all;
  };
  Random random(1);
  for (int round = 0; round < 6; ++round) {
    const double before = sum(3);
    const std::uint64_t changed = routes.balance(3, random, quiet);
    EXPECT_TRUE(changed == 0 ? sum(3) == before : sum(3) < before) << round;
  }
}

TEST(SourceRouted, BalancesWhereTreesOfDestinationsCannot) {
  Progress quiet;
  EngineRequest request;
  request.virtual_lanes = 4;
  for (const auto& [spec, most] : {std::pair("dragonfly:a=4,h=2,p=2", 1.08),
                                   {"slimfly:q=5", 1.02},
                                   {"jellyfish:routers=64,degree=6", 1.07}}) {
    const Network network = make_network(spec);
    const Routing routing = route(network, "source-routed", request, quiet);
    const Verdict verdict = verify(network, routing, {}, quiet);
    EXPECT_TRUE(verdict.usable()) << spec;
    EXPECT_LE(verdict.lanes_used, 4U) << spec;
    const LoadStatistics load = load_statistics(channel_load(network, routing));
    // No routing has a greatest load below the mean of shortest paths.
    const double least = static_cast<double>(verdict.total_hops) / network.channel_count();
    EXPECT_LE(static_cast<double>(load.max), most * least) << spec;
  }
}

/// On one lane searched orders leave pairs out. They are mended, where Up*/Down* in their place (what there
/// is without a search) would crowd the channels about its root.
TEST(SourceRouted, KeepsItsOrdersOnFewLanes) {
  Progress quiet;
  EngineRequest request;
  request.virtual_lanes = 1;
  for (const char* spec : {"jellyfish:routers=64,degree=4", "jellyfish:routers=128,degree=6"}) {
    const Network network = make_network(spec);
    const Routing routing = route(network, "source-routed", request, quiet);
    EXPECT_TRUE(verify(network, routing, {}, quiet).usable()) << spec;
    const auto greatest = [&](const Routing& each) {
      return load_statistics(channel_load(network, each)).max;
    };
    EXPECT_LT(2 * greatest(routing), greatest(route(network, "source-routed:effort=0", request, quiet)))
        << spec;
  }
}

TEST(SourceRouted, EveryPairOnOneLane) {
  Progress quiet;
  EngineRequest request;
  request.virtual_lanes = 1;
  for (const char* spec : {"torus:5x5", "ring:9", "jellyfish:routers=40,degree=4", "hypercube:5"}) {
    const Network network = make_network(spec);
    for (const char* engine : {"source-routed", "source-routed:effort=0", "source-routed:rounds=0"}) {
      const Verdict verdict = verify(network, route(network, engine, request, quiet), {}, quiet);
      EXPECT_TRUE(verdict.usable()) << spec << " " << engine;
      EXPECT_EQ(verdict.lanes_used, 1U);
    }
  }
}

TEST(SourceRouted, CablesThatGoOneWay) {
  Progress quiet;
  EngineRequest request;
  request.virtual_lanes = 1;
  // A ring of one direction has no routes without a cycle on one lane, and has on two.
  const Network ring = make_network("uniring:5");
  EXPECT_THROW((void)route(ring, "source-routed", request, quiet), RoutingFailure);
  request.virtual_lanes = 4;
  try {
    const Verdict verdict = verify(ring, route(ring, "source-routed", request, quiet), {}, quiet);
    EXPECT_TRUE(verdict.usable());
  } catch (const RoutingFailure& failure) {
    EXPECT_NE(std::string(failure.what()).find("have no route"), std::string::npos);
  }
}

TEST(SourceRouted, WhatIsTooLargeIsSaid) {
  const Network network = make_network("full-mesh:3,p=2731");
  EXPECT_NE(refusal(find_engine("source-routed"), network).find("at most 8192 terminals"), std::string::npos);
}

}  // namespace
}  // namespace unknot
