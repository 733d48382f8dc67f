// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "unknot/engines/catalogue.hpp"
#include "unknot/oblivious/oblivious_load.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "unknot/traffic/workloads/workload_catalogue.hpp"

namespace unknot::simulate {
namespace {

const Progress kSilent;

RoutePlan paths(const std::string& spec, RoutePlan::Kind kind, const std::string& scheme,
                const Ugal& ugal = {}) {
  return plan_paths(make_network(spec), {kind, scheme, ugal});
}

Settings settings(std::uint32_t vcs, std::uint32_t packet = 1) {
  Settings s;
  s.vcs = vcs;
  s.packet_flits = packet;
  s.vc_buffer = 8 * packet;
  s.speedup = 2;
  s.warmup = 500;
  s.measure = 1500;
  return s;
}

SteadyReport steady(const RoutePlan& plan, const Settings& s, const std::string& pattern, double load) {
  return run_steady(plan, s, make_pattern(plan.network, pattern), load, kSilent);
}

TEST(RunSteady, AcceptsWhatIsOfferedBelowSaturation) {
  const RoutePlan plan = paths("slimfly:q=5,p=3", RoutePlan::Kind::minimal, "hop");
  const SteadyReport report = steady(plan, settings(4), "uniform", 0.5);
  EXPECT_NEAR(report.accepted, 0.5, 0.01);
  EXPECT_FALSE(report.saturated);
  EXPECT_TRUE(report.steady) << report.verdict;
  EXPECT_FALSE(report.undelivered);
  EXPECT_TRUE(report.deadlock.empty());
  // Channels are as busy as the shares of minimal paths say: 0.785 of the load each on this Moore graph.
  EXPECT_NEAR(report.utilisation_mean, 0.5 * 0.785235, 0.01);
  EXPECT_LE(report.latency_p50, report.latency_p95);
  EXPECT_LE(report.latency_p95, report.latency_p99);
  EXPECT_LE(report.latency_p99, report.latency_max);
  EXPECT_NEAR(report.queueing_mean + report.network_mean, report.latency_mean, 1e-9);
}

TEST(RunSteady, NeverBeatsTheChannelLoads) {
  struct Bound {
    const char* spec;
    RoutePlan::Kind kind;
    const char* scheme;
    const char* pattern;
    double bound;  // saturation by channel loads: the reference values of the diameter-two networks
  };
  for (const Bound& b : {Bound{"slimfly:q=5,p=4", RoutePlan::Kind::minimal, "hop", "uniform", 0.956731},
                         Bound{"slimfly:q=5,p=4", RoutePlan::Kind::valiant, "hop", "uniform", 0.478365},
                         Bound{"mlfm:4", RoutePlan::Kind::minimal, "single", "shift-router", 0.25},
                         Bound{"mlfm:4", RoutePlan::Kind::valiant, "phase", "shift-router", 0.473684},
                         Bound{"oft:4", RoutePlan::Kind::minimal, "single", "shift-router", 0.25},
                         Bound{"oft:4", RoutePlan::Kind::valiant, "phase", "uniform", 0.515}}) {
    const SteadyReport report = steady(paths(b.spec, b.kind, b.scheme), settings(8), b.pattern, 1.0);
    EXPECT_LE(report.accepted, b.bound * 1.01) << b.spec << ' ' << b.pattern;
    EXPECT_GE(report.accepted, b.bound * 0.85) << b.spec << ' ' << b.pattern;
    EXPECT_TRUE(report.saturated);
  }
}

TEST(RunSteady, UgalGoesMinimallyWhenNothingIsInTheWayAndRoundWhenItIs) {
  const Ugal ugal{.indirect = 4, .penalty = 1, .by_length = true, .threshold = 0};
  const RoutePlan plan = paths("slimfly:q=5,p=4", RoutePlan::Kind::ugal, "hop", ugal);
  Settings queued = settings(8);
  queued.router = RouterKind::input_output_queued;
  EXPECT_LT(steady(plan, queued, "uniform", 0.05).indirect_share, 0.1);
  const SteadyReport worst = steady(plan, settings(8), "worst-case", 0.35);
  EXPECT_GT(worst.accepted, 0.34);  // minimal paths saturate at 0.125
  EXPECT_GT(worst.indirect_share, 0.4);
  // With a threshold nothing is sent round while the queues are short.
  const Ugal late{.indirect = 4, .penalty = 1, .by_length = true, .threshold = 1};
  EXPECT_EQ(steady(paths("slimfly:q=5,p=4", RoutePlan::Kind::ugal, "hop", late), settings(8), "uniform", 0.3)
                .indirect_share,
            0);
}

TEST(RunSteady, SameSeedSameBytes) {
  const RoutePlan plan = paths("mlfm:4", RoutePlan::Kind::ugal, "phase");
  Settings s = settings(4);
  const SteadyReport a = steady(plan, s, "permutation", 0.4), b = steady(plan, s, "permutation", 0.4);
  EXPECT_EQ(a.latency_mean, b.latency_mean);
  EXPECT_EQ(a.flit_hops, b.flit_hops);
  s.seed = 2;
  EXPECT_NE(steady(plan, s, "permutation", 0.4).flit_hops, a.flit_hops);
}

TEST(RunSteady, FindsTheWarmUp) {
  Settings s = settings(4);
  s.warmup = 0;
  const SteadyReport report =
      steady(paths("slimfly:q=5,p=3", RoutePlan::Kind::minimal, "hop"), s, "uniform", 0.6);
  EXPECT_TRUE(report.warm_up_found);
  EXPECT_GT(report.warm_up, 0U);
}

TEST(RunSteady, RefusesLoadsOutOfRangeAndIdlesAtNone) {
  const RoutePlan plan = paths("mlfm:4", RoutePlan::Kind::minimal, "single");
  EXPECT_THROW((void)steady(plan, settings(2), "uniform", -0.1), InputError);
  EXPECT_THROW((void)steady(plan, settings(2), "uniform", 1.5), InputError);
  EXPECT_EQ(steady(plan, settings(2), "uniform", 0).packets, 0U);
}

// Given up while the last packets are on their way, and below saturation: not steady.
TEST(RunSteady, IsNotSteadyWhereNotAllHasArrived) {
  const RoutePlan plan = paths("ring:6,p=2", RoutePlan::Kind::minimal, "hop");
  Settings s = settings(plan.lanes_needed);
  s.measure = 5000;
  s.link_latency = 100;
  s.vc_buffer = 300;
  s.warmup = 2000;
  ASSERT_TRUE(steady(plan, s, "uniform", 0.2).steady);
  s.drain = 1;
  const SteadyReport report = steady(plan, s, "uniform", 0.2);
  EXPECT_TRUE(report.undelivered);
  EXPECT_FALSE(report.saturated);
  EXPECT_FALSE(report.steady);
  EXPECT_EQ(report.verdict, "some measured packets had not arrived when the run was given up");
}

TEST(RunSteady, NothingIsSaturatedByLoadsOfAlmostNothing) {
  const RoutePlan plan = paths("ring:6,p=2", RoutePlan::Kind::minimal, "hop");
  for (const std::uint64_t warmup : {0, 500}) {
    Settings s = settings(plan.lanes_needed);
    s.warmup = warmup;
    for (const double load : {1e-3, 1e-5, 1e-12, 1e-30, 1e-300}) {
      const SteadyReport report = steady(plan, s, "uniform", load);
      EXPECT_FALSE(report.saturated) << load;
      EXPECT_FALSE(report.undelivered) << load;
      EXPECT_LE(report.accepted, 2 * load + 1e-3) << load;
    }
  }
}

TEST(RunSteady, ACycleIsTooShortToTell) {
  const RoutePlan plan = paths("ring:6,p=2", RoutePlan::Kind::minimal, "hop");
  Settings s = settings(plan.lanes_needed);
  s.measure = 1;
  for (const double load : {0.1, 0.5, 1.0}) {
    const SteadyReport report = steady(plan, s, "uniform", load);
    EXPECT_FALSE(report.saturated) << load;
    EXPECT_FALSE(report.steady) << load;
    EXPECT_EQ(report.verdict.substr(0, 9), "too short") << report.verdict;
  }
}

TEST(RunSteady, NamesTheDeadlock) {
  // Shortest paths of a Slim Fly on one lane: their dependencies have cycles, and under load they close.
  const RoutePlan plan = paths("slimfly:q=5,p=4", RoutePlan::Kind::minimal, "any");
  Settings s = settings(1, 4);
  s.vc_buffer = 4;
  s.speedup = 1;
  s.measure = 20'000;
  const SteadyReport report = steady(plan, s, "uniform", 0.95);
  ASSERT_FALSE(report.deadlock.empty());
  EXPECT_TRUE(report.undelivered);
  EXPECT_FALSE(report.steady);
  // Each waits in a buffer of the router that the next one's packet is to pass.
  const std::string text = describe(report.deadlock, plan);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), static_cast<std::ptrdiff_t>(report.deadlock.size()));
  EXPECT_NE(text.find("waits for"), std::string::npos);
}

