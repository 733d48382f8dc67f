// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/load_points.hpp"

#include <gtest/gtest.h>
#include <algorithm>

#include <cmath>

#include "unknot/simulate/statistics/batch_statistics.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"

namespace unknot::simulate {
namespace {

SteadyReport run_with(double latency, double accepted) {
  SteadyReport run;
  run.load = run.offered = 0.5;
  run.packets = 100;
  run.latency_mean = latency;
  run.latency_max = 2 * latency;
  run.accepted = accepted;
  run.steady = run.warm_up_found = true;
  return run;
}

TEST(LoadPoints, MeansOverSeeds) {
  LoadPoint point;
  point.load = 0.5;
  point.runs = {run_with(10, 0.5), run_with(13, 0.48), run_with(16, 0.49)};
  const PointMeans all = means(point);
  EXPECT_DOUBLE_EQ(all.latency_mean, 13);
  EXPECT_DOUBLE_EQ(all.latency_max, 32);
  EXPECT_NEAR(all.accepted, 0.49, 1e-12);
  EXPECT_EQ(all.latency_spread.low, 10);
  EXPECT_EQ(all.latency_spread.high, 16);
  EXPECT_EQ(all.packets, 300U);
  // standard deviation 3 of three values
  EXPECT_NEAR(all.latency_half_width, student_t(0.975, 2) * 3 / std::sqrt(3.0), 1e-9);
  EXPECT_TRUE(all.steady);
  EXPECT_TRUE(all.all_arrived);
}

TEST(LoadPoints, OneBadRunSpoilsThePoint) {
  LoadPoint point;
  point.runs = {run_with(10, 0.5), run_with(12, 0.3)};
  point.runs[1].saturated = true;
  point.runs[1].steady = false;
  point.runs[1].undelivered = true;
  point.runs[1].deadlock.emplace_back();
  const PointMeans all = means(point);
  EXPECT_TRUE(all.saturated);
  EXPECT_TRUE(all.deadlock);
  EXPECT_FALSE(all.steady);
  EXPECT_FALSE(all.all_arrived);
  EXPECT_FALSE(all.lost);  // a saturated run is not waited for
  point.runs[1].saturated = false;
  EXPECT_TRUE(means(point).lost);
}

TEST(LoadPoints, OneNameForWhatBecameOfAPoint) {
  LoadPoint point;
  point.runs = {run_with(10, 0.5), run_with(12, 0.5)};
  EXPECT_STREQ(name_of(means(point).state()), "steady");
  EXPECT_TRUE(means(point).has_latencies);
  point.runs[1].steady = false;
  EXPECT_STREQ(name_of(means(point).state()), "not steady");
  EXPECT_FALSE(means(point).failed());
  point.runs[1].undelivered = true;
  EXPECT_STREQ(name_of(means(point).state()), "undelivered");
  EXPECT_TRUE(means(point).failed());
  EXPECT_FALSE(means(point).has_latencies);
  point.runs[1].saturated = true;
  EXPECT_STREQ(name_of(means(point).state()), "saturated");
  EXPECT_FALSE(means(point).failed());
  point.runs[1].deadlock.emplace_back();
  EXPECT_STREQ(name_of(means(point).state()), "deadlock");
  EXPECT_TRUE(means(point).failed());
}

TEST(LoadPoints, SaturatedWhereHalfOfTheRunsAre) {
  LoadPoint point;
  point.runs = {run_with(10, 0.5), run_with(12, 0.4), run_with(12, 0.4)};
  point.runs[1].saturated = true;
  EXPECT_FALSE(means(point).saturated);
  point.runs[2].saturated = true;
  EXPECT_TRUE(means(point).saturated);
}

TEST(LoadPoints, RunsWithoutPacketsHaveNoLatency) {
  LoadPoint point;
  point.runs = {run_with(10, 0.5), run_with(0, 0.3)};
  point.runs[1].packets = 0;
  EXPECT_DOUBLE_EQ(means(point).latency_mean, 10);
  point.runs = {point.runs[1]};
  EXPECT_FALSE(means(point).has_latencies);
}

TEST(LoadPoints, UtilisationIsTheMeanOfTheRuns) {
  LoadPoint point;
  point.runs.resize(2);
  point.runs[0].utilisation = {0.25F, 0.5F};
  point.runs[1].utilisation = {0.75F, 0};
  EXPECT_EQ(mean_utilisation(point), (std::vector<float>{0.5F, 0.25F}));
}

class OnARing : public ::testing::Test {
 protected:
  OnARing() { settings_.measure = 400; }
  LoadJob job(std::uint32_t seeds, std::uint32_t threads) {
    return {plan_, settings_, pattern_, seeds, threads};
  }
  Network network_ = make_network("ring:6,p=2");
  RoutePlan plan_ = plan_paths(network_, AdaptiveChoice());
  Settings settings_;
  TrafficPattern pattern_ = make_pattern(network_, "uniform");
  Progress quiet_;
};

TEST_F(OnARing, PointsComeInTheOrderOfTheLoadsAndSeeds) {
  const auto points = run_loads(job(2, 2), {0.3, 0.1, 0.2}, quiet_);
  ASSERT_EQ(points.size(), 3U);
  const double loads[] = {0.3, 0.1, 0.2};
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(points[i].load, loads[i]);
    ASSERT_EQ(points[i].runs.size(), 2U);
    for (std::uint64_t s = 0; s < 2; ++s) {
      Settings own = settings_;
      own.seed += s;
      const SteadyReport alone = run_steady(plan_, own, pattern_, loads[i], quiet_);
      EXPECT_EQ(points[i].runs[s].latency_mean, alone.latency_mean);
      EXPECT_EQ(points[i].runs[s].packets, alone.packets);
    }
  }
}

// Loads simulated ahead of the search change nothing.
TEST_F(OnARing, SaturationIsTheSameOnOneThreadAndOnFour) {
  SaturationOptions options;
  options.tolerance = 0.05;
  const SaturationRun one = run_saturation(job(1, 1), options, quiet_);
  const SaturationRun four = run_saturation(job(1, 4), options, quiet_);
  EXPECT_EQ(one.report.latency.load, four.report.latency.load);
  EXPECT_EQ(one.report.throughput.load, four.report.throughput.load);
  EXPECT_EQ(one.report.plateau.load, four.report.plateau.load);
  ASSERT_EQ(one.points.size(), four.points.size());
  for (std::size_t i = 0; i < one.points.size(); ++i) {
    EXPECT_EQ(one.points[i].load, four.points[i].load);
    EXPECT_EQ(one.points[i].runs[0].latency_mean, four.points[i].runs[0].latency_mean);
  }
  EXPECT_GE(one.report.throughput.load, 0.3);  // found: 0.3 itself
  EXPECT_LT(one.report.throughput.load, 1);
}

// What a seed says alone is what a search with that seed alone finds, and the interval is that of three
// numbers.
TEST_F(OnARing, SaturationOfEachSeedAlone) {
  SaturationOptions options;
  options.tolerance = 0.02;
  const SaturationRun all = run_saturation(job(3, 2), options, quiet_);
  EXPECT_TRUE(run_saturation(job(1, 1), options, quiet_).spreads.empty());
  std::vector<std::vector<double>> own(3);
  for (int seed = 0; seed < 3; ++seed) {
    const SaturationRun one = run_saturation(job(1, 1), options, quiet_);
    own[0].push_back(one.report.latency.load);
    own[1].push_back(one.report.throughput.load);
    own[2].push_back(one.report.plateau.load);
    ++settings_.seed;
  }
  ASSERT_EQ(all.spreads.size(), 3U);
  for (int i = 0; i < 3; ++i) {
    const double mean = (own[i][0] + own[i][1] + own[i][2]) / 3;
    double squares = 0;
    for (const double load : own[i]) squares += (load - mean) * (load - mean);
    EXPECT_DOUBLE_EQ(all.spreads[i].loads.low, *std::min_element(own[i].begin(), own[i].end()));
    EXPECT_DOUBLE_EQ(all.spreads[i].loads.high, *std::max_element(own[i].begin(), own[i].end()));
    EXPECT_NEAR(all.spreads[i].mean, mean, 1e-12);
    // 4.3027: Student's t of two degrees of freedom, 97.5 %.
    EXPECT_NEAR(all.spreads[i].half_width, 4.302653 * std::sqrt(squares / 2 / 3), 1e-5);
  }
  EXPECT_GT(all.spreads[2].half_width, 0);
}

// Half of the terminals are idle: the accepted mean is half of the load, and nothing is saturated.
TEST_F(OnARing, IdleTerminalsAreNoShortfall) {
  network_ = make_network("ring:4");
  AdaptiveChoice choice;
  choice.lane_scheme = "single";  // all lanes for a hop: one alone cannot fill a channel with short packets
  plan_ = plan_paths(network_, choice);
  pattern_ = TrafficPattern();
  pattern_.name = "half";
  pattern_.flows = [](std::uint64_t, std::uint32_t, std::vector<Flow>& flows) {
    flows = {{TerminalId(0), TerminalId(1)}, {TerminalId(2), TerminalId(3)}};
  };
  settings_.measure = 4000;
  SaturationOptions options;
  options.tolerance = 0.1;
  const SaturationRun found = run_saturation(job(1, 1), options, quiet_);
  EXPECT_GT(found.report.throughput.load, 0.85);
  EXPECT_NEAR(means(found.points.back()).accepted, found.report.plateau.load / 2, 1e-3);
}

}  // namespace
}  // namespace unknot::simulate
