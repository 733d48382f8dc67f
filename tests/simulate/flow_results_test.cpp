// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/statistics/flow_results.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "unknot/engines/catalogue.hpp"
#include "unknot/simulate/run.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"

namespace unknot::simulate {
namespace {

const Progress kNoSink;

RoutePlan torus_plan(const Network& network) {
  Progress sink;
  return plan_routing(network, route(network, "updn", {}, sink), false);
}

using Pair = std::pair<std::uint32_t, std::uint32_t>;

/// Each flow's latencies, counted anew from the list of deliveries.
TEST(FlowResults, AreThoseOfTheDeliveries) {
  const Network network = make_network("torus:3x3,p=2");
  const RoutePlan plan = torus_plan(network);
  Random random(3, 0);
  std::vector<ListedPacket> packets;
  for (int i = 0; i < 3000; ++i)
    packets.push_back({random.below(500), random.below(18), random.below(6), 1 + random.below(4)});
  Settings settings;
  settings.vcs = 2;
  std::vector<Recorder::Delivery> deliveries;
  RunOptions options;
  options.flows = options.histogram = true;
  const RunReport report =
      run_packets(plan, for_lanes(settings, plan.lanes_needed), packets, &deliveries, kNoSink, options);
  std::map<Pair, std::vector<std::uint64_t>> latencies;
  std::map<Pair, std::uint64_t> flits;
  std::map<std::uint64_t, std::uint64_t> counts;
  for (const Recorder::Delivery& one : deliveries) {
    latencies[{one.source, one.destination}].push_back(one.arrived - one.created);
    ++counts[one.arrived - one.created];
  }
  for (const ListedPacket& one : packets) flits[{one.source, one.destination}] += one.flits;
  ASSERT_EQ(report.flows.size(), latencies.size());
  auto expected = latencies.begin();
  for (const FlowResult& flow : report.flows) {
    ASSERT_EQ(Pair(flow.source, flow.destination), expected->first);
    std::vector<std::uint64_t>& all = expected->second;
    std::sort(all.begin(), all.end());
    double sum = 0;
    for (const std::uint64_t latency : all) sum += static_cast<double>(latency);
    EXPECT_EQ(flow.packets, all.size());
    EXPECT_EQ(flow.flits, flits[expected->first]);
    EXPECT_EQ(flow.accepted_flits, flow.flits);
    EXPECT_DOUBLE_EQ(flow.latency_mean, sum / static_cast<double>(all.size()));
    EXPECT_EQ(flow.latency_max, static_cast<double>(all.back()));
    const auto rank = static_cast<std::size_t>(std::ceil(0.99 * static_cast<double>(all.size()) - 1e-9));
    EXPECT_EQ(flow.latency_p99, static_cast<double>(all[rank - 1]));
    ++expected;
  }
  ASSERT_EQ(report.histogram.size(), counts.size());
  auto count = counts.begin();
  for (const LatencyBin& bin : report.histogram) {
    EXPECT_EQ(bin.from, count->first);
    EXPECT_EQ(bin.to, count->first);
    EXPECT_EQ(bin.packets, count->second);
    ++count;
  }
}

/// Flows are parts of what the run says of all.
TEST(FlowResults, AddUpToTheRun) {
  const Network network = make_network("torus:3x3,p=2");
  const RoutePlan plan = torus_plan(network);
  for (const double load : {0.2, 1.0}) {
    for (const std::uint32_t speedup : {1U, 2U}) {
      Settings settings;
      settings.speedup = speedup;
      settings.packet_flits = 3;
      settings.measure = 2000;
      RunOptions options;
      options.flows = options.histogram = true;
      const TrafficPattern uniform = make_pattern(network, "uniform");
      const Settings fitting = for_lanes(settings, plan.lanes_needed);
      const SteadyReport report = run_steady(plan, fitting, uniform, load, kNoSink, options);
      const SteadyReport plain = run_steady(plan, fitting, uniform, load, kNoSink);
      EXPECT_EQ(report.latency_mean, plain.latency_mean);
      EXPECT_TRUE(plain.flows.empty());
      EXPECT_TRUE(plain.histogram.empty());
      double latency = 0, hops = 0, worst = 0;
      std::uint64_t packets = 0, accepted = 0, binned = 0;
      for (const FlowResult& flow : report.flows) {
        const auto own = static_cast<double>(flow.packets);
        latency += flow.latency_mean * own;
        hops += flow.hops_mean * own;
        worst = std::max(worst, flow.latency_max);
        packets += flow.packets;
        accepted += flow.accepted_flits;
        EXPECT_EQ(flow.flits, 3 * flow.packets);
        EXPECT_NE(flow.source, flow.destination);
      }
      for (const LatencyBin& bin : report.histogram) binned += bin.packets;
      EXPECT_EQ(packets, report.packets);
      EXPECT_EQ(binned, report.packets);
      EXPECT_NEAR(latency / static_cast<double>(packets), report.latency_mean, 1e-9 * report.latency_mean);
      EXPECT_NEAR(hops / static_cast<double>(packets), report.hops_mean, 1e-9);
      EXPECT_EQ(worst, report.latency_max);
      EXPECT_NEAR(static_cast<double>(accepted) / (2000.0 * 18), report.accepted, 1e-12);
    }
  }
}

}  // namespace
}  // namespace unknot::simulate