TEST(RunSteady, NamesTheDeadlockOfWholePacketsToo) {
  const RoutePlan plan = paths("slimfly:q=5,p=4", RoutePlan::Kind::minimal, "any");
  Settings s = settings(1);
  s.router = RouterKind::input_output_queued;
  s.vc_buffer = s.output_buffer = 2;
  s.measure = 20'000;
  const SteadyReport report = steady(plan, s, "uniform", 0.95);
  ASSERT_FALSE(report.deadlock.empty());
  EXPECT_TRUE(report.undelivered);
  for (const DeadlockStep& step : report.deadlock) EXPECT_FALSE(step.for_lane) << "they wait for room alone";
  // Each goes on from where the one before waits for room.
  for (std::size_t i = 0; i < report.deadlock.size(); ++i) {
    const std::uint32_t here = plan.ports.input_from[report.deadlock[i].input];
    const std::uint32_t next = plan.ports.input_from[report.deadlock[(i + 1) % report.deadlock.size()].input];
    ASSERT_EQ((here | next) & Ports::kTerminal, 0U);
    EXPECT_EQ(plan.network.target(ChannelId(here)), plan.network.source(ChannelId(next)));
  }
}

TEST(RunSteady, OneLaneOfWholePacketsFillsItsLinksAtSpeedupTwo) {
  const RoutePlan plan = paths("mlfm:4", RoutePlan::Kind::minimal, "single");
  Settings s = settings(1);
  s.router = RouterKind::input_output_queued;
  s.vc_buffer = s.output_buffer = 64;
  const SteadyReport report = steady(plan, s, "uniform", 1.0);
  EXPECT_GT(report.accepted, 0.95);
  // No channel sends more than it can, whatever has been promised to it.
  for (const float part : report.utilisation) EXPECT_LE(part, 1.0F);
}

