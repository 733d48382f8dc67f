// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "unknot/bounds/concurrent_flow.hpp"
#include "unknot/bounds/exchange.hpp"
#include "unknot/bounds/path_lists.hpp"
#include "unknot/bounds/path_split.hpp"
#include "unknot/oblivious/oblivious_load.hpp"
#include "unknot/simulate/plan/two_orders.hpp"
#include "unknot/simulate/run.hpp"
#include "unknot/tables/further_addresses.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"

// What the choice of paths lets a network carry, against loads of channels and linear programs, on routers
// whose buffers and crossbars limit nothing.
namespace unknot::simulate {
namespace {

constexpr std::uint32_t kColumns = 6;

Settings wide_settings() {
  Settings settings;
  settings.vcs = 8;
  settings.vc_buffer = 32;
  settings.speedup = 2;
  settings.warmup = 2000;
  settings.measure = 6000;
  return settings;
}

/// Loads of the channels of a square mesh, from router to router, where half of each flow of transpose goes
/// along its row first, and half along its column.
std::map<std::pair<std::uint32_t, std::uint32_t>, double> loads_of_both_orders() {
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> loads;
  for (std::uint32_t from = 0; from < kColumns * kColumns; ++from) {
    const std::uint32_t x = from % kColumns, y = from / kColumns, to = x * kColumns + y;
    for (const bool row_first : {true, false}) {
      for (std::uint32_t at = from; at != to;) {
        const bool in_column = at % kColumns == to % kColumns, in_row = at / kColumns == to / kColumns;
        const bool along_row = row_first ? !in_column : in_row;
        const std::uint32_t here = along_row ? at % kColumns : at / kColumns;
        const std::uint32_t there = along_row ? to % kColumns : to / kColumns;
        const std::uint32_t step = along_row ? 1 : kColumns;
        const std::uint32_t next = here < there ? at + step : at - step;
        loads[{at, next}] += 0.5;
        at = next;
      }
    }
  }
  return loads;
}

SteadyReport transpose_by_orders(AddressChoice choice, double load) {
  const Network network = make_network("mesh:6x6");
  const OnEveryAddress all = on_every_address(network, two_orders(network));
  RoutePlan plan = plan_routing(all.network, all.routing, false);
  plan.hosts = std::make_shared<const Network>(network);
  plan.address = choice;
  Progress quiet;
  return run_steady(plan, wide_settings(), make_pattern(network, "transpose"), load, quiet);
}

/// Half of each flow goes along its row first: what each channel carries is known, and with it the load at
/// which the first is full. With k routers in a row (k - 1) / 2 flows share the busiest channel.
TEST(PathChoiceTheory, O1TurnLoadsChannelsAsTwoOrdersDoAndIsFullWhereTheBusiestIs) {
  const Network network = make_network("mesh:6x6");
  const auto loads = loads_of_both_orders();
  double most = 0;
  for (const auto& [ends, load] : loads) most = std::max(most, load);
  EXPECT_EQ(most, (kColumns - 1) / 2.0);
  const SteadyReport below = transpose_by_orders(AddressChoice::random, 0.95 / most);
  EXPECT_TRUE(below.steady) << below.verdict;
  for (const ChannelId c : network.channels()) {
    const auto found = loads.find({network.source(c).value, network.target(c).value});
    const double expected = found == loads.end() ? 0 : found->second * 0.95 / most;
    EXPECT_NEAR(below.utilisation[c.value], expected, 0.02) << network.channel_name(c);
  }
  const SteadyReport above = transpose_by_orders(AddressChoice::random, 1.05 / most);
  EXPECT_FALSE(above.steady);
  EXPECT_GT(above.utilisation_max, 0.99);
}

/// No choice between the two orders carries more than the linear program says, even one that knows the
/// traffic: xy-yx comes within a tenth of it by the queues of the sources, where chance has 0.65 of it.
TEST(PathChoiceTheory, AdaptiveOrdersComeNearTheBestSplitAndNotBeyond) {
  const Network network = make_network("mesh:6x6");
  std::vector<Flow> flows;
  make_pattern(network, "transpose").flows(1, 0, flows);
  Progress quiet;
  const PathLists lists = address_path_lists(network, two_orders(network), flows, quiet);
  const FlowCheck best = check_split(network, lists, split_by_program(network, lists));
  EXPECT_LT(best.imbalance, 1e-9);
  EXPECT_NEAR(best.lower, 8.0 / 13, 1e-6);
  EXPECT_NEAR(best.upper, 8.0 / 13, 1e-6);
  const SteadyReport below = transpose_by_orders(AddressChoice::queues, 0.9 * best.lower);
  EXPECT_TRUE(below.steady) << below.verdict;
  EXPECT_NEAR(below.accepted, below.created, 0.002);
  EXPECT_TRUE(transpose_by_orders(AddressChoice::random, 0.9 * best.lower).saturated);
  EXPECT_FALSE(transpose_by_orders(AddressChoice::queues, 1.05 * best.upper).steady);
}

/// A dragonfly of which each group sends to the next one: what shortest paths, Valiant's and any paths carry
/// is computed; adaptive paths have to be between.
class GroupToGroup : public ::testing::Test {
 protected:
  [[nodiscard]] SteadyReport at(const AdaptiveChoice& choice, double load) const {
    Progress quiet;
    return run_steady(plan_paths(network, choice), wide_settings(), pattern, load, quiet);
  }
  [[nodiscard]] double rate_of(ObliviousPaths paths) const {
    Progress quiet;
    return oblivious_load(network, paths, demand, 0, quiet).saturation;
  }
  [[nodiscard]] double any_paths() const {
    const FlowCheck check = check_flow({network, demand}, flow_by_program({network, demand}));
    EXPECT_LT(check.imbalance, 1e-6);
    return check.upper;
  }

