// SPDX-License-Identifier: Apache-2.0
// Adaptive routing in the model: what is proven runs, what is not can be seen to lock.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "simulate/escape_routing.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/routing/adaptive/adaptive_groups.hpp"
#include "unknot/simulate/core/engine.hpp"
#include "unknot/simulate/deadlock_watch.hpp"
#include "unknot/simulate/plan/lane_proof.hpp"
#include "unknot/simulate/run.hpp"
#include "unknot/simulate/sources/destinations.hpp"
#include "unknot/simulate/sources/packet_list.hpp"
#include "unknot/simulate/sources/steady_source.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "unknot/verify/adaptive/adaptive_verdict.hpp"
#include "unknot/verify/verify.hpp"
#include "verify/random_relations.hpp"

namespace unknot::simulate {
namespace {

const Progress kSilent;

enum class Router { input_queued, output_queued, trains };

/// Buffers of `places` packets of two flits, one with whole packets of one.
Settings small(Router router, std::uint32_t vcs, std::uint32_t places) {
  Settings s;
  s.vcs = vcs;
  s.packet_flits = router == Router::output_queued ? 1 : 2;
  s.vc_buffer = s.output_buffer = places * s.packet_flits;
  s.router = router == Router::input_queued ? RouterKind::input_queued : RouterKind::input_output_queued;
  s.switching = router == Router::output_queued ? Switching::wormhole : Switching::virtual_cut_through;
  if (router == Router::trains) s.arbitration = Arbitration::packets;
  return s;
}

/// Packets to deliver at full load, then all of them. Empty, or what is wrong.
std::string run_and_drain(const RoutePlan& plan, const Settings& s, std::uint64_t cycles,
                          std::uint64_t seed) {
  const Destinations to(plan.network, make_pattern(plan.network, "uniform"), seed);
  SteadySource source(to, plan.network.terminal_count(), 1, s.packet_flits, seed);
  const LinkTimes links = link_times(plan.network, s);
  const auto engine = make_engine(plan, s, links, source);
  engine->recorder.speedup = s.speedup;
  engine->recorder.keep_deliveries = true;
  engine->run_until(cycles);
  if (const std::string law = engine->broken_law(); !law.empty()) return law;
  const DeadlockCycle deadlock = find_deadlock(*engine, plan, s);
  if (!deadlock.empty()) return "deadlock:\n" + describe(deadlock, plan);
  return engine->recorder.deliveries().size() < cycles / 20 ? "hardly anything arrives" : "";
}

/// Every pair that sends has a level, and no choice loses a packet.
bool can_run(const RandomRelation& relation, const AdaptiveVerdict& verdict) {
  const ServiceLevels& levels = relation.routing.service_levels;
  for (const TerminalId a : relation.network.terminals()) {
    for (const TerminalId b : relation.network.terminals())
      if (!levels.empty() && a != b && levels.get(a, b) >= LaneMap::kLevels) return false;
  }
  return verdict.delivers();
}

TEST(SimulatedRelation, WhatIsProvenNeverLocks) {
  std::uint32_t by_escape = 0, acyclic = 0, locked = 0, unproven = 0;
  for (std::uint64_t seed = 1; seed <= 5000; ++seed) {
    const RandomRelation relation = random_relation(seed, 8);
    Progress silent;
    AdaptiveVerifyOptions options;
    options.committed = seed % 5 == 0;
    const AdaptiveVerdict verdict = verify_adaptive(relation.network, relation.routing, options, silent);
    if (!can_run(relation, verdict)) continue;
    if (verdict.method == AdaptiveMethod::acyclic && seed % 16 != 0) continue;  // most are
    const RoutePlan plan = plan_adaptive(relation.network, relation.routing, options.committed);
    for (const Router router : {Router::input_queued, Router::output_queued, Router::trains}) {
      const Settings s = small(router, plan.lanes_needed + static_cast<std::uint32_t>(seed % 2), 1);
      const std::string wrong = run_and_drain(plan, s, 1500, seed);
      if (verdict.deadlock_free()) {
        ASSERT_EQ(wrong, "") << "relation " << seed << ", router " << static_cast<int>(router);
      } else {
        locked += wrong.starts_with("deadlock") ? 1 : 0;
      }
    }
    by_escape += verdict.method == AdaptiveMethod::escape ? 1 : 0;
    acyclic += verdict.method == AdaptiveMethod::acyclic ? 1 : 0;
    unproven += verdict.deadlock_free() ? 0 : 1;
  }
  EXPECT_GT(by_escape, 10U);
  EXPECT_GT(acyclic, 100U);
  EXPECT_GT(unproven, 50U);
  EXPECT_GT(locked, 50U);  // and the watch sees it
}

/// Nearer ports around the tables of an engine, which stay the escape.
TEST(SimulatedEscape, RunsAtFullLoadAndItsCommittedTwinLocks) {
  const Network network = make_network("torus:4x4,p=2");
  const AdaptiveRouting routing = escape_around(network, "lash");
  Progress silent;
  EXPECT_THAT(prove_lanes(network, routing, false, 1, silent).statement, testing::HasSubstr("by an escape"));
  const LaneProof committed = prove_lanes(network, routing, true, 1, silent);
  EXPECT_FALSE(committed.deadlock_free);
  EXPECT_NE(committed.witness, "");
  for (const Router router : {Router::input_queued, Router::output_queued, Router::trains}) {
    const RoutePlan plan = plan_adaptive(network, routing, false);
    EXPECT_EQ(run_and_drain(plan, small(router, plan.lanes_needed, 2), 20000, 1), "");
    const RoutePlan twin = plan_adaptive(network, routing, true);
    EXPECT_THAT(run_and_drain(twin, small(router, twin.lanes_needed, 2), 20000, 1),
                testing::AllOf(testing::StartsWith("deadlock"), testing::HasSubstr("lane 0: a packet from")));
  }
}

/// The escape taken out: all shortest ways of a torus on one lane.
TEST(SimulatedEscape, BrokenOneLocksAndEveryChoiceIsNamed) {
  const Network network = make_network("torus:4x4,p=2");
  Progress silent;
  const AdaptiveRouting routing = shortest_groups(network, nullptr, 1, silent);
  ASSERT_FALSE(verify_adaptive(network, routing, {}, silent).deadlock_free());
  const RoutePlan plan = plan_adaptive(network, routing, false);
  std::string all;
  for (const Router router : {Router::input_queued, Router::output_queued, Router::trains}) {
    for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
      const std::string wrong = run_and_drain(plan, small(router, 1, 2), 20000, seed);
      EXPECT_THAT(wrong, testing::StartsWith("deadlock"));
      all += wrong;
    }
  }
  EXPECT_THAT(all, testing::HasSubstr("more that never come free"));
}

TEST(SimulatedEscape, RunsForTenMillionCycles) {
  const Network network = make_network("torus:4x4,p=2");
  const RoutePlan plan = plan_adaptive(network, escape_around(network, "lash"), false);
  Settings s = small(Router::input_queued, plan.lanes_needed, 1);
  s.warmup = 1000;
  s.drain = 1;
  const TrafficPattern uniform = make_pattern(network, "uniform");
  s.measure = 20'000;
  const double at_first = run_steady(plan, s, uniform, 1, kSilent).accepted;
  s.measure = 10'000'000;
  const SteadyReport report = run_steady(plan, s, uniform, 1, kSilent);
  EXPECT_TRUE(report.deadlock.empty());
  EXPECT_GE(report.cycles, 10'000'000U);
  EXPECT_NEAR(report.accepted, at_first, 0.02 * at_first);  // it does not slow down either
  EXPECT_GT(report.accepted, 0.06);  // buffers of one packet hold it up, and the escape alone at .05
}

TEST(SimulatedAdaptive, GoesAroundWhereTablesMeet) {
  // Tables of minhop let many flows of a permutation share a channel to the top.
  const Network network = make_network("xgft:m=8x8,w=8x8");
  Progress silent;
  const Routing tables = route(network, "minhop", {}, silent);
  const AdaptiveRouting groups = up_down_groups(network, group_order(network), &tables.table(), 1, silent);
  Settings s = small(Router::output_queued, 1, 32);
  s.warmup = 1000;
  s.measure = 2000;
  const TrafficPattern pattern = make_pattern(network, "permutation");
  const double fixed = run_steady(plan_routing(network, tables, false), s, pattern, 1, kSilent).accepted;
  const double adaptive = run_steady(plan_adaptive(network, groups, false), s, pattern, 1, kSilent).accepted;
  EXPECT_GT(adaptive, 0.55);
  EXPECT_GT(adaptive, 3 * fixed);
}

TEST(SimulatedAdaptive, TakesShortestWaysAndHashesKeepToOne) {
  const Network network = make_network("hyperx:4x4,p=2");
  Progress silent;
  AdaptiveRouting routing = shortest_groups(network, nullptr, 1, silent);
  Settings s = small(Router::output_queued, 2, 32);
  s.warmup = 500;
  s.measure = 1000;
  const TrafficPattern pattern = make_pattern(network, "uniform");
  const SteadyReport report = run_steady(plan_adaptive(network, routing, false), s, pattern, 0.3, kSilent);
  const SteadyReport minimal =
      run_steady(plan_paths(network, {RoutePlan::Kind::minimal, "any", {}}), s, pattern, 0.3, kSilent);
  EXPECT_NEAR(report.hops_mean, minimal.hops_mean, 0.02);
  // A hash is one way for each pair: the channels of one pair's packets do not change with the load.
  for (AdaptivePlane& plane : routing.planes) {
    for (const RouterId r : network.routers()) {
      for (const TerminalId t : network.terminals()) {
        const std::uint16_t entry = plane.entry(r, t);
        if (entry >= AdaptivePlane::kHere) continue;
        Choice choice = plane.choices(r)[entry];
        choice.kind = ChoiceKind::hashed;
        plane.set(r, t, plane.add_choice(r, choice));
      }
    }
  }
  const RoutePlan hashed = plan_adaptive(network, routing, false);
  const AdaptivePlan& plan = *hashed.adaptive;
  std::set<std::uint16_t> taken;
  for (const TerminalId t : network.terminals()) {
    if (network.router_of(t) == RouterId(0)) continue;
    const auto options = plan.options(RouterId(0), 1, 0, 0, TerminalId(0), t);
    ASSERT_EQ(options.places.size(), 1U);
    EXPECT_FALSE(options.again);
    EXPECT_EQ(options.places[0], plan.options(RouterId(0), 1, 0, 0, TerminalId(0), t).places[0]);
    taken.insert(options.places[0]);
  }
  EXPECT_GT(taken.size(), 3U);
}

TEST(SimulatedAdaptive, PacketsThatMayNotBeAdaptiveTakeTheFixedPort) {
  const Network network = make_network("torus:4x4,p=1");
  AdaptiveRouting routing = escape_around(network, "dfsssp");
  routing.adaptive_levels = 0;
  const RoutePlan plan = plan_adaptive(network, routing, false);
  for (const RouterId r : network.routers()) {
    for (const TerminalId t : network.terminals()) {
      if (network.router_of(t) == r) continue;
      const Choice& choice = routing.planes[0].choices(r)[routing.planes[0].entry(r, t)];
      const auto options = plan.adaptive->options(r, 1, 0, 0, TerminalId(0), t);
      ASSERT_EQ(options.places.size(), 1U);
      EXPECT_FALSE(options.again);
      const ChannelId c = network.out(r)[choice.fixed];
      EXPECT_EQ(options.places[0], plan.ports.local(plan.ports.output_of_channel[c.value]));
    }
  }
}

TEST(SimulatedAdaptive, TheSameSeedGivesTheSameRun) {
  const Network network = make_network("torus:4x4,p=2");
  const RoutePlan plan = plan_adaptive(network, escape_around(network, "lash"), false);
  Settings s = small(Router::input_queued, plan.lanes_needed, 2);
  s.warmup = 500;
  s.measure = 500;
  const TrafficPattern pattern = make_pattern(network, "uniform");
  const SteadyReport a = run_steady(plan, s, pattern, 0.2, kSilent);
  const SteadyReport b = run_steady(plan, s, pattern, 0.2, kSilent);
  EXPECT_EQ(a.latency_mean, b.latency_mean);
  EXPECT_EQ(a.flit_hops, b.flit_hops);
}

TEST(SimulatedAdaptive, RefusesPacketsInSeveralBuffersAndPairsWithoutALevel) {
  const Network network = make_network("torus:3x3,p=1");
  AdaptiveRouting routing = escape_around(network, "dfsssp");
  Settings s = small(Router::input_queued, 4, 2);
  s.switching = Switching::wormhole;
  const TrafficPattern pattern = make_pattern(network, "uniform");
  const RoutePlan plan = plan_adaptive(network, routing, false);
  EXPECT_THAT([&] { run_steady(plan, s, pattern, 0.1, kSilent); },
              testing::ThrowsMessage<InputError>(testing::HasSubstr("lies in one buffer")));
  routing.service_levels = ServiceLevels(network, ServiceLevels::Rows::by_terminal, ServiceLevels::kMissing);
  const RoutePlan none = plan_adaptive(network, routing, false);
  s.switching = Switching::virtual_cut_through;
  EXPECT_THAT([&] { run_steady(none, s, pattern, 0.1, kSilent); },
              testing::ThrowsMessage<InputError>(testing::HasSubstr("no service level from")));
}

}  // namespace
}  // namespace unknot::simulate