TEST(RunSteady, WholePacketsNeverBeatTheChannelLoadsEither) {
  for (const auto& [kind, scheme, bound] : {std::tuple{RoutePlan::Kind::minimal, "single", 0.25},
                                            std::tuple{RoutePlan::Kind::valiant, "phase", 0.473684}}) {
    const RoutePlan plan = paths("mlfm:4", kind, scheme);
    for (const std::uint32_t buffer : {3U, 100U}) {
      Settings s = settings(plan.lanes_needed);
      s.router = RouterKind::input_output_queued;
      s.vc_buffer = s.output_buffer = buffer;
      const SteadyReport report = steady(plan, s, "shift-router", 1.0);
      EXPECT_LE(report.accepted, bound * 1.01) << scheme << ' ' << buffer;
      // Credits come back after six cycles: three places keep a channel busy half of the time.
      EXPECT_GE(report.accepted, bound * (buffer > 8 ? 0.9 : 0.49)) << scheme << ' ' << buffer;
    }
  }
}

TEST(RunSteady, ProvenRoutingsDoNotLockUpAtFullLoad) {
  for (const auto& [kind, scheme] :
       {std::pair{RoutePlan::Kind::minimal, "hop"}, std::pair{RoutePlan::Kind::valiant, "hop"},
        std::pair{RoutePlan::Kind::ugal, "hop"}}) {
    const RoutePlan plan = paths("slimfly:q=5,p=4", kind, scheme);
    Settings s = settings(std::max(2U, plan.lanes_needed), 4);
    s.vc_buffer = 4;
    const SteadyReport report = steady(plan, s, "worst-case", 1.0);
    EXPECT_TRUE(report.deadlock.empty());
    EXPECT_GT(report.accepted, 0.05);
  }
}

