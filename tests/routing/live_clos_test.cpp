// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/live/live_clos.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "effort.hpp"
#include "random_events.hpp"
#include "unknot/load/channel_load.hpp"
#include "unknot/network/connectivity.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/network/live/cut_pairs.hpp"
#include "unknot/network/live/live_network.hpp"
#include "unknot/routing/engines.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

/// Trees of two, three and four levels of routers, with parallel cables and without; the last two are none.
std::vector<Network> trees() {
  std::vector<Network> all;
  for (const char* spec :
       {"xgft:m=4x3,w=2x2", "xgft:m=6,w=4,terminals=20", "kary-ntree:k=2,n=4", "xgft:m=3x2x2,w=2x2x2",
        "xgft:m=4x4,w=2x3,terminals=61", "kary-ntree:k=3,n=3", "deimos", "torus:3x3"})
    all.push_back(make_network(spec));
  return all;
}

/// Of random numbers, in each of the tests.
std::uint32_t seeds() {
  return fewer_cases() ? 2 : 4;
}

Routing clos_anew(const Network& network, std::uint32_t threads = 1) {
  Progress quiet;
  EngineRequest request;
  request.threads = threads;
  return clos_engine().run(network, request, quiet);
}

Network now(const LiveClos& live) {
  return with_faults(live.network().network(), live.network().faults());
}

Routing routing_now(const LiveClos& live) {
  Routing routing;
  routing.engine = "clos";
  routing.paths = live.table_now();
  return routing;
}

TEST(LiveNetwork, HasTheChannelsThatFaultsLeave) {
  for (const Network& whole : trees()) {
    LiveNetwork live(whole);
    RandomEvents events(live, 3);
    for (int step = 0; step < 40; ++step) {
      live.apply(events.next());
      const Network less = with_faults(whole, live.faults());
      std::vector<RouterId> old_number;
      for (const RouterId r : whole.routers()) {
        if (live.alive(r)) old_number.push_back(r);
      }
      ASSERT_EQ(old_number.size(), less.router_count());
      ASSERT_EQ(live.live_channel_count(), less.channel_count());
      for (const RouterId r : less.routers()) {
        const auto out = live.out(old_number[r.value]);
        ASSERT_EQ(out.size(), less.out(r).size());
        for (std::uint32_t i = 0; i < out.size(); ++i) {
          ASSERT_EQ(whole.target(out[i]), old_number[less.target(less.out(r)[i]).value]);
          ASSERT_EQ(whole.source_port(out[i]), less.source_port(less.out(r)[i]));
        }
      }
    }
  }
}

TEST(LiveNetwork, PairsThatAreCutOffAreThoseOfTheRest) {
  std::uint64_t some = 0;
  for (const Network& whole : trees()) {
    LiveNetwork live(whole);
    RandomEvents events(live, 9);
    for (int step = 0; step < 40; ++step) {
      LiveChange change = events.next();
      if (step % 10 == 9) change.dead_channels.emplace_back(step % whole.channel_count());  // one direction
      live.apply(change);
      const std::uint64_t cut = cut_pairs(live);
      ASSERT_EQ(cut, disconnected_pairs(with_faults(whole, live.faults())).count);
      some += cut;
    }
  }
  EXPECT_GT(some, 0U);
}

TEST(LiveClos, ExactIsWhatTheEngineMakesAnew) {
  Progress quiet;
  int followed = 0;
  int anew = 0;
  for (const Network& whole : trees()) {
    for (std::uint32_t seed = 1; seed <= seeds(); ++seed) {
      const Faults dead = seed % 2 == 0 ? parse_faults(whole, "cable-rate=0.1,seed=4") : Faults{};
      LiveClos live(whole, dead, {Upkeep::exact, seed}, quiet);
      ASSERT_EQ(live.table_now(), clos_anew(now(live)).table()) << whole.description();
      RandomEvents events(live.network(), seed);
      for (int step = 0; step < 40; ++step) {
        const ForwardingTable before = live.table();
        const LiveUpdate& update = live.apply(events.next(), quiet);
        (update.anew ? anew : followed) += 1;
        ASSERT_EQ(live.table_now(), clos_anew(now(live)).table()) << whole.description() << " step " << step;
        ForwardingTable after = before;
        for (const EntryChange& change : update.entries) {
          ASSERT_EQ(after.get(change.router, change.destination), change.before);
          ASSERT_NE(change.before, change.after);
          after.set(change.router, change.destination, change.after);
        }
        ASSERT_EQ(after, live.table()) << whole.description();
      }
    }
  }
  EXPECT_GT(followed, 150);
  EXPECT_GT(anew, 50);
}

