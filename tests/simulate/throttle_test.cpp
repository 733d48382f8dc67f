// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/core/throttle.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "simulate/chain.hpp"
#include "unknot/simulate/run.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "unknot/traffic/patterns/fixed_pattern.hpp"
#include "unknot/traffic/workloads/workload_catalogue.hpp"

namespace unknot::simulate {
namespace {

/// A terminal cycle by cycle: what is said of levels, word for word.
class PlainTerminal {
 public:
  PlainTerminal(const Settings& settings, std::uint64_t length) : settings_(settings), notices_(length, 0) {}
  /// A marked packet has arrived.
  void marked_at(std::uint64_t cycle) {
    if (cycle < on_the_way_) return;
    on_the_way_ = cycle + settings_.ecn_delay;
    if (on_the_way_ < notices_.size()) ++notices_[on_the_way_];
  }
  /// The level at the end of this cycle. A notice counts after the timer of its cycle.
  std::uint32_t level(std::uint64_t now) {
    for (; next_ <= now; ++next_) {
      if (next_ % settings_.ecn_timer == 0 && next_ > 0 && level_ > 0) --level_;
      level_ = std::min(level_ + notices_[next_], Throttle::kLevels - 1);
    }
    return level_;
  }

 private:
  const Settings& settings_;
  std::vector<std::uint32_t> notices_;
  std::uint64_t next_ = 0, on_the_way_ = 0;
  std::uint32_t level_ = 0;
};

TEST(Throttle, LevelsAreThoseOfAPlainModel) {
  Random random(7);
  for (int round = 0; round < 200; ++round) {
    Settings settings;
    settings.ecn_threshold = 1;
    settings.ecn_delay = static_cast<std::uint32_t>(random.below(40));
    settings.ecn_timer = 1 + static_cast<std::uint32_t>(random.below(30));
    constexpr std::uint32_t kTerminals = 3, kLength = 2000;
    Throttle throttle(settings, kTerminals);
    std::vector<PlainTerminal> plain(kTerminals, PlainTerminal(settings, kLength + 100));
    const double busy = random.unit();
    std::uint64_t waited = 0, marked = 0;
    for (std::uint64_t cycle = 0; cycle < kLength; ++cycle) {
      if (random.unit() < busy) {
        const auto packet = static_cast<std::uint32_t>(random.below(5)), sender = packet % kTerminals;
        throttle.entered(packet);
        const bool mark = random.unit() < 0.7;
        if (mark) {
          throttle.mark(packet);
          plain[sender].marked_at(cycle);
          ++marked;
        }
        throttle.arrived(packet, sender, cycle);
      }
      if (random.unit() < 0.2) {
        const auto sender = static_cast<std::uint32_t>(random.below(kTerminals));
        const std::uint64_t flits = 1 + random.below(9);
        throttle.sent(sender, flits, cycle);
        const double slower = std::pow(2.0, plain[sender].level(cycle) / 8.0);
        const std::uint64_t wait = throttle.until(sender) - cycle - 1;
        EXPECT_NEAR(static_cast<double>(wait + flits), static_cast<double>(flits) * slower, 0.51)
            << "round " << round << " cycle " << cycle;
        waited += wait;
      }
    }
    EXPECT_EQ(throttle.counts().waited, waited);
    EXPECT_EQ(throttle.counts().marked, marked);
  }
}

struct Shares {
  double victim = 0, hot = 0, marked = 0;
};

/// Two routers. One terminal behind the first and four behind the second send all to one of the second; what
/// is meant for another of the second comes from the first over the same cable.
Shares victim_of_a_hot_spot(Settings settings) {
  NetworkBuilder builder;
  builder.add_routers(2);
  for (const std::uint32_t router : {0U, 0U, 1U, 1U, 1U, 1U, 1U, 1U}) builder.add_terminal(RouterId(router));
  builder.add_cable(RouterId(0), RouterId(1));
  const Network network = std::move(builder).build();
  Progress quiet;
  const RoutePlan plan = plan_routing(network, route(network, "minhop", {}, quiet), true);
  std::vector<Flow> flows = {{TerminalId(0), TerminalId(6), 1}, {TerminalId(1), TerminalId(7), 0.7}};
  for (std::uint32_t t = 2; t < 6; ++t) flows.push_back({TerminalId(t), TerminalId(6), 1});
  settings.vcs = 2;
  settings.vc_buffer = 16;
  settings.packet_flits = 4;
  settings.warmup = 20'000;
  settings.measure = 40'000;
  RunOptions options;
  options.flows = true;
  const SteadyReport report = run_steady(plan, settings, pattern_of_flows(flows), 1, quiet, options);
  Shares shares;
  for (const FlowResult& flow : report.flows) {
    const double rate = static_cast<double>(flow.accepted_flits) / static_cast<double>(settings.measure);
    (flow.destination == 7 ? shares.victim : shares.hot) += rate;
  }
  if (report.throttle && report.throttle->arrived > 0) {
    shares.marked =
        static_cast<double>(report.throttle->marked) / static_cast<double>(report.throttle->arrived);
  }
  return shares;
}

/// Of five that share a port each has a fifth. The sixth waits in line behind one of them, and has as much;
/// where those are held back it has nearly all of the 0.7 that it asks for.
TEST(Throttle, WhoSendsElsewhereIsNotHeldUpByAHotSpot) {
  Settings settings;
  const Shares off = victim_of_a_hot_spot(settings);
  EXPECT_EQ(off.marked, 0);
  EXPECT_GT(off.hot, 0.97);
  EXPECT_LT(off.victim, 0.4);
  settings.ecn_threshold = 12;
  const Shares on = victim_of_a_hot_spot(settings);
  EXPECT_GT(on.marked, 0.01);
  EXPECT_GT(on.hot, 0.9);
  EXPECT_GT(on.victim, 0.6);
}

void expect_same(const SteadyReport& a, const SteadyReport& b) {
  EXPECT_EQ(a.packets, b.packets);
  EXPECT_EQ(a.latency_mean, b.latency_mean);
  EXPECT_EQ(a.latency_max, b.latency_max);
  EXPECT_EQ(a.accepted, b.accepted);
  EXPECT_EQ(a.flit_hops, b.flit_hops);
  EXPECT_EQ(a.utilisation, b.utilisation);
}

/// A queue that is never so long changes nothing, in each kind of router and of paths.
TEST(Throttle, WithoutMarksItIsAsIfItWereOff) {
  const Network network = make_network("hyperx:3x3,p=2");
  Progress quiet;
  for (const RouterKind router : {RouterKind::input_queued, RouterKind::input_output_queued}) {
    for (const char* paths : {"minimal", "ugal"}) {
      const bool ugal = std::string(paths) == "ugal";
      const RoutePlan plan =
          plan_paths(network, {ugal ? RoutePlan::Kind::ugal : RoutePlan::Kind::minimal, "hop", {}});
      Settings settings;
      settings.router = router;
      settings.packet_flits = 3;
      settings.measure = 2000;
      const auto run = [&](std::uint32_t threshold) {
        settings.ecn_threshold = threshold;
        return run_steady(plan, for_lanes(settings, plan.lanes_needed), make_pattern(network, "uniform"), 0.4,
                          quiet);
      };
      const SteadyReport off = run(0), never = run(1'000'000), often = run(2);
      expect_same(off, never);
      EXPECT_FALSE(off.throttle);
      ASSERT_TRUE(never.throttle);
      EXPECT_EQ(never.throttle->marked, 0U);
      EXPECT_GT(never.throttle->arrived, 0U);
      ASSERT_TRUE(often.throttle);
      EXPECT_GT(often.throttle->marked, 0U);
    }
  }
}

/// All to one: what arrives is what the port takes, whatever the terminals are told, and all of it arrives.
TEST(Throttle, AnIncastEndsNearlyAsSoonAsItCan) {
  const Network network = make_network("kary-ntree:k=4,n=2");
  Progress quiet;
  const RoutePlan plan = plan_routing(network, route(network, "ftree", {}, quiet), true);
  Settings settings;
  settings.packet_flits = 4;
  settings.ecn_threshold = 16;
  settings.ecn_timer = 200;
  const Workload workload = make_workload(network, "flows:bytes=4096,hotspot:fraction=1", 1);
  const WorkloadReport report = run_workload(plan, for_lanes(settings, plan.lanes_needed), workload, quiet);
  EXPECT_TRUE(report.complete);
  ASSERT_GE(report.bytes, 15U * 4096U);
  const double least = static_cast<double>(report.bytes) / settings.flit_bytes;
  EXPECT_GT(report.completion_cycles, least);
  EXPECT_LT(report.completion_cycles, 1.25 * least);
  ASSERT_TRUE(report.throttle);
  EXPECT_GT(report.throttle->marked, 0U);
}

}  // namespace
}  // namespace unknot::simulate
