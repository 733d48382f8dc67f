// SPDX-License-Identifier: Apache-2.0
#include "unknot/live/live_lane_fabric.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "effort.hpp"
#include "random_events.hpp"
#include "refusal.hpp"
#include "routed.hpp"
#include "unknot/formats/tables/transition_file.hpp"
#include "unknot/network/connectivity.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

struct LaneCase {
  const char* fabric;
  const char* engine;
};

constexpr LaneCase kLaneCases[] = {{"torus:4x4,p=2", "unknot"},
                                   {"dragonfly:a=4,h=2,p=2", "unknot:paths=dealt"},
                                   {"jellyfish:routers=20,degree=4,terminals=40", "dfsssp"},
                                   {"hyperx:3x4,p=2", "unknot"},
                                   {"slimfly:q=3,p=2", "lash"},
                                   {"random:switches=16,links=28,terminals=40", "nue"},
                                   {"xgft:m=4x3,w=2x2", "updn"}};

LiveLaneOptions by(const char* engine, std::uint32_t lanes = 8) {
  LiveLaneOptions options;
  options.engine = engine;
  options.lanes = lanes;
  return options;
}

/// By the numbers of the whole network.
Routing whole_in_force(const LiveLaneFabric& fabric) {
  const Network& network = fabric.network();
  Routing routing;
  ForwardingTable table(network);
  routing.service_levels = ServiceLevels(network, ServiceLevels::Rows::by_router);
  for (const RouterId r : network.routers()) {
    const IdRange<TerminalId> senders = network.terminals_at(r);
    for (const TerminalId t : network.terminals()) {
      table.set(r, t, fabric.entry(r, t));
      if (senders.empty()) continue;
      routing.service_levels.row(routing.service_levels.row_of(senders[0]))[t.value] = fabric.level(r, t);
    }
  }
  routing.paths = std::move(table);
  routing.virtual_lanes = fabric.lanes();
  return routing;
}

void expect_as_from_scratch(const LiveLaneFabric& fabric, const std::string& where) {
  Progress quiet;
  const Network now = with_faults(fabric.network(), fabric.live().faults());
  const Routing routing = fabric.routing_now();
  ASSERT_LE(routing.virtual_lanes, fabric.lanes());
  const Verdict anew = verify(now, routing, {.threads = 1}, quiet);
  const LiveVerdict& verdict = fabric.verdict();
  ASSERT_EQ(verdict.pairs, anew.pairs) << where;
  ASSERT_EQ(verdict.unroutable_pairs, anew.unroutable_pairs) << where;
  ASSERT_EQ(verdict.disconnected_pairs, disconnected_pairs(now).count) << where;
  ASSERT_EQ(verdict.deadlock_free, anew.deadlock_free) << where;
  if (verdict.lost_pairs() == 0) {
    ASSERT_EQ(verdict.dependencies, anew.dependencies) << where;
  }
  ASSERT_EQ(verdict.proven(), fabric.why().empty()) << where << ": " << fabric.why();
}

TEST(LiveLaneFabric, EachEventIsProvenAndWrittenAsADifference) {
  Progress quiet;
  std::uint64_t levels = 0;
  std::uint64_t entries = 0;
  for (const LaneCase& one : kLaneCases) {
    LiveLaneFabric fabric(make_network(one.fabric), Faults{}, by(one.engine), quiet);
    ASSERT_TRUE(fabric.verdict().proven()) << fabric.why();
    expect_as_from_scratch(fabric, one.fabric);
    RandomEvents events(fabric.live(), 9);
    for (int step = 0; step < (fewer_cases() ? 25 : 150); ++step) {
      const std::string where = std::string(one.fabric) + " step " + std::to_string(step);
      Routing before = whole_in_force(fabric);
      const LiveStep& taken = fabric.apply(events.next(), quiet);
      ASSERT_TRUE(taken.verdict.proven()) << where << ": " << fabric.why();
      ASSERT_FALSE(taken.anew);
      expect_as_from_scratch(fabric, where);
      levels += taken.levels.size();
      entries += taken.entries.size();
      for (const LevelChange& change : taken.levels)
        ASSERT_EQ(fabric.level(fabric.router_of_row(change.row), change.destination), change.after) << where;
      // The file alone makes the old tables the new ones.
      for (const TransitionStep& file : parse_transition(fabric.network(), before, fabric.difference(), "d"))
        apply_step(file, before);
      const Routing after = whole_in_force(fabric);
      ASSERT_EQ(before.table(), after.table()) << where;
      ASSERT_EQ(before.service_levels, after.service_levels) << where;
    }
  }
  EXPECT_GT(levels, 100U);
  EXPECT_GT(entries, 1000U);
}

