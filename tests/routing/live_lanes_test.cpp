// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/live_lanes/live_lanes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "effort.hpp"
#include "random_events.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/load/channel_load.hpp"
#include "unknot/network/connectivity.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/live/live_lane_check.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

struct Case {
  const char* fabric;
  const char* engine;
};

/// Lanes and none, paths of one and many lanes, routers without terminals, and with more than 64.
std::vector<Case> lane_cases() {
  return {{"torus:4x4,p=2", "dfsssp"},
          {"torus:3x3x3", "unknot"},
          {"dragonfly:a=4,h=2,p=2", "unknot:paths=dealt"},
          {"hyperx:3x4,p=2", "dor"},
          {"jellyfish:routers=24,degree=4,terminals=48", "unknot:paths=dealt"},
          {"jellyfish:routers=16,degree=3,terminals=40", "lash"},
          {"deimos", "nue"},
          {"xgft:m=4x3,w=2x2", "updn"},
          {"torus:3x3,p=70", "unknot"}};
}

Routing tables_of(const Network& network, const char* engine) {
  Progress quiet;
  EngineRequest request;
  request.virtual_lanes = 7;
  request.threads = 1;
  return route(network, engine, request, quiet);
}

Network living(const LiveLanes& live) {
  return with_faults(live.network().network(), live.network().faults());
}

TEST(LiveLanes, EveryEventEndsProven) {
  Progress quiet;
  std::uint32_t escaped = 0;
  std::uint32_t moved = 0;
  for (const Case& one : lane_cases()) {
    const Network whole = make_network(one.fabric);
    const Routing routing = tables_of(whole, one.engine);
    for (std::uint32_t seed = 1; seed <= (fewer_cases() ? 1U : 3U); ++seed) {
      LiveLanes live(whole, routing, 16);
      LiveLaneCheck check(whole, routing, live.lanes(), live.orders());
      ASSERT_TRUE(check.verdict().usable()) << check.verdict().why;
      RandomEvents events(live.network(), seed);
      for (int step = 0; step < (whole.terminal_count() > 200 ? 25 : 120); ++step) {
        const LiveChange change = events.next();
        const LaneUpdate& update = live.apply(change);
        escaped += update.escaped;
        moved += update.escape_moved ? 1 : 0;
        const LiveLaneVerdict& verdict = check.apply(change, update.entries, update.levels);
        ASSERT_TRUE(verdict.usable()) << one.fabric << " step " << step << ": " << verdict.why;
        ASSERT_TRUE(check.tables() == live.tables());
        const Network now = living(live);
        const Routing current = live.routing_now();
        const Verdict anew = verify(now, current, {}, quiet);
        ASSERT_TRUE(anew.deadlock_free && anew.loop_free()) << one.fabric << " step " << step;
        ASSERT_EQ(anew.unroutable_pairs, disconnected_pairs(now).count) << one.fabric << " step " << step;
        const std::vector<std::uint64_t> load = channel_load(now, current, 1);
        std::uint32_t next = 0;
        for (const ChannelId c : whole.channels()) {
          ASSERT_EQ(live.load()[c.value], live.network().alive(c) ? load[next++] : 0) << one.fabric;
        }
      }
    }
  }
  EXPECT_GT(escaped, 0U);
  EXPECT_GT(moved, 0U);
}

TEST(LiveLanes, HopsAreThoseOfSearches) {
  for (const Case& one : lane_cases()) {
    const Network whole = make_network(one.fabric);
    LiveNetwork network(whole);
    std::vector<RouterId> homes;
    for (const RouterId r : whole.routers()) homes.push_back(r);
    HopCounts hops(network, homes);
    RandomEvents events(network, 6);
    std::vector<HopCounts::Nearer> nearer;
    for (int step = 0; step < 60; ++step) {
      const LiveEvent event = network.apply(events.next());
      const HopCounts fresh(network, homes);
      for (std::uint32_t home = 0; home < homes.size(); ++home) {
        const std::vector<std::uint8_t> before(hops.towards(home), hops.towards(home) + homes.size());
        hops.update(home, event, nearer);
        std::vector<std::uint8_t> listed(homes.size(), 0);
        for (const HopCounts::Nearer& each : nearer) {
          listed[each.router.value] = 1;
          ASSERT_EQ(each.was_far, before[each.router.value] == HopCounts::kFar);
        }
        for (std::uint32_t r = 0; r < homes.size(); ++r) {
          ASSERT_EQ(hops.towards(home)[r], fresh.towards(home)[r]) << one.fabric << " step " << step;
          if (hops.towards(home)[r] < before[r] && r != home) {
            ASSERT_EQ(listed[r], 1);
          }
        }
      }
    }
  }
}

