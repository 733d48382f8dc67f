// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/statistics/energy.hpp"

#include <gtest/gtest.h>

#include "simulate/chain.hpp"
#include "unknot/simulate/run.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"

namespace unknot::simulate {
namespace {

RunOptions of_energy(const char* table) {
  RunOptions options;
  options.energy = parse_energy(table);
  return options;
}

/// 7 packets of 3 flits through 4 routers: each flit is written, read and switched four times, passes three
/// channels and arrives once.
TEST(Energy, IsThatOfTheEventsCountedByHand) {
  Settings settings;
  settings.cycle_ns = 2;
  std::vector<ListedPacket> packets;
  for (std::uint64_t i = 0; i < 7; ++i) packets.push_back({10 * i, 0, 1, 3});
  Progress quiet;
  const RunReport report = run_packets(chain(4), settings, packets, nullptr, quiet,
                                       of_energy("write=1,read=2,switch=4,channel=8,terminal=16,router=0.5"));
  ASSERT_TRUE(report.energy);
  const EnergyUse& use = *report.energy;
  EXPECT_DOUBLE_EQ(use.buffers, 21 * 4 * (1 + 2));
  EXPECT_DOUBLE_EQ(use.switches, 21 * 4 * 4);
  EXPECT_DOUBLE_EQ(use.channels, 21 * 3 * 8);
  EXPECT_DOUBLE_EQ(use.terminals, 21 * 16);
  EXPECT_EQ(use.delivered, 21U);
  EXPECT_DOUBLE_EQ(use.routers, 4 * 0.5 * use.ns);
  EXPECT_DOUBLE_EQ(use.power_mw(), use.total() / use.ns);
}

/// In the long run a flit passes as many routers as its packet: the mean of the run.
TEST(Energy, OfAFlitIsThatOfItsHops) {
  const Network network = make_network("slimfly:q=5,p=2");
  const RoutePlan plan = plan_paths(network, {RoutePlan::Kind::minimal, "hop", {}});
  Settings settings;
  settings.warmup = 500;
  settings.measure = 20'000;
  Progress quiet;
  const SteadyReport report = run_steady(plan, for_lanes(settings, plan.lanes_needed),
                                         make_pattern(network, "uniform"), 0.3, quiet, of_energy("switch=1"));
  EXPECT_NEAR(report.energy->per_flit(), report.hops_mean, 0.01 * report.hops_mean);
  EXPECT_FALSE(run_steady(plan, for_lanes(settings, plan.lanes_needed), make_pattern(network, "uniform"), 0,
                          quiet, of_energy("switch=1"))
                   .energy);
}

TEST(Energy, WrongTablesAreRefused) {
  EXPECT_THROW((void)parse_energy("write=-1"), InputError);
  EXPECT_THROW((void)parse_energy("wrote=1"), InputError);
  EXPECT_THROW((void)parse_energy(""), InputError);
  EXPECT_THROW((void)parse_energy("write=0"), InputError);
}

}  // namespace
}  // namespace unknot::simulate
