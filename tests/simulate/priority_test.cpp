// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "simulate/chain.hpp"
#include "unknot/simulate/plan/message_plan.hpp"
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

/// Four hosts on either side of one cable, each of which begins as much of both classes, on virtual networks
/// of their own, to one on the other side.
SteadyReport across(Priority priority, double load, bool both) {
  const Network network = make_network("mesh:2,p=4");
  Progress quiet;
  RoutePlan plan = plan_routing(network, route(network, "minhop", {}, quiet), false);
  std::vector<MessageClass> classes(both ? 2 : 1);
  classes.back().name = "high";
  classes.back().network = both ? 1 : 0;
  if (both) classes.front().name = "low";
  plan_messages(plan, classes, 1);
  std::vector<Flow> flows;
  for (std::uint32_t t = 0; t < 8; ++t) flows.push_back({TerminalId(t), TerminalId((t + 4) % 8), 1});
  Settings settings;
  settings.priority = priority;
  settings.vcs = both ? 8 : 4;
  settings.warmup = 3000;
  settings.measure = 20'000;
  return run_steady(plan, settings, pattern_of_flows(flows), load, quiet);
}

/// Of a cable that is asked for 1.6 flits a cycle, half of them high: those get all that they ask for, as if
/// nobody else were there, and the others what is left. In turn both get half.
TEST(Priority, TheHigherClassIsAloneAndTheLowerGetsTheRest) {
  const SteadyReport turns = across(Priority::none, 0.4, true), ranks = across(Priority::network, 0.4, true);
  ASSERT_EQ(ranks.classes.size(), 2U);
  for (const ClassReport& one : turns.classes) EXPECT_NEAR(one.accepted, 0.125, 0.01);
  EXPECT_NEAR(ranks.classes[1].accepted, 0.2, 0.005);
  EXPECT_NEAR(ranks.classes[0].accepted, 0.05, 0.01);
  // Where all arrive: as quick as alone, and quicker than in turn.
  const SteadyReport alone = across(Priority::none, 0.1, false), with = across(Priority::network, 0.2, true);
  const SteadyReport mixed = across(Priority::none, 0.2, true);
  EXPECT_NEAR(with.classes[1].latency_mean, alone.classes[0].latency_mean,
              0.05 * alone.classes[0].latency_mean);
  EXPECT_LT(with.classes[1].latency_mean, mixed.classes[1].latency_mean);
  EXPECT_GT(with.classes[0].latency_mean, mixed.classes[0].latency_mean);
}

TEST(Priority, ByClassIsForMessages) {
  const Network network = make_network("mesh:2,p=1");
  Progress quiet;
  const RoutePlan plan = plan_routing(network, route(network, "minhop", {}, quiet), false);
  Settings settings;
  settings.priority = Priority::network;
  EXPECT_THROW((void)run_steady(plan, settings, make_pattern(network, "uniform"), 0.1, quiet), InputError);
}

TEST(Priority, OtherRoutersAndAllocatorsAreRefused) {
  Settings settings;
  settings.priority = Priority::age;
  settings.sw_allocator.name = "pim";
  EXPECT_THROW(check(settings), InputError);
  settings.sw_allocator.name = "islip";
  settings.router = RouterKind::input_output_queued;
  EXPECT_THROW(check(settings), InputError);
}

}  // namespace
}  // namespace unknot::simulate