TEST(LiveClos, ExactHeedsRoots) {
  Progress quiet;
  for (const Network& whole : trees()) {
    EngineRequest request;
    request.threads = 1;
    // Some of the highest, so that others stand beside them or below.
    for (std::uint32_t r = whole.router_count() - 3; r < whole.router_count(); ++r)
      request.guidance.roots.push_back(whole.router_guid(RouterId(r)));
    std::optional<LiveClos> live;
    try {
      live.emplace(whole, Faults{}, LiveOptions{Upkeep::exact, 1, request.guidance.roots}, quiet);
    } catch (const RoutingFailure&) {
      EXPECT_THROW((void)clos_engine().run(whole, request, quiet), RoutingFailure);
      continue;
    }
    RandomEvents events(live->network(), 7);
    for (int step = 0; step < 20; ++step) {
      const LiveChange change = events.next();
      std::optional<Routing> anew;
      bool failed = false;
      try {
        live->apply(change, quiet);
      } catch (const RoutingFailure&) {
        failed = true;
      }
      try {
        anew = clos_engine().run(now(*live), request, quiet);
      } catch (const RoutingFailure&) {
        ASSERT_TRUE(failed);
        continue;
      }
      ASSERT_FALSE(failed);
      ASSERT_EQ(live->table_now(), anew->table()) << whole.description() << " step " << step;
    }
  }
}

TEST(LiveClos, StickyGoesOnFromTablesInForce) {
  Progress quiet;
  const Network whole = make_network("xgft:m=4x4,w=3x4,terminals=100");
  LiveClos first(whole, {}, {}, quiet);
  RandomEvents events(first.network(), 4);
  for (int step = 0; step < 30; ++step) {
    first.apply(events.next(), quiet);
    const ForwardingTable table = first.table_now();
    const LiveClos second(whole, first.network().faults(), {}, quiet, &table);
    ASSERT_EQ(second.table_now(), table) << step;
  }
}

TEST(LiveClos, StickyDeliversWhateverIsConnectedWithoutDeadlock) {
  Progress quiet;
  int followed = 0;
  for (const Network& whole : trees()) {
    for (std::uint32_t seed = 1; seed <= seeds(); ++seed) {
      const Faults dead = seed % 2 == 0 ? parse_faults(whole, "cable-rate=0.1,seed=4") : Faults{};
      LiveClos live(whole, dead, {Upkeep::sticky, 1}, quiet);
      LiveClos threaded(whole, dead, {Upkeep::sticky, 3}, quiet);
      RandomEvents events(live.network(), seed);
      for (int step = 0; step < 40; ++step) {
        const ForwardingTable before = live.table();
        const LiveChange next = events.next();
        const LiveUpdate& update = live.apply(next, quiet);
        ASSERT_EQ(threaded.apply(next, quiet).entries.size(), update.entries.size());
        ASSERT_EQ(threaded.table(), live.table());
        followed += update.anew ? 0 : 1;
        const Network network = now(live);
        const Verdict verdict = verify(network, routing_now(live), {}, quiet);
        ASSERT_EQ(verdict.unroutable_pairs, disconnected_pairs(network).count)
            << whole.description() << " step " << step;
        ASSERT_TRUE(verdict.deadlock_free && verdict.loop_free()) << whole.description();
        ForwardingTable after = before;
        for (const EntryChange& change : update.entries)
          after.set(change.router, change.destination, change.after);
        ASSERT_EQ(after, live.table()) << whole.description();
      }
    }
  }
  EXPECT_GT(followed, 250);
}

TEST(LiveClos, TablesInForceAreMendedAlikeByAnyNumberOfThreads) {
  Progress quiet;
  std::size_t filled = 0;
  for (const Network& whole : trees()) {
    // Cables have come back, nobody knows when: nothing goes over them.
    const LiveClos before(whole, parse_faults(whole, "cable-rate=0.1,seed=9"), {Upkeep::sticky, 1}, quiet);
    const LiveClos one(whole, {}, {Upkeep::sticky, 1}, quiet, &before.table());
    const LiveClos three(whole, {}, {Upkeep::sticky, 3}, quiet, &before.table());
    EXPECT_EQ(one.table(), three.table()) << whole.description();
    filled += one.table() == before.table() ? 0 : 1;
    const Verdict verdict = verify(whole, routing_now(one), {}, quiet);
    EXPECT_EQ(verdict.unroutable_pairs, 0U);
    EXPECT_TRUE(verdict.deadlock_free && verdict.loop_free()) << whole.description();
  }
  EXPECT_GT(filled, 2U);
}

