// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/play_failures.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "unknot/engines/catalogue.hpp"
#include "unknot/network/network_change.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/simulate/core/engine.hpp"
#include "unknot/simulate/run.hpp"
#include "unknot/simulate/settings/link_times.hpp"
#include "unknot/simulate/sources/destinations.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"
#include "unknot/tables/carry_over.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "unknot/verify/transition/plan_check.hpp"

namespace unknot::simulate {
namespace {

using Kind = FailureEvent::Kind;

Routing tables_of(const Network& network) {
  Progress quiet;
  return route(network, "updn", {}, quiet);
}

/// Tables for what works, on the whole network.
std::shared_ptr<const Routing> tables_without(const Network& network, const Faults& faults) {
  const Network left = with_faults(network, faults);
  return std::make_shared<const Routing>(
      carry_over(left, tables_of(left), network, compare_networks(left, network)));
}

struct Case {
  const char* spec;
  const char* faults;
  std::uint32_t flits;
  double load;
  bool cut_through = false;
};

struct Played {
  Network network;
  FailureReport report;
  std::vector<Recorder::Delivery> deliveries;
  std::vector<WatchEvent> events;
  Ports ports;
};

constexpr std::uint64_t kFails = 1001, kTables = 1400, kRepaired = 2003;

Played played(const Case& one, bool failures, bool watched) {
  Played result{.network = make_network(one.spec), .report = {}, .deliveries = {}, .events = {}, .ports = {}};
  const Network& network = result.network;
  const Routing routing = tables_of(network);
  FailingPlan plan(network, routing, routing.virtual_lanes);
  result.ports = plan.plan().ports;
  const Faults parts = parse_faults(network, one.faults);
  std::vector<FailureEvent> events;
  if (failures) {
    events = {{kFails, Kind::fail, parts, nullptr, "fail"},
              {kTables, Kind::tables, {}, tables_without(network, parts), "tables"},
              {kRepaired, Kind::repair, parts, nullptr, "repair"},
              {kRepaired + 200, Kind::tables, {}, std::make_shared<const Routing>(routing), "tables"}};
  }
  Settings settings;
  settings.packet_flits = one.flits;
  settings.measure = 3000;
  settings.vcs = 2;
  if (one.cut_through) settings.switching = Switching::virtual_cut_through;
  PacketWatch watch(std::vector<Watched>{Watched{}}, network.terminal_count());
  Progress quiet;
  result.report = play_failures(plan, settings, make_pattern(network, "uniform"), one.load, {}, events, quiet,
                                &result.deliveries, watched ? &watch : nullptr);
  result.events = watch.events();
  return result;
}

std::vector<std::vector<std::uint64_t>> sorted(const std::vector<Recorder::Delivery>& deliveries) {
  std::vector<std::vector<std::uint64_t>> rows;
  for (const Recorder::Delivery& d : deliveries)
    rows.push_back({d.created, d.source, d.destination, d.arrived});
  std::sort(rows.begin(), rows.end());
  return rows;
}

/// What a watch says of one packet, hop by hop.
struct Life {
  std::uint64_t created = 0, arrived = 0;
  std::uint32_t destination = 0;
  std::vector<std::uint64_t> head_in,
      tail_in;                                 ///< steps; head_in of the first router: it leaves the terminal
  std::vector<std::uint64_t> given, tail_out;  ///< routed; the last flit crosses
  std::vector<std::uint32_t> output;           ///< of Ports
  bool sunk = false;
};

std::map<std::pair<std::uint32_t, std::uint64_t>, Life> lives_of(const Played& run, std::uint32_t flits) {
  std::map<std::pair<std::uint32_t, std::uint64_t>, Life> lives;
  for (const WatchEvent& event : run.events) {
    Life& life = lives[{event.source, event.number}];
    const bool head = event.flit == 0, tail = event.flit + 1U == flits;
    switch (event.kind) {
      case WatchEvent::Kind::created:
        life.created = event.step;
        life.destination = event.destination;
        break;
      case WatchEvent::Kind::injected:
        if (head) life.head_in.push_back(event.step);
        break;
      case WatchEvent::Kind::buffered:
        if (head && event.place != run.network.router_of(TerminalId(event.source)).value)
          life.head_in.push_back(event.step);
        if (tail) life.tail_in.push_back(event.step);
        break;
      case WatchEvent::Kind::routed:
        life.given.push_back(event.step);
        life.output.push_back(event.port);
        break;
      case WatchEvent::Kind::crossing:
        if (tail) life.tail_out.push_back(event.step);
        break;
      case WatchEvent::Kind::arrived:
        if (tail) life.arrived = event.step;
        life.sunk = event.place >= run.network.terminal_count();
        break;
      default:
        break;
    }
  }
  return lives;
}

const std::vector<Case> kCases = {{"mesh:4x4,p=2", "cables=5", 1, 0.2},
                                  {"mesh:4x4,p=2", "cables=5+20", 4, 0.1},
                                  {"mesh:4x4,p=2", "cables=9", 8, 0.15},
                                  {"torus:4x4,p=2", "routers=5", 1, 0.15},
                                  {"torus:4x4,p=2", "routers=5,cables=60", 5, 0.1},
                                  {"hyperx:3x3,p=2", "routers=4", 3, 0.4, true}};

/// From what happens to flits follows which packets are lost: those that were given a channel before it
/// failed and had not come across whole, those in a router that failed, those that a router had no way for.
/// The rest are delivered.
TEST(PlayFailures, LosesWhatTheFlitsSay) {
  std::size_t cut_packets = 0;  // whose heads were across
  for (const Case& one : kCases) {
    const Played run = played(one, true, true);
    ASSERT_TRUE(run.report.complete()) << one.spec << " " << one.faults << ": " << run.report.deadlock.size()
                                       << " in a circle, " << run.report.undelivered << " undelivered";
    const Faults parts = parse_faults(run.network, one.faults);
    const auto dead_router = [&](std::uint32_t r) {
      return std::binary_search(parts.routers.begin(), parts.routers.end(), RouterId(r));
    };
    const auto dead = [&](std::uint32_t channel) {
      const ChannelId c(channel);
      return std::binary_search(parts.channels.begin(), parts.channels.end(), c) ||
             dead_router(run.network.source(c).value) || dead_router(run.network.target(c).value);
    };
    std::vector<std::vector<std::uint64_t>> expected;
    std::size_t hit_packets = 0, sunk_packets = 0;
    for (const auto& [name, life] : lives_of(run, one.flits)) {
      bool hit = false;
      for (std::size_t hop = 0; hop < life.output.size(); ++hop) {
        const std::uint32_t to = run.ports.output_to[life.output[hop]];
        const bool channel = (to & Ports::kTerminal) == 0;
        if (channel && dead(to) && life.given[hop] < kFails && life.tail_in[hop + 1] >= kFails) {
          hit = true;
          cut_packets += life.head_in[hop + 1] < kFails ? 1 : 0;
        }
        const std::uint64_t goes = channel ? life.given[hop] : life.tail_out[hop];
        if (dead_router(run.ports.output_router[life.output[hop]]) && life.head_in[hop] < kFails &&
            goes >= kFails)
          hit = true;
      }
      hit_packets += hit ? 1 : 0;
      sunk_packets += life.sunk && !hit ? 1 : 0;
      if (!life.sunk && !hit) expected.push_back({life.created, name.first, life.destination, life.arrived});
    }
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(sorted(run.deliveries), expected) << one.spec << " " << one.faults;
    EXPECT_GT(hit_packets, 0U) << one.spec << " " << one.faults;
    EXPECT_GT(sunk_packets, 0U) << one.spec << " " << one.faults;
    std::uint64_t told = 0;
    for (const FailureInterval& phase : run.report.phases) {
      EXPECT_EQ(phase.created, phase.delivered + phase.lost);
      told += phase.lost;
    }
    EXPECT_GE(hit_packets + sunk_packets, told);
    EXPECT_EQ(run.report.phases.back().lost, 0U) << one.spec;  // all tables are right again
  }
  EXPECT_GT(cut_packets, 0U);
}

/// Packets of old and new tables that lock together, which the checker of transitions says as well.
TEST(PlayFailures, TablesOfBothTimesMayLockTogether) {
  const Case one{"mesh:4x4,p=2", "cables=5+20", 4, 0.2};
  const Played run = played(one, true, false);
  EXPECT_FALSE(run.report.deadlock.empty());
  EXPECT_FALSE(run.report.complete());
  EXPECT_GT(run.report.undelivered, 0U);
  const Network& network = run.network;
  const Routing before = tables_of(network);
  const auto after = tables_without(network, parse_faults(network, one.faults));
  TransitionStep step{"all", {}, {}};
  for (const RouterId r : network.routers()) {
    for (const TerminalId t : network.terminals()) {
      const std::uint32_t old = before.table().get(r, t), now = after->table().get(r, t);
      if (old != now) step.entries.push_back({r, t, old, now});
    }
  }
  Progress quiet;
  EXPECT_FALSE(verify_plan(network, before, std::vector<TransitionStep>{step}, 1, quiet).deadlock_free());
}

/// A plan on which nothing fails is the tables' own, flit by flit.
TEST(PlayFailures, WithoutEventsIsThePlainRun) {
  for (const Case& one : kCases) {
    const Played run = played(one, false, false);
    EXPECT_EQ(run.report.undelivered, 0U);
    ASSERT_EQ(run.report.phases.size(), 1U);
    EXPECT_EQ(run.report.phases.front().lost, 0U);
    std::vector<ListedPacket> packets;
    for (const Recorder::Delivery& d : run.deliveries)
      packets.push_back({d.created, d.source, d.destination, one.flits});
    std::sort(packets.begin(), packets.end(), [](const ListedPacket& a, const ListedPacket& b) {
      return std::pair(a.created, a.source) < std::pair(b.created, b.source);
    });
    Settings settings;
    settings.packet_flits = one.flits;
    settings.vcs = 2;
    if (one.cut_through) settings.switching = Switching::virtual_cut_through;
    Progress quiet;
    std::vector<Recorder::Delivery> plain;
    (void)run_packets(plan_routing(run.network, tables_of(run.network), false), settings, packets, &plain,
                      quiet);
    EXPECT_EQ(sorted(plain), sorted(run.deliveries)) << one.spec;
  }
}

/// Steady traffic of short time, counted.
class CountedTraffic final : public Source {
 public:
  CountedTraffic(const Destinations& destinations, std::uint32_t terminals, std::uint32_t flits,
                 std::uint64_t seed)
      : endless_(make_traffic({}, destinations, terminals, 0.1, flits, seed)) {}
  bool next(std::uint32_t terminal, std::uint64_t cycle, NewPacket& packet) override {
    const bool more = endless_->next(terminal, cycle, packet) && packet.created < 2000;
    count += more ? 1 : 0;
    return more;
  }
  [[nodiscard]] std::uint32_t longest_packet() const override { return endless_->longest_packet(); }

