// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "routed.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/load/channel_load.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

TEST(Lash, NeedsNoMoreLanesThanOpenSm) {
  // OpenSM 3.3.23, engine lash, on the same fabrics.
  const struct {
    const char* spec;
    std::uint32_t opensm;
  } known[] = {{"ring:5", 2},
               {"kautz:b=2,n=3,terminals=256", 2},
               {"kautz:b=3,n=3,terminals=1024", 3},
               {"kautz:b=4,n=3,terminals=2048", 4},
               {"slimfly:q=5,p=4", 2},
               {"dragonfly:a=8,h=4,p=4", 3},
               {"deimos", 2}};
  for (const auto& row : known) {
    const Network network = make_network(row.spec);
    EXPECT_LE(routed(network, "lash").lanes_needed, row.opensm) << row.spec;
  }
  EXPECT_EQ(routed(make_network("ring:5"), "lash").lanes_needed, 2U);  // one lane has a cycle
}

TEST(Lash, RandomNetworksNeedAboutThePublishedNumber) {
  // 64 switches, 128 cables: OpenSM needs 5.0 on average.
  double ordered = 0;
  double both = 0;
  const int seeds = 10;
  for (int seed = 1; seed <= seeds; ++seed) {
    const Network network =
        make_network("random:switches=64,links=128,terminals=1024,seed=" + std::to_string(seed));
    ordered += routed(network, "lash").lanes_needed;
    both += routed(network, "lash:pairs=both").lanes_needed;
  }
  EXPECT_LE(ordered / seeds, 5.0);
  EXPECT_GE(ordered / seeds, 2.0);
  EXPECT_LE(both / seeds, 5.0);
  EXPECT_GE(both, ordered - seeds);
}

TEST(Lash, FirstFoundPathsAreThoseOfOpenSm) {
  // OpenSM 3.3.23, engine lash: pairs over the busiest channel of the tables it dumped, and lanes needed. It
  // counts the paths between switches without terminals too: lanes are given where there are none.
  const struct {
    const char* spec;
    std::uint64_t max_load;
    std::uint32_t lanes;
  } known[] = {{"xgft:m=6,w=3,terminals=64", 583, 0},
               {"kary-ntree:k=6,n=3,terminals=512", 36636, 0},
               {"deimos", 7712, 0},
               {"kautz:b=3,n=3,terminals=512", 5587, 3},
               {"kautz:b=3,n=3,terminals=1024", 22374, 3},
               {"kautz:b=4,n=3,terminals=2048", 37105, 4},
               {"slimfly:q=5,p=4", 208, 2}};
  Progress quiet;
  for (const auto& row : known) {
    const Network network = make_network(row.spec);
    const Routing routing = routed(network, "lash:pairs=both,paths=first");
    EXPECT_EQ(load_statistics(channel_load(network, routing)).max, row.max_load) << row.spec;
    if (row.lanes > 0) {
      EXPECT_EQ(routing.lanes_needed, row.lanes) << row.spec;
    }
    const Verdict verdict = verify(network, routing, {}, quiet);
    EXPECT_TRUE(verdict.minimal() && verdict.deadlock_free) << row.spec;
  }
  const std::vector<std::uint32_t> small = {5, 4, 5, 5, 5, 5, 5, 5, 5, 5};
  for (std::size_t i = 0; i < small.size(); ++i) {
    const Network network =
        make_network("random:switches=64,links=128,terminals=1024,seed=" + std::to_string(i + 1));
    EXPECT_EQ(routed(network, "lash:pairs=both,paths=first").lanes_needed, small[i]) << i + 1;
  }
  const std::vector<std::uint32_t> large = {9, 9, 8, 8, 8};  // OpenSM fails with 8 on the first two
  for (std::size_t i = 0; i < large.size(); ++i) {
    const Network network =
        make_network("random:switches=128,links=200,terminals=2048,seed=" + std::to_string(i + 1));
    EXPECT_EQ(routed(network, "lash:pairs=both,paths=first").lanes_needed, large[i]) << i + 1;
  }
}