TEST(LiveLaneFabric, LinesAndListsSayWhatNumbersSay) {
  Progress quiet;
  LiveLaneFabric one(make_network("torus:4x4,p=2"), Faults{}, {}, quiet);
  LiveLaneFabric other(make_network("torus:4x4,p=2"), Faults{}, {}, quiet);
  RandomEvents events(one.live(), 4);
  for (int step = 0; step < 20; ++step) {
    one.apply(events.next(), quiet);
    other.apply_cable_list(one.cable_list(), "list", quiet);
    for (const RouterId r : one.network().routers()) ASSERT_EQ(one.live().alive(r), other.live().alive(r));
    for (const ChannelId c : one.network().channels()) ASSERT_EQ(one.live().alive(c), other.live().alive(c));
    ASSERT_EQ(other.verdict(), one.verdict()) << "step " << step;
  }
}

TEST(LiveLaneFabric, MadeAnewIsWhatBeginningNowWouldMake) {
  Progress quiet;
  for (const LaneCase& one : kLaneCases) {
    LiveLaneFabric fabric(make_network(one.fabric), Faults{}, by(one.engine), quiet);
    RandomEvents events(fabric.live(), 2);
    for (int step = 0; step < 15; ++step) fabric.apply(events.next(), quiet);
    const Routing before = whole_in_force(fabric);
    ASSERT_TRUE(fabric.make_anew(quiet).anew);
    expect_as_from_scratch(fabric, one.fabric);
    ASSERT_TRUE(fabric.verdict().proven()) << fabric.why();
    const LiveLaneFabric begun(make_network(one.fabric), fabric.live().faults(), by(one.engine), quiet);
    EXPECT_TRUE(begun.last().entries.empty() && begun.last().levels.empty());
    EXPECT_EQ(begun.verdict(), fabric.verdict());
    const Routing now = whole_in_force(fabric);
    EXPECT_EQ(whole_in_force(begun).table(), now.table());
    EXPECT_EQ(whole_in_force(begun).service_levels, now.service_levels);
    EXPECT_EQ(now.table() == before.table(), fabric.last().entries.empty());
    // And it goes on from there.
    fabric.apply(events.next(), quiet);
    expect_as_from_scratch(fabric, one.fabric);
  }
}

/// A ring that is cut has paths of more hops than are followed. What is in force is judged on what is left
/// meanwhile, and the next event that can be routed makes good for both.
TEST(LiveLaneFabric, GoesOnAfterAnEventWithoutTables) {
  Progress quiet;
  LiveLaneFabric fabric(make_network("ring:270"), Faults{}, by("dfsssp", 4), quiet);
  const Routing whole = whole_in_force(fabric);
  const Network& network = fabric.network();
  LiveChange dies;
  dies.dead_channels = {ChannelId(0), network.reverse(ChannelId(0))};
  EXPECT_THROW(fabric.apply(dies, quiet), RoutingFailure);
  EXPECT_FALSE(fabric.live().alive(ChannelId(0)));
  EXPECT_TRUE(fabric.last().entries.empty() && fabric.last().levels.empty());
  EXPECT_GT(fabric.verdict().lost_pairs(), 0U);
  expect_as_from_scratch(fabric, "cut");
  LiveChange other;
  other.dead_routers = {RouterId(100)};
  const LiveStep& parts = fabric.apply(other, quiet);
  EXPECT_TRUE(parts.anew);
  EXPECT_FALSE(parts.entries.empty());
  EXPECT_TRUE(parts.verdict.proven()) << fabric.why();
  EXPECT_GT(parts.verdict.disconnected_pairs, 0U);
  expect_as_from_scratch(fabric, "in two parts");
  LiveChange back;
  back.back_channels = dies.dead_channels;
  back.back_routers = other.dead_routers;
  fabric.apply(back, quiet);
  EXPECT_TRUE(fabric.verdict().proven()) << fabric.why();
  EXPECT_EQ(fabric.verdict().disconnected_pairs, 0U);
  expect_as_from_scratch(fabric, "whole");
}