TEST(LiveClos, StickyMovesWhatCannotStayAndNothingElse) {
  Progress quiet;
  const Network whole = make_network("xgft:m=4x4,w=3x4,terminals=100");
  LiveClos live(whole, {}, {}, quiet);
  std::mt19937 random(5);
  for (int step = 0; step < 30; ++step) {
    const ChannelId c(static_cast<std::uint32_t>(random() % whole.channel_count()));
    if (!live.network().alive(c)) continue;
    LiveChange change;
    change.dead_channels = {c, whole.reverse(c)};
    const LiveUpdate& update = live.apply(change, quiet);
    if (update.anew) continue;
    const Network network = now(live);
    const Verdict verdict = verify(network, routing_now(live), {}, quiet);
    for (const EntryChange& entry : update.entries) {
      ASSERT_LT(entry.before, ForwardingTable::kStray);
      const ChannelId old = whole.out(entry.router)[entry.before];
      if (!live.network().alive(old)) continue;
      // The next router had a way of its own by channels that all lead the same way; it has none any more.
      const std::uint32_t there = live.table().get(whole.target(old), entry.destination);
      const bool came_down = whole.levels()[whole.target(old).value] < whole.levels()[entry.router.value];
      if (there >= ForwardingTable::kStray) continue;
      const RouterId next = whole.target(whole.out(whole.target(old))[there]);
      const bool goes_up = whole.levels()[next.value] > whole.levels()[whole.target(old).value];
      ASSERT_TRUE(came_down || goes_up) << step;
    }
    EXPECT_TRUE(verdict.deadlock_free);
  }
}

TEST(LiveClos, WhatComesBackIsUsedAgain) {
  Progress quiet;
  const Network whole = make_network("xgft:m=8x8,w=4x4,terminals=512");
  LiveClos live(whole, {}, {}, quiet);
  const auto load_of = [&](ChannelId c) {
    const Network network = now(live);
    return channel_load(network, routing_now(live), 1)[c.value];
  };
  const RouterId leaf(0);
  for (const RouterId r : whole.routers()) {
    if (!whole.terminals_at(r).empty() && r != leaf) continue;
    const ChannelId c = whole.out(r)[0];
    const std::uint64_t before = load_of(c);
    LiveChange dies;
    dies.dead_channels = {c, whole.reverse(c)};
    ASSERT_FALSE(live.apply(dies, quiet).anew);
    LiveChange returns;
    returns.back_channels = dies.dead_channels;
    ASSERT_FALSE(live.apply(returns, quiet).anew);
    EXPECT_GT(load_of(c) * 10, before * 7) << whole.channel_name(c);
    EXPECT_LT(load_of(c) * 10, before * 13) << whole.channel_name(c);
  }
}

TEST(LiveClos, LoadsStayEvenForSomeEvents) {
  Progress quiet;
  const Network whole = make_network("xgft:m=12x12,w=8x8,terminals=1728");
  LiveClos live(whole, parse_faults(whole, "cable-rate=0.05"), {}, quiet);
  std::vector<ChannelId> dead = live.network().faults().channels;
  std::mt19937 random(2);
  for (int step = 0; step < 20; ++step) {
    LiveChange change;
    const auto at = static_cast<long>(random() % dead.size());
    change.back_channels = {dead[static_cast<std::size_t>(at)],
                            whole.reverse(dead[static_cast<std::size_t>(at)])};
    std::erase_if(dead,
                  [&](ChannelId c) { return c == change.back_channels[0] || c == change.back_channels[1]; });
    const ChannelId c(static_cast<std::uint32_t>(random() % whole.channel_count()));
    if (live.network().alive(c)) {
      change.dead_channels = {c, whole.reverse(c)};
      dead.insert(dead.end(), change.dead_channels.begin(), change.dead_channels.end());
    }
    live.apply(change, quiet);
  }
  const Network network = now(live);
  const auto most = [&](const Routing& routing) {
    const std::vector<std::uint64_t> load = channel_load(network, routing, 1);
    return static_cast<double>(*std::max_element(load.begin(), load.end()));
  };
  EXPECT_LT(most(routing_now(live)), 1.25 * most(clos_anew(network)));
}

TEST(LiveClos, UnknownPartsAreRefused) {
  Progress quiet;
  const Network whole = make_network("xgft:m=4x3,w=2x2");
  LiveClos live(whole, {}, {}, quiet);
  const ForwardingTable before = live.table();
  LiveChange change;
  change.dead_channels = {ChannelId(whole.channel_count())};
  EXPECT_THROW((void)live.apply(change, quiet), std::out_of_range);
  EXPECT_EQ(live.table(), before);
}

}  // namespace
}  // namespace unknot
