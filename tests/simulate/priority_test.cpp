// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "simulate/chain.hpp"
#include "unknot/simulate/run.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "unknot/traffic/patterns/fixed_pattern.hpp"

namespace unknot::simulate {
namespace {

constexpr std::uint32_t kSenders = 5;

/// Routers in a row with a terminal each, all of which send to the first as fast as they can: what each of
/// the others gets through, nearest first, as a part of what arrives.
std::vector<double> parking_lot(Priority priority, std::uint32_t flits) {
  NetworkBuilder builder;
  builder.add_routers(kSenders + 1);
  for (std::uint32_t r = 0; r <= kSenders; ++r) builder.add_terminal(RouterId(r));
  for (std::uint32_t r = 0; r < kSenders; ++r) builder.add_cable(RouterId(r), RouterId(r + 1));
  const Network network = std::move(builder).build();
  Progress quiet;
  const RoutePlan plan = plan_routing(network, route(network, "minhop", {}, quiet), true);
  std::vector<Flow> flows;
  for (std::uint32_t t = 1; t <= kSenders; ++t) flows.push_back({TerminalId(t), TerminalId(0), 1});
  Settings settings;
  settings.priority = priority;
  settings.vcs = 4;  // on one lane whoever has just sent is behind those that wait, however young
  settings.packet_flits = flits;
  settings.warmup = 5000;
  settings.measure = 40'000;
  RunOptions options;
  options.flows = true;
  const SteadyReport report = run_steady(plan, settings, pattern_of_flows(flows), 1, quiet, options);
  std::vector<double> shares;
  double sum = 0;
  for (const FlowResult& flow : report.flows) sum += static_cast<double>(flow.accepted_flits);
  for (const FlowResult& flow : report.flows)
    shares.push_back(static_cast<double>(flow.accepted_flits) / sum);
  return shares;
}

/// [Dally and Towles 2004, section 15.4.1]
TEST(Priority, TheParkingLotIsFairByAgeAndNotInTurn) {
  for (const std::uint32_t flits : {1U, 4U}) {
    const std::vector<double> turns = parking_lot(Priority::none, flits),
                              ages = parking_lot(Priority::age, flits);
    ASSERT_EQ(turns.size(), kSenders);
    ASSERT_EQ(ages.size(), kSenders);
    double rest = 1;
    for (std::uint32_t i = 0; i < kSenders; ++i) {
      if (i + 1 < kSenders) rest /= 2;
      EXPECT_NEAR(turns[i], rest, 0.02) << i;
      EXPECT_NEAR(ages[i], 1.0 / kSenders, 0.02) << i;
    }
  }
}

TEST(Priority, AllArriveByAgeAndTheSameEachTime) {
  const Network network = make_network("hyperx:3x3,p=2");
  const RoutePlan plan = plan_paths(network, {RoutePlan::Kind::minimal, "hop", {}});
  Settings settings;
  settings.priority = Priority::age;
  settings.packet_flits = 3;
  settings.measure = 3000;
  Progress quiet;
  const auto run = [&](double load) {
    return run_steady(plan, for_lanes(settings, plan.lanes_needed), make_pattern(network, "uniform"), load,
                      quiet);
  };
  const SteadyReport low = run(0.3);
  EXPECT_FALSE(low.undelivered);
  EXPECT_NEAR(low.accepted, 0.3, 0.01);
  const SteadyReport high = run(0.7), again = run(0.7);
  EXPECT_EQ(high.latency_max, again.latency_max);
  settings.priority = Priority::none;
  // Old packets are not passed over: the longest wait is shorter.
  EXPECT_LT(high.latency_max, run(0.7).latency_max);
}

TEST(Priority, OtherRoutersAndAllocatorsAreRefused) {
  Settings settings;
  settings.priority = Priority::age;
  settings.sw_allocator = "pim";
  EXPECT_THROW(check(settings), InputError);
  settings.sw_allocator = "islip";
  settings.router = RouterKind::input_output_queued;
  EXPECT_THROW(check(settings), InputError);
}

}  // namespace
}  // namespace unknot::simulate