  const AdaptiveChoice minimal_choice{.kind = RoutePlan::Kind::minimal};
  const AdaptiveChoice valiant_choice{.kind = RoutePlan::Kind::valiant};
  const AdaptiveChoice ugal_global{
      RoutePlan::Kind::ugal, "hop", {.indirect = 4, .penalty = 1, .global = true}};
  const AdaptiveChoice par{RoutePlan::Kind::ugal, "hop", {.indirect = 4, .penalty = 2, .progressive = 1}};

  const Network network = make_network("dragonfly:a=4,p=2,h=2");
  const TrafficPattern pattern = make_pattern(network, "shift-router:distance=4");
  const RouterDemand demand = exchange_of(network, pattern, 1, 0).between;
};

TEST_F(GroupToGroup, ObliviousPathsAreFullAtTheirRates) {
  for (const auto& [choice, paths] : {std::pair(&minimal_choice, ObliviousPaths::minimal),
                                      std::pair(&valiant_choice, ObliviousPaths::valiant)}) {
    const double rate = rate_of(paths);
    const SteadyReport below = at(*choice, 0.93 * rate);
    EXPECT_TRUE(below.steady) << below.verdict;
    EXPECT_NEAR(below.utilisation_max, 0.93, 0.03);
    EXPECT_FALSE(at(*choice, 1.07 * rate).steady);
  }
  EXPECT_NEAR(rate_of(ObliviousPaths::minimal), 1.0 / 6, 1e-9);
  EXPECT_NEAR(rate_of(ObliviousPaths::valiant), 15.0 / 37, 1e-9);
  EXPECT_NEAR(any_paths(), 9.0 / 16, 1e-6);
}

/// With all queues in view: what Valiant's carry, and at least half of what lies between that and the best.
TEST_F(GroupToGroup, UgalGlobalCarriesMoreThanValiantAndNoMoreThanAnyPaths) {
  const double valiant = rate_of(ObliviousPaths::valiant), most = any_paths();
  for (const double load : {0.9 * valiant, (valiant + most) / 2}) {
    const SteadyReport report = at(ugal_global, load);
    EXPECT_TRUE(report.steady) << report.verdict;
    EXPECT_NEAR(report.accepted, load, 0.01);
  }
  EXPECT_TRUE(at(valiant_choice, (valiant + most) / 2).saturated);
  const SteadyReport above = at(ugal_global, 1.1 * most);
  EXPECT_TRUE(above.saturated);
  EXPECT_LT(above.accepted, most);
  EXPECT_GT(above.accepted, valiant);
}

/// What is diverted behind its source has gone a hop for nothing: less than with all queues in view.
TEST_F(GroupToGroup, ProgressiveCarriesAsMuchAsValiantAndLessThanWithAllQueues) {
  const double valiant = rate_of(ObliviousPaths::valiant), most = any_paths();
  const SteadyReport below = at(par, 0.9 * valiant);
  EXPECT_TRUE(below.steady) << below.verdict;
  EXPECT_TRUE(at(minimal_choice, 0.9 * valiant).saturated);
  const SteadyReport above = at(par, 1.1 * most);
  EXPECT_TRUE(above.saturated);
  EXPECT_GT(above.accepted, valiant);
  EXPECT_LT(above.accepted, at(ugal_global, 1.1 * most).accepted);
}

/// Where little waits, both are between shortest paths and Valiant's.
TEST_F(GroupToGroup, AtLowLoadLatencyIsBetween) {
  const double shortest = at(minimal_choice, 0.05).latency_mean;
  const double indirect = at(valiant_choice, 0.05).latency_mean;
  for (const AdaptiveChoice& choice : {ugal_global, par}) {
    const double latency = at(choice, 0.05).latency_mean;
    EXPECT_GT(latency, shortest);
    EXPECT_LT(latency, indirect);
  }
}

}  // namespace
}  // namespace unknot::simulate