TEST(Lash, LanesRiseAndFallWithTheLinksOfRandomNetworks) {
  // Figure 9 of Domke, Hoefler, Nagel 2011: 128 switches with 16 endpoints; means over ten networks, both
  // directions on one lane, from an independent program.
  const struct {
    int links;
    double mean;
  } known[] = {{140, 3.7}, {200, 5.7}, {280, 5.6}, {400, 4.7}, {600, 4.0}};
  const int seeds = 5;
  for (const auto& point : known) {
    double lanes = 0;
    for (int seed = 1; seed <= seeds; ++seed) {
      const std::string spec =
          "random:switches=128,p=16,links=" + std::to_string(point.links) + ",seed=" + std::to_string(seed);
      lanes += routed(make_network(spec), "lash:pairs=both").lanes_needed;
    }
    EXPECT_NEAR(lanes / seeds, point.mean, 0.7) << point.links;
  }
}

TEST(Lash, TreesNeedOneLaneSinceOnlyRoutersWithTerminalsCount) {
  for (const char* spec : {"kary-ntree:k=6,n=3,terminals=512", "xgft:m=10x10,w=5x5", "mesh:9"}) {
    EXPECT_EQ(routed(make_network(spec), "lash").lanes_needed, 1U) << spec;
    EXPECT_EQ(routed(make_network(spec), "lash:pairs=both").lanes_needed, 1U) << spec;
  }
}

TEST(Lash, TerminalsOfARouterShareTheirPaths) {
  const Network network = make_network("kautz:b=3,n=3,terminals=100");
  const Routing routing = routed(network, "lash");
  for (const TerminalId t : network.terminals()) {
    const TerminalId first = network.terminals_at(network.router_of(t))[0];
    for (const RouterId r : network.routers()) {
      EXPECT_EQ(routing.table().get(r, t), routing.table().get(r, first));
    }
    for (const TerminalId s : network.terminals()) {
      EXPECT_EQ(routing.service_levels.get(s, t), routing.service_levels.get(s, first));
    }
  }
}

std::vector<ChannelId> path(const Network& network, const Routing& routing, TerminalId from, TerminalId to) {
  std::vector<ChannelId> channels;
  for (RouterId at = network.router_of(from); at != network.router_of(to);) {
    channels.push_back(routing.table().next(network, at, to));
    at = network.target(channels.back());
  }
  return channels;
}

TEST(Lash, BothDirectionsShareCablesAndLane) {
  Progress quiet;
  for (const char* spec : {"torus:4x4,p=2", "kautz:b=3,n=3", "deimos:p=1", "random:switches=40,links=90"}) {
    const Network network = make_network(spec);
    const Routing routing = routed(network, "lash:pairs=both");
    EXPECT_TRUE(verify(network, routing, {}, quiet).deadlock_free) << spec;
    for (const TerminalId a : network.terminals()) {
      for (const TerminalId b : network.terminals()) {
        if (network.router_of(a) == network.router_of(b)) continue;
        ASSERT_EQ(routing.service_levels.get(a, b), routing.service_levels.get(b, a)) << spec;
        const std::vector<ChannelId> there = path(network, routing, a, b);
        const std::vector<ChannelId> back = path(network, routing, b, a);
        ASSERT_EQ(there.size(), back.size());
        for (std::size_t i = 0; i < there.size(); ++i) {
          ASSERT_EQ(network.reverse(there[i]), back[there.size() - 1 - i]) << spec;
        }
      }
    }
  }
}

TEST(Lash, SaysWhatItLacks) {
  Progress quiet;
  EngineRequest one;
  one.virtual_lanes = 1;
  try {
    (void)route(make_network("ring:5"), "lash", one, quiet);
    FAIL() << "one lane has a cycle";
  } catch (const RoutingFailure& failure) {
    EXPECT_STREQ(failure.what(), "lash needs 2 virtual lanes here, 1 are allowed");
    EXPECT_EQ(failure.lanes_needed(), 2U);
  }
  EXPECT_THROW((void)route(make_network("uniring:5"), "lash:pairs=both", {}, quiet), RoutingFailure);
}

}  // namespace
}  // namespace unknot
