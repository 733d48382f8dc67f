// SPDX-License-Identifier: Apache-2.0
#include "unknot/live/live_fabric.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "effort.hpp"
#include "random_events.hpp"
#include "unknot/formats/live/part_names.hpp"
#include "unknot/formats/tables/transition_file.hpp"
#include "unknot/network/connectivity.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

/// What is in force, of the whole network; entries into dead cables lead nowhere.
Routing in_force(const LiveFabric& fabric) {
  Routing routing;
  ForwardingTable table(fabric.network());
  for (const RouterId r : fabric.network().routers()) {
    for (const TerminalId t : fabric.network().terminals()) table.set(r, t, fabric.entry(r, t));
  }
  routing.paths = std::move(table);
  return routing;
}

/// The same by the numbers of what lives, for the checker of whole tables.
Verdict from_scratch(const LiveFabric& fabric) {
  Progress quiet;
  const Network& whole = fabric.network();
  const LiveNetwork& live = fabric.live();
  const Network now = with_faults(whole, live.faults());
  ForwardingTable table(now);
  RouterId there(0);
  for (const RouterId r : whole.routers()) {
    if (!live.alive(r)) continue;
    TerminalId to(0);
    for (const TerminalId t : whole.terminals()) {
      if (!live.alive(whole.router_of(t))) continue;
      std::uint32_t entry = fabric.entry(r, t);
      if (entry < ForwardingTable::kStray) {
        const std::uint16_t port = whole.source_port(whole.out(r)[entry]);
        const ChannelId c = now.channel_at(there, port);
        entry = c.valid() ? c.value - now.out(there).first() : ForwardingTable::kStray;
      }
      table.set(there, to, entry);
      ++to.value;
    }
    ++there.value;
  }
  Routing routing;
  routing.paths = std::move(table);
  return verify(now, routing, {.threads = 1}, quiet);
}

std::string line_of(const Network& network, const LiveChange& change) {
  std::string text = "# an event\n";
  const auto hex = [&](RouterId r) {
    char word[32];
    std::snprintf(word, sizeof word, "0x%llx", static_cast<unsigned long long>(network.router_guid(r)));
    return std::string(word);
  };
  const auto port = [&](ChannelId c) {
    return hex(network.source(c)) + ":" + std::to_string(network.source_port(c));
  };
  for (const RouterId r : change.dead_routers) text += "dead " + hex(r) + "\n";
  for (const RouterId r : change.back_routers) text += "  back " + hex(r) + " # again\n";
  for (const ChannelId c : change.dead_channels) text += "dead " + port(c) + "\r\n";
  for (const ChannelId c : change.back_channels) text += "back " + port(c) + "\n";
  return text;
}

TEST(LiveFabric, EachEventIsProvenAndWrittenAsADifference) {
  Progress quiet;
  int events = 0;
  for (const char* spec : {"xgft:m=4x3,w=2x2", "xgft:m=6,w=4,terminals=20", "kary-ntree:k=3,n=3", "deimos"}) {
    for (const bool exact : {false, true}) {
      LiveFabricOptions options;
      options.exact = exact;
      LiveFabric fabric(make_network(spec), Faults{}, options, quiet);
      RandomEvents parts(fabric.live(), exact ? 3 : 4);
      const int steps = fewer_cases() ? 15 : 100;
      for (int step = 0; step < steps; ++step) {
        Routing before = in_force(fabric);
        const LiveStep& taken = fabric.apply_events(line_of(fabric.network(), parts.next()), "event", quiet);
        const Verdict verdict = from_scratch(fabric);
        ASSERT_EQ(taken.verdict.pairs, verdict.pairs);
        ASSERT_EQ(taken.verdict.unroutable_pairs, verdict.unroutable_pairs);
        ASSERT_EQ(taken.verdict.dependencies, verdict.dependencies);
        ASSERT_EQ(taken.verdict.deadlock_free, verdict.deadlock_free);
        ASSERT_TRUE(taken.verdict.proven()) << spec << " step " << step;
        ASSERT_EQ(taken.verdict.disconnected_pairs,
                  disconnected_pairs(with_faults(fabric.network(), fabric.live().faults())).count);
        // The file alone makes the old tables the new ones.
        for (const TransitionStep& file :
             parse_transition(fabric.network(), before, fabric.difference(), "d"))
          apply_step(file, before);
        ASSERT_EQ(before.table(), in_force(fabric).table()) << spec << " step " << step;
        ++events;
      }
    }
  }
  EXPECT_GT(events, 100);
}