TEST(LiveLaneFabric, TakesTablesByAnyone) {
  Progress quiet;
  const Network network = make_network("torus:4x4,p=2");
  const Routing routing = routed(network, "dfsssp", 7);
  LiveLaneFabric fabric(network, routing, Faults{}, 8);
  EXPECT_EQ(fabric.lanes(), routing.virtual_lanes + 1);
  EXPECT_EQ(whole_in_force(fabric).table(), routing.table());
  EXPECT_EQ(whole_in_force(fabric).service_levels, routing.service_levels);
  RandomEvents events(fabric.live(), 1);
  for (int step = 0; step < 20; ++step) {
    fabric.apply(events.next(), quiet);
    expect_as_from_scratch(fabric, "by anyone");
  }
  LiveChange back;
  back.back_routers = fabric.live().faults().routers;
  back.back_channels = fabric.live().faults().channels;
  fabric.apply(back, quiet);
  fabric.make_anew(quiet);
  EXPECT_EQ(whole_in_force(fabric).table(), routing.table());
  EXPECT_EQ(whole_in_force(fabric).service_levels, routing.service_levels);
  // Where no lane beyond theirs carries data there is none for what is cut off.
  Routing limited = routing;
  limit_lanes(limited, routing.virtual_lanes);
  const auto take = [&] { LiveLaneFabric(network, limited, Faults{}, 8); };
  EXPECT_NE(refusal(take).find("need one more"), std::string::npos) << refusal(take);
}

TEST(LiveLaneFabric, RefusesWhatItCannotFollow) {
  Progress quiet;
  const Network torus = make_network("torus:4x4,p=2");
  const auto open = [&](const Network& network, const LiveLaneOptions& options) {
    LiveLaneFabric(network, Faults{}, options, quiet);
  };
  for (const std::uint32_t lanes : {0U, 1U, 16U}) {
    const std::string said = refusal([&] { open(torus, by("unknot", lanes)); });
    EXPECT_NE(said.find("2 to 15 lanes"), std::string::npos) << said;
  }
  EXPECT_NE(refusal([&] { open(torus, by("nosuch")); }).find("nosuch"), std::string::npos);
  const Network nodes = make_network("torus:4x4");
  EXPECT_NE(refusal([&] { open(nodes, by("angara-bfs")); }).find("source routes"), std::string::npos);
  EXPECT_NE(refusal([&] { open(torus, by("dor")); }).find("must not depend on ports"), std::string::npos);
  const Network one_way = with_faults(torus, parse_faults(torus, "channels=3"));
  EXPECT_NE(refusal([&] { open(one_way, by("dfsssp")); }).find("cannot be followed"), std::string::npos);
  EXPECT_THROW(open(torus, by("sssp")), RoutingFailure);  // they can deadlock
  try {
    open(torus, by("dfsssp", 2));
    FAIL();
  } catch (const RoutingFailure& failure) {
    EXPECT_NE(std::string(failure.what()).find("of 2 lanes one is kept"), std::string::npos)
        << failure.what();
    EXPECT_NO_THROW(open(torus, by("dfsssp", failure.lanes_needed())));
  }
  Faults half;
  half.channels = {ChannelId(0)};
  EXPECT_THROW(LiveLaneFabric(torus, half, {}, quiet), InputError);
}

TEST(LiveLaneFabric, RefusesWhatNobodyKnowsAndStaysAsItWas) {
  Progress quiet;
  LiveLaneFabric fabric(make_network("torus:4x4,p=2"), Faults{}, {}, quiet);
  fabric.apply_events("dead " + fabric.cable_list().substr(0, 18), "event", quiet);
  const LiveVerdict before = fabric.verdict();
  const std::string list = fabric.cable_list();
  const std::size_t entries = fabric.last().entries.size();
  EXPECT_GT(entries, 0U);
  for (const char* text : {"gone 0x1", "dead 0xffffffffff", "dead 0xffffffffff:1", "back 0x1:99999999"})
    EXPECT_THROW(fabric.apply_events(text, "event", quiet), InputError) << text;
  EXPECT_THROW(fabric.apply_cable_list("0xffffffffff", "list", quiet), InputError);
  LiveChange half;
  half.dead_channels = {ChannelId(7)};
  EXPECT_THROW(fabric.apply(half, quiet), InputError);
  LiveChange nobody;
  nobody.dead_routers = {RouterId(1000)};
  EXPECT_THROW(fabric.apply(nobody, quiet), std::out_of_range);
  nobody = {};
  nobody.dead_channels = {ChannelId(1000)};
  EXPECT_THROW(fabric.apply(nobody, quiet), std::out_of_range);
  EXPECT_EQ(fabric.verdict(), before);
  EXPECT_EQ(fabric.last().entries.size(), entries);
  EXPECT_EQ(fabric.cable_list(), list);
  expect_as_from_scratch(fabric, "refused");
}

}  // namespace
}  // namespace unknot
