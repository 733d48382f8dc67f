// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/live/live_proof.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "effort.hpp"
#include "random_events.hpp"
#include "unknot/network/connectivity.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/live/dependency_counts.hpp"
#include "unknot/verify/verify.hpp"
#include "verify/fabrics.hpp"

namespace unknot {
namespace {

using testing::random_fabric;
using testing::random_walks;
using testing::shortest_paths;

/// What a network less its dead parts has of a table of the whole.
Routing what_is_left(const LiveNetwork& live, const ForwardingTable& table) {
  const Network& whole = live.network();
  const Network now = with_faults(whole, live.faults());
  ForwardingTable left(now);
  RouterId there(0);
  for (const RouterId r : whole.routers()) {
    if (!live.alive(r)) continue;
    const auto out = live.out(r);
    TerminalId to(0);
    for (const TerminalId t : whole.terminals()) {
      if (!live.alive(whole.router_of(t))) continue;
      std::uint32_t entry = table.get(r, t);
      if (entry < ForwardingTable::kStray) {
        const ChannelId c = whole.out(r)[entry];
        const auto at = std::find(out.begin(), out.end(), c);
        entry = at == out.end() ? ForwardingTable::kStray : static_cast<std::uint32_t>(at - out.begin());
      }
      left.set(there, to, entry);
      ++to.value;
    }
    ++there.value;
  }
  Routing routing;
  routing.paths = std::move(left);
  return routing;
}

/// The verdict from scratch, by the checker of whole tables.
LiveVerdict from_scratch(const LiveNetwork& live, const ForwardingTable& table) {
  Progress quiet;
  const Network now = with_faults(live.network(), live.faults());
  const Verdict verdict = verify(now, what_is_left(live, table), {.threads = 1}, quiet);
  LiveVerdict all;
  all.pairs = verdict.pairs;
  all.unroutable_pairs = verdict.unroutable_pairs;
  all.looping_pairs = verdict.looping_pairs;
  all.dependencies = verdict.dependencies;
  all.deadlock_free = verdict.deadlock_free;
  all.disconnected_pairs = verdict.unroutable_pairs == 0 ? 0 : disconnected_pairs(now).count;
  return all;
}

void expect_same(const LiveVerdict& got, const LiveVerdict& expected, const std::string& where) {
  ASSERT_EQ(got.pairs, expected.pairs) << where;
  ASSERT_EQ(got.unroutable_pairs, expected.unroutable_pairs) << where;
  ASSERT_EQ(got.looping_pairs, expected.looping_pairs) << where;
  ASSERT_EQ(got.disconnected_pairs, expected.disconnected_pairs) << where;
  ASSERT_EQ(got.dependencies, expected.dependencies) << where;
  ASSERT_EQ(got.deadlock_free, expected.deadlock_free) << where;
}

/// How often what was seen, so that nobody tests the same thing all the time.
struct Seen {
  int deadlocks = 0, loops = 0, losses = 0, cuts = 0, clean = 0;
  void add(const LiveVerdict& verdict) {
    deadlocks += verdict.deadlock_free ? 0 : 1;
    loops += verdict.looping_pairs > 0 ? 1 : 0;
    losses += verdict.lost_pairs() > 0 ? 1 : 0;
    cuts += verdict.disconnected_pairs > 0 ? 1 : 0;
    clean += verdict.proven() ? 1 : 0;
  }
};

std::uint32_t random_entry(const Network& network, RouterId r, Random& random) {
  const std::uint32_t marks[] = {ForwardingTable::kNone, ForwardingTable::kStray, ForwardingTable::kHere};
  const std::uint32_t degree = network.out(r).size();
  if (degree == 0 || random.below(6) == 0) return marks[random.below(3)];
  return random.below(degree);
}

/// Parts and entries change at random for some events; `right` is what the table is mended to.
void follow(const Network& network, const ForwardingTable& start, const ForwardingTable& right,
            std::uint64_t seed, int events, Seen& seen) {
  Random random(seed, 5);
  ForwardingTable table = start;
  LiveProof proof(network, Faults{}, table);
  expect_same(proof.verdict(), from_scratch(proof.network(), table), "start");
  RandomEvents parts(proof.network(), static_cast<std::uint32_t>(seed));
  for (int step = 0; step < events; ++step) {
    LiveChange change;
    if (random.below(2) == 0 && network.channel_count() > 0) change = parts.next();
    std::vector<EntryChange> entries;
    const bool mends = random.below(3) == 0;
    const std::uint32_t many = random.below(20) == 0 ? 400 : random.below(mends ? 60 : 6);
    for (std::uint32_t i = 0; i < many && network.terminal_count() > 0; ++i) {
      const RouterId r(random.below(network.router_count()));
      const TerminalId t(random.below(network.terminal_count()));
      const std::uint32_t after = mends ? right.get(r, t) : random_entry(network, r, random);
      entries.push_back({r, t, table.get(r, t), after});
      table.set(r, t, after);
    }
    const LiveVerdict& verdict = proof.apply(change, entries);
    expect_same(verdict, from_scratch(proof.network(), table),
                network.description() + " seed " + std::to_string(seed) + " step " + std::to_string(step));
    if (::testing::Test::HasFatalFailure()) return;
    seen.add(verdict);
  }
  for (const RouterId r : network.routers()) {
    for (const TerminalId t : network.terminals()) ASSERT_EQ(proof.entry(r, t), table.get(r, t));
  }
}

TEST(LiveProof, FollowsWhatVerifyFindsOnRandomFabrics) {
  Seen seen;
  const std::uint64_t cases = fewer_cases() ? 150 : 2000;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    Random random(seed);
    const Network network = random_fabric(random, seed % 4 != 0, 12, seed % 5 == 0 ? 1 : 3);
    const Routing right = shortest_paths(network, seed);
    const Routing start = seed % 3 == 0 ? random_walks(network, seed) : right;
    follow(network, start.table(), right.table(), seed, 40, seen);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(seen.deadlocks, 300);
  EXPECT_GT(seen.loops, 300);
  EXPECT_GT(seen.losses, 300);
  EXPECT_GT(seen.cuts, 100);
  EXPECT_GT(seen.clean, 30);
}

TEST(LiveProof, FollowsWhatVerifyFindsOnTreesAndRings) {
  Seen seen;
  std::uint64_t seed = 100;
  for (const char* spec : {"xgft:m=4x3,w=2x2", "kary-ntree:k=3,n=3", "torus:4x4,p=2", "ring:9", "deimos"}) {
    const Network network = make_network(spec);
    const Routing right = shortest_paths(network, ++seed);
    follow(network, right.table(), right.table(), seed, fewer_cases() ? 25 : 200, seen);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(seen.deadlocks, 10);
  EXPECT_GT(seen.loops, 10);
}

/// The hub has 300: entries of two bytes.
TEST(LiveProof, FollowsRoutersWithManyChannels) {
  const Network network = testing::star(300, 1);
  const Routing right = shortest_paths(network, 1);
  Seen seen;
  follow(network, right.table(), right.table(), 3, 10, seen);
}

/// Of a ring of one-way turns that all packets take, each state is known by heart.
TEST(LiveProof, RingOfTurnsDeadlocksUntilOneIsMended) {
  const Network network = testing::ring(5);
  ForwardingTable table(network);
  std::vector<EntryChange> clockwise;
  for (const RouterId r : network.routers()) {
    for (const TerminalId t : network.terminals()) {
      if (network.router_of(t) == r) continue;
      for (std::uint32_t i = 0; i < network.out(r).size(); ++i) {
        if (network.target(network.out(r)[i]).value == (r.value + 1) % 5)
          clockwise.push_back({r, t, ForwardingTable::kNone, i});
      }
    }
  }
  LiveProof proof(network, Faults{}, table);
  EXPECT_EQ(proof.verdict().unroutable_pairs, 20U);
  EXPECT_EQ(proof.verdict().lost_pairs(), 20U);
  EXPECT_TRUE(proof.verdict().deadlock_free);
  EXPECT_FALSE(proof.apply({}, clockwise).deadlock_free);
  EXPECT_EQ(proof.verdict().unroutable_pairs, 0U);
  EXPECT_EQ(proof.verdict().dependencies, 5U);
  // A cable dies: nothing turns there any more, and all packets over it are lost, though a way is left.
  LiveChange cut;
  for (const ChannelId c : network.channels()) {
    if (network.source(c).value + network.target(c).value == 1) cut.dead_channels.push_back(c);
  }
  EXPECT_TRUE(proof.apply(cut, {}).deadlock_free);
  EXPECT_EQ(proof.verdict().lost_pairs(), 10U);
  EXPECT_EQ(proof.verdict().disconnected_pairs, 0U);
  LiveChange mended;
  mended.back_channels = cut.dead_channels;
  EXPECT_FALSE(proof.apply(mended, {}).deadlock_free);
  EXPECT_TRUE(proof.verdict().lost_pairs() == 0);
}

TEST(LiveProof, RefusesWhatTheNetworkDoesNotHaveAndStaysAsItWas) {
  const Network network = testing::ring(4);
  const Routing right = shortest_paths(network, 1);
  LiveProof proof(network, Faults{}, right.table());
  const LiveVerdict before = proof.verdict();
  const EntryChange stranger{RouterId(4), TerminalId(0), 0, 0};
  LiveChange dies;
  dies.dead_routers = {RouterId(1)};
  EXPECT_THROW(proof.apply(dies, {&stranger, 1}), std::out_of_range);
  LiveChange nobody;
  nobody.dead_routers = {RouterId(9)};
  EXPECT_THROW(proof.apply(nobody, {}), std::out_of_range);
  EXPECT_EQ(proof.apply({}, {}), before);
  EXPECT_THROW(LiveProof(testing::ring(5), Faults{}, right.table()), std::invalid_argument);
}

/// Whether a set of arcs has a cycle: vertices without arcs are taken away until none is left.
bool has_cycle(std::set<std::pair<std::uint32_t, std::uint32_t>> arcs) {
  for (bool taken = true; taken;) {
    taken = false;
    for (auto at = arcs.begin(); at != arcs.end();) {
      const auto after = arcs.lower_bound({at->second, 0});
      const bool leads_on = after != arcs.end() && after->first == at->second;
      if (leads_on) {
        ++at;
      } else {
        at = arcs.erase(at);
        taken = true;
      }
    }
  }
  return !arcs.empty();
}

TEST(DependencyCounts, KnowsCyclesOnEachLaneAndKeepsAnOrder) {
  int cyclic = 0;
  int acyclic = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed, 2);
    const Network network = random_fabric(random, true, 7);
    if (network.channel_count() == 0) continue;
    constexpr std::uint32_t kLanes = 2;
    DependencyCounts counts(network, kLanes);
    std::multiset<std::pair<std::uint32_t, std::uint32_t>> all;
    for (int step = 0; step < 60; ++step) {
      for (std::uint32_t i = 1 + random.below(step % 10 == 0 ? 30 : 4); i > 0; --i) {
        const std::uint32_t c = random.below(network.channel_count());
        const IdRange<ChannelId> out = network.out(network.target(ChannelId(c)));
        const std::uint32_t lane = random.below(kLanes);
        if (out.empty()) continue;
        const std::uint32_t position = random.below(out.size());
        const std::uint32_t base = lane * network.channel_count();
        const std::pair arc(base + c, base + out.first() + position);
        const auto held = all.find(arc);
        if (held != all.end() && random.below(3) != 0) {
          counts.remove(c, position, lane);
          all.erase(held);
        } else if (random.below(3) == 0) {
          counts.add(c, position, lane);
          all.insert(arc);
        }
      }
      counts.settle();
      const std::set<std::pair<std::uint32_t, std::uint32_t>> arcs(all.begin(), all.end());
      ASSERT_EQ(counts.arc_count(), arcs.size());
      ASSERT_EQ(counts.acyclic(), !has_cycle(arcs)) << "seed " << seed << " step " << step;
      ASSERT_EQ(counts.places_hold(), counts.acyclic());
      for (const auto& [from, to] : arcs) {
        ASSERT_TRUE(!counts.acyclic() || counts.places()[from] < counts.places()[to]);
      }
      (counts.acyclic() ? acyclic : cyclic) += 1;
    }
  }
  EXPECT_GT(cyclic, 300);
  EXPECT_GT(acyclic, 300);
}

}  // namespace
}  // namespace unknot