TEST(RunSteady, BubblesKeepRingsMoving) {
  Progress progress;
  const Network network = make_network("torus:5x5");
  const RoutePlan plan = plan_routing(network, route(network, "angara-sssp", {}, progress), false);
  ASSERT_TRUE(plan.bubble);
  Settings s = settings(1, 2);
  s.vc_buffer = 4;
  s.switching = Switching::virtual_cut_through;
  s.measure = 2000;
  const SteadyReport report = steady(plan, s, "uniform", 1.0);
  EXPECT_TRUE(report.deadlock.empty());
  EXPECT_GT(report.accepted, 0.2);
}

TEST(RunWorkload, AllToAllTakesAsLongAsItsBusiestChannel) {
  const RoutePlan plan = paths("mlfm:4", RoutePlan::Kind::minimal, "single");
  Settings s = settings(4);
  s.flit_bytes = 64;
  const Workload workload = make_workload(plan.network, "all-to-all:bytes=256", 1);
  const WorkloadReport report = run_workload(plan, s, workload, kSilent);
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.messages, 80U * 79U);
  EXPECT_GE(report.completion_cycles, 79 * 4.0);
  EXPECT_GT(report.effective_throughput, 0.6);
  EXPECT_LE(report.effective_throughput, 1.0);
  EXPECT_EQ(report.packets, 80U * 79U * 4U);
}

TEST(RunWorkload, TasksWaitForWhatTheyRequire) {
  // 0 -> 1, then 1 computes 100 ns, then 1 -> 0.
  using Kind = TaskGraph::Kind;
  auto graph = std::make_shared<TaskGraph>();
  graph->tasks = {{Kind::send, TerminalId(0), 1, 64},
                  {Kind::receive, TerminalId(1), 0, 64},
                  {Kind::compute, TerminalId(1), 0, 100},
                  {Kind::send, TerminalId(1), 0, 64},
                  {Kind::receive, TerminalId(0), 3, 64}};
  graph->first = {0, 0, 0, 1, 2, 2};
  graph->requires_done = {1, 2};
  Workload workload;
  workload.name = "test";
  workload.tasks = graph;
  const RoutePlan plan = paths("mlfm:4", RoutePlan::Kind::minimal, "single");
  Settings s = settings(1);
  s.flit_bytes = 64;
  s.cycle_ns = 2;
  const WorkloadReport report = run_workload(plan, s, workload, kSilent);
  EXPECT_TRUE(report.complete);
  const WorkloadReport one =
      run_workload(plan, s, make_workload(plan.network, "flows:bytes=64,shift:distance=1", 1), kSilent);
  ASSERT_TRUE(one.complete);
  // Both ways and the computation of 50 cycles, and not a cycle less.
  const RunReport way = run_packets(plan, s, {{0, 0, 1, 0}}, nullptr, kSilent);
  EXPECT_GE(report.completion_cycles, 2 * way.latency_mean + 50);
  EXPECT_LE(report.completion_cycles, 2 * way.latency_mean + 53);
}

}  // namespace
}  // namespace unknot::simulate
