// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <vector>

#include "unknot/network/builder.hpp"
#include "unknot/simulate/run.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"

namespace unknot::simulate {
namespace {

SteadyReport worst_case(bool global, double load) {
  const Network network = make_network("slimfly:q=5,p=4");
  const RoutePlan plan = plan_paths(
      network,
      {RoutePlan::Kind::ugal, "hop", {.indirect = 4, .penalty = 1, .by_length = false, .global = global}});
  Settings settings;
  settings.warmup = 500;
  settings.measure = 2000;
  Progress quiet;
  return run_steady(plan, for_lanes(settings, plan.lanes_needed), make_pattern(network, "worst-case"), load,
                    quiet);
}

/// Queues beyond the first are those that the worst case fills: who sees them waits less. [Kim et al. 2008]
TEST(UgalGlobal, SeesWhatTheFirstOutputDoesNot) {
  for (const double load : {0.15, 0.2}) {
    const SteadyReport local = worst_case(false, load), global = worst_case(true, load);
    EXPECT_FALSE(global.undelivered);
    EXPECT_LT(global.latency_mean, local.latency_mean) << load;
  }
  EXPECT_EQ(worst_case(true, 0.2).latency_mean, worst_case(true, 0.2).latency_mean);
}

/// Nothing waits anywhere: everybody goes the shortest way, as by the first output.
TEST(UgalGlobal, IsMinimalInAnEmptyNetwork) {
  const Network network = make_network("slimfly:q=5,p=4");
  const RoutePlan plan =
      plan_paths(network, {RoutePlan::Kind::ugal, "hop", {.indirect = 4, .penalty = 1, .global = true}});
  std::vector<ListedPacket> packets;
  for (std::uint32_t t = 0; t < 200; ++t) packets.push_back({100 * t, t, (t + 77) % 200, 1});
  Progress quiet;
  const RunReport report = run_packets(plan, for_lanes({}, plan.lanes_needed), packets, nullptr, quiet);
  EXPECT_EQ(report.packets, 200U);
  EXPECT_EQ(report.indirect_share, 0);
}

}  // namespace
}  // namespace unknot::simulate