  std::uint64_t count = 0;

 private:
  std::unique_ptr<Source> endless_;
};

/// Whatever fails and comes back, at whatever cycle: every place of every buffer is accounted for, and every
/// packet leaves the network, by its terminal or lost. All tables are the same ones, so nothing locks.
TEST(PlayFailures, NoFlitOrCreditIsLostByAnyFailures) {
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    Random random(seed, 77);
    const Network network = make_network(seed % 3 == 0   ? "torus:4x4"
                                         : seed % 3 == 1 ? "mesh:3x3,p=2"
                                                         : "hyperx:3x3");
    const Routing routing = tables_of(network);
    FailingPlan plan(network, routing, 1);
    Settings settings;
    settings.packet_flits = 1 + random.below(9);
    settings.vcs = 1 + random.below(4);
    settings.vc_buffer = 2 + random.below(8);
    settings.link_latency = 1 + random.below(12);
    settings.speedup = 1 + random.below(2);
    settings.seed = seed;
    if (random.below(3) == 0) {
      settings.switching = Switching::virtual_cut_through;
      settings.vc_buffer = std::max(settings.vc_buffer, settings.packet_flits);
    }
    const Destinations destinations(network, make_pattern(network, "uniform"), seed);
    CountedTraffic source(destinations, network.terminal_count(), settings.packet_flits, seed);
    const auto engine = make_engine(plan.plan(), settings, link_times(network, settings), source);
    engine->recorder.keep_deliveries = true;
    Faults failed;
    const auto run_to = [&](std::uint64_t cycle) {
      while (engine->cycle() < cycle) {
        (void)engine->run_until(std::min(cycle, engine->cycle() + 7));
        ASSERT_EQ(engine->broken_law(), "") << seed << " cycle " << engine->cycle();
      }
    };
    for (std::uint64_t at = 100; at < 2000; at += 1 + random.below(60)) {
      run_to(at);
      if (HasFatalFailure()) return;
      const std::vector<ChannelId> dead = plan.dead_channels();
      Faults one;
      if (random.below(6) == 0) {
        one.routers = {RouterId(random.below(network.router_count()))};
      } else {
        one.channels = {ChannelId(random.below(network.channel_count()))};
      }
      const Faults before = plan.faults();
      const bool works =
          one.routers.empty()
              ? !std::binary_search(before.channels.begin(), before.channels.end(), one.channels.front())
              : !std::binary_search(before.routers.begin(), before.routers.end(), one.routers.front());
      if (!works) {
        plan.repair(one);
        continue;
      }
      plan.fail(one);
      for (const RouterId r : one.routers) engine->fail_router(r.value);
      for (const ChannelId c : plan.dead_channels()) {
        if (!std::binary_search(dead.begin(), dead.end(), c)) engine->fail_channel(c.value);
      }
    }
    run_to(20'000);
    if (HasFatalFailure()) return;
    EXPECT_EQ(engine->in_flight(), 0U) << seed;
    EXPECT_EQ(engine->recorder.deliveries().size() + engine->recorder.losses().size(), source.count) << seed;
    EXPECT_GT(engine->recorder.losses().size(), 0U) << seed;
    EXPECT_GT(engine->recorder.deliveries().size(), 0U) << seed;
  }
}

/// On a line of two routers with one cable nothing gets across while that is dead, and a cable that is back
/// is used at once.
TEST(PlayFailures, ACableThatIsTheOnlyWay) {
  const Network network = make_network("mesh:2,p=1");
  const Routing routing = tables_of(network);
  FailingPlan plan(network, routing, 1);
  const Faults cable = parse_faults(network, "cables=0");
  Settings settings;
  settings.warmup = 100;
  settings.measure = 900;
  Progress quiet;
  std::vector<Recorder::Delivery> deliveries;
  const std::vector<FailureEvent> events = {{400, Kind::fail, cable, nullptr, "fail"},
                                            {700, Kind::repair, cable, nullptr, "repair"}};
  const FailureReport report =
      play_failures(plan, settings, make_pattern(network, "uniform"), 0.25, {}, events, quiet, &deliveries);
  ASSERT_EQ(report.phases.size(), 3U);
  EXPECT_EQ(report.phases[0].begins, 100U);
  EXPECT_EQ(report.ends, 1000U);
  EXPECT_TRUE(report.complete());
  EXPECT_EQ(report.phases[2].lost, 0U);
  // An unloaded packet takes as long as the pipelines of two routers and three links, always the same.
  const double latency = report.phases[0].latency_mean;
  for (const Recorder::Delivery& d : deliveries) {
    EXPECT_FALSE(static_cast<double>(d.arrived) > 400 + latency && d.arrived < 700) << d.created;
    EXPECT_LT(static_cast<double>(d.arrived - d.created), 3 * latency);
  }
  EXPECT_GT(report.phases[1].lost, 100U);
  EXPECT_LE(report.phases[1].delivered, 4U);  // those created just before the repair
  std::uint64_t pieces = 0;
  for (const FailureInterval& piece : report.intervals) pieces += piece.created;
  EXPECT_EQ(pieces, report.phases[0].created + report.phases[1].created + report.phases[2].created);
}

TEST(PlayFailures, WhatCannotBeIsRefused) {
  const Network network = make_network("mesh:3x3,p=1");
  const Routing routing = tables_of(network);
  FailingPlan plan(network, routing, 1);
  const Faults cable = parse_faults(network, "cables=0");
  EXPECT_THROW(plan.repair(cable), InputError);
  plan.fail(cable);
  EXPECT_THROW(plan.fail(cable), InputError);
  EXPECT_EQ(plan.dead_channels().size(), 2U);
  plan.repair(cable);
  EXPECT_TRUE(plan.dead_channels().empty());
  EXPECT_THROW(plan.fail(parse_faults(network, "terminals=1")), InputError);
  Settings settings;
  settings.measure = 100;
  Progress quiet;
  const TrafficPattern pattern = make_pattern(network, "uniform");
  const std::vector<FailureEvent> late = {{100, Kind::fail, cable, nullptr, "fail"}};
  EXPECT_THROW((void)play_failures(plan, settings, pattern, 0.1, {}, late, quiet), InputError);
  settings.router = RouterKind::input_output_queued;
  EXPECT_THROW((void)play_failures(plan, settings, pattern, 0.1, {}, {}, quiet), InputError);
}

}  // namespace
}  // namespace unknot::simulate