TEST(LiveLanes, OnlyWhatIsCutIsReroutedByADeath) {
  const Network whole = make_network("jellyfish:routers=64,degree=8,terminals=256");
  const Routing routing = tables_of(whole, "unknot:paths=dealt");
  LiveLanes live(whole, routing, 16);
  std::mt19937 random(5);
  std::uint64_t others = 0;
  std::uint64_t all = 0;
  for (int step = 0; step < 30; ++step) {
    const ChannelId c(static_cast<std::uint32_t>(random() % whole.channel_count()));
    if (!live.network().alive(c)) continue;
    LiveChange change;
    change.dead_channels = {c, whole.reverse(c)};
    const LaneUpdate& update = live.apply(change);
    // A path that is cut has one entry that names the cable; more only where lanes want it.
    for (const EntryChange& entry : update.entries) {
      const ChannelId old = whole.out(entry.router)[entry.before];
      others += live.network().alive(old) ? 1 : 0;
      ++all;
    }
  }
  EXPECT_GT(all, 500U);
  EXPECT_LT(others * 2, all);
}

TEST(LiveLanes, WhatComesBackIsUsedAgainAndLoadsStayEven) {
  const Network whole = make_network("jellyfish:routers=64,degree=8,terminals=256");
  const Routing routing = tables_of(whole, "unknot:paths=dealt");
  LiveLanes live(whole, routing, 16);
  const auto most = [&] { return *std::max_element(live.load().begin(), live.load().end()); };
  const std::uint32_t before = most();
  std::mt19937 random(8);
  for (int step = 0; step < 300; ++step) {
    const ChannelId c(static_cast<std::uint32_t>(random() % whole.channel_count()));
    LiveChange dies;
    dies.dead_channels = {c, whole.reverse(c)};
    LiveChange returns;
    returns.back_channels = dies.dead_channels;
    live.apply(dies);
    ASSERT_EQ(live.load()[c.value], 0U);
    live.apply(returns);
    ASSERT_GT(live.load()[c.value], 0U);
  }
  EXPECT_LT(most(), 1.3 * before);
  Progress quiet;
  const Verdict verdict = verify(whole, live.routing_now(), {}, quiet);
  EXPECT_LT(verdict.longer_pairs * 100, verdict.pairs);
}

TEST(LiveLanes, WhatCannotBeFollowedIsRefused) {
  const Network whole = make_network("torus:4x4,p=2");
  const Routing routing = tables_of(whole, "dfsssp");
  EXPECT_THROW(LiveLanes(whole, routing, routing.virtual_lanes), InputError);
  EXPECT_THROW(LiveLanes(whole, tables_of(whole, "sssp"), 8), RoutingFailure);
  const Network nodes = make_network("torus:4x4");
  const Routing routes = tables_of(nodes, "angara-bfs");  // of sources
  EXPECT_THROW(LiveLanes(nodes, routes, 8), InputError);
  // Tables by anyone may have a pair without a level, and a router that keeps what is for its own terminals.
  Routing level = routing;
  level.service_levels.row(0)[5] = ServiceLevels::kMissing;
  EXPECT_THROW(LiveLanes(whole, level, 8), RoutingFailure);
  Routing home = routing;
  home.table().set(whole.router_of(TerminalId(5)), TerminalId(5), ForwardingTable::kNone);
  EXPECT_THROW(LiveLanes(whole, home, 8), RoutingFailure);
  LiveLanes live(whole, routing, 8);
  LiveChange change;
  change.dead_channels = {ChannelId(0)};
  EXPECT_THROW((void)live.apply(change), InputError);
  change.dead_channels = {ChannelId(whole.channel_count())};
  EXPECT_THROW((void)live.apply(change), std::out_of_range);
}

}  // namespace
}  // namespace unknot