TEST(LiveFabric, CableListMakesItWhatTheListSays) {
  Progress quiet;
  LiveFabric one(make_network("xgft:m=4x3,w=2x2"), Faults{}, {}, quiet);
  LiveFabric other(make_network("xgft:m=4x3,w=2x2"), Faults{}, {}, quiet);
  RandomEvents parts(one.live(), 8);
  for (int step = 0; step < 60; ++step) {
    one.apply(parts.next(), quiet);
    if (step % 3 != 0) continue;  // several events in one list
    other.apply_cable_list(one.cable_list(), "list", quiet);
    for (const RouterId r : one.network().routers()) ASSERT_EQ(one.live().alive(r), other.live().alive(r));
    for (const ChannelId c : one.network().channels())
      ASSERT_EQ(one.live().alive(c), other.live().alive(c)) << "step " << step;
    ASSERT_TRUE(other.verdict().proven());
    ASSERT_EQ(other.verdict().pairs, one.verdict().pairs);
  }
}

TEST(LiveFabric, RefusesLinesThatMeanNothingAndStaysAsItWas) {
  Progress quiet;
  LiveFabric fabric(make_network("xgft:m=4x3,w=2x2"), Faults{}, {}, quiet);
  const LiveVerdict before = fabric.verdict();
  const std::string list = fabric.cable_list();
  for (const char* text : {"gone 0x1", "dead", "dead0x1", "dead 5", "dead 0x1 0x2", "dead 0xffffffffff",
                           "dead 0xffffffffff:1", "dead 0x1:", "back 0x1:99999999", "dead 0x1:123456789012"})
    EXPECT_THROW(fabric.apply_events(text, "event", quiet), InputError) << text;
  for (const char* text : {"0xffffffffff", "leaf-1", "0x1:1", "0x1:1 0x2", "0x1:1 0x2:3 4"})
    EXPECT_THROW(fabric.apply_cable_list(text, "list", quiet), InputError) << text;
  const std::size_t cut = list.find(':');
  ASSERT_NE(cut, std::string::npos);
  std::string elsewhere = list;
  elsewhere.insert(elsewhere.find('\n', cut), "1");  // another port at the far end
  EXPECT_THROW(fabric.apply_cable_list(elsewhere, "list", quiet), InputError);
  LiveChange nobody;
  nobody.dead_routers = {RouterId(1000)};
  EXPECT_THROW(fabric.apply(nobody, quiet), std::out_of_range);
  EXPECT_EQ(fabric.verdict(), before);
  EXPECT_EQ(fabric.cable_list(), list);
  try {
    fabric.apply_events("# fine\n\ndead here\n", "event.txt", quiet);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("event.txt:3"), std::string::npos) << error.what();
  }
}

/// Below two roots at opposite ends of a ring most pairs have no path that goes up, then down; below one of
/// them all have. What is in force is judged on what is left meanwhile, and the next event that can be routed
/// makes good for both.
TEST(LiveFabric, GoesOnAfterAnEventWithoutTables) {
  Progress quiet;
  for (const bool exact : {false, true}) {
    const Network network = make_network("ring:8,p=2");
    LiveFabricOptions options;
    options.exact = exact;
    options.roots = {network.router_guid(RouterId(0)), network.router_guid(RouterId(4))};
    Faults dead;
    dead.routers = {RouterId(4)};
    LiveFabric fabric(make_network("ring:8,p=2"), dead, options, quiet);
    EXPECT_TRUE(fabric.verdict().proven());
    for (const RouterId other : {RouterId(2), RouterId(7)}) {
      LiveChange back;
      back.back_routers = {RouterId(4)};
      EXPECT_THROW(fabric.apply(back, quiet), RoutingFailure);
      EXPECT_TRUE(fabric.live().alive(RouterId(4)));
      EXPECT_TRUE(fabric.last().entries.empty());
      EXPECT_GT(fabric.verdict().lost_pairs(), 0U);
      EXPECT_EQ(fabric.verdict().unroutable_pairs, from_scratch(fabric).unroutable_pairs);
      EXPECT_EQ(fabric.verdict().pairs, from_scratch(fabric).pairs);
      LiveChange dies;
      dies.dead_routers = {RouterId(4), other};
      fabric.apply(dies, quiet);
      EXPECT_EQ(fabric.verdict().lost_pairs(), 0U);
      EXPECT_EQ(fabric.verdict().unroutable_pairs, from_scratch(fabric).unroutable_pairs);
      EXPECT_GT(fabric.verdict().disconnected_pairs, 0U);
      LiveChange mended;
      mended.back_routers = {other};
      EXPECT_TRUE(fabric.apply(mended, quiet).verdict.proven());
      EXPECT_EQ(fabric.verdict().unroutable_pairs, 0U);
    }
  }
}

}  // namespace
}  // namespace unknot
