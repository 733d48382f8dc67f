// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/statistics/steady_state.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "simulate/synthetic_series.hpp"
#include "unknot/simulate/statistics/warm_up.hpp"

namespace unknot::simulate {
namespace {

using test::autoregressive;
using test::stationary;
using ::testing::HasSubstr;

TEST(Mser5, LeavesOutExactlyATransientWithoutNoise) {
  std::vector<double> series(100, 7);
  for (std::size_t i = 0; i < 15; ++i) series[i] = 30;
  EXPECT_EQ(mser5(series).discard, 15U);
  EXPECT_TRUE(mser5(series).found);
  EXPECT_EQ(mser5(series).statistic, 0);
  series[15] = 8;  // in a batch of five this is the whole batch
  EXPECT_EQ(mser5(series).discard, 20U);
  EXPECT_EQ(mser5(std::vector<double>(100, 7)).discard, 0U);
}

// By hand: batches 3, 1, 1, 3, 1, 1 have variances/n^2 of 5.33/36, 3.2/25, 3/16, 2.67/9.
TEST(Mser5, StatisticByHand) {
  std::vector<double> series;
  for (const double batch : {3, 1, 1, 3, 1, 1}) series.insert(series.end(), 5, batch);
  series.push_back(1000);  // fills no batch
  const WarmUp warm_up = mser5(series);
  EXPECT_EQ(warm_up.discard, 5U);
  EXPECT_NEAR(warm_up.statistic, 3.2 / 25, 1e-12);
}

TEST(Mser5, EmptyStartOfANetwork) {
  // Begun empty, at 0 instead of 100; the time constant is 1 / (1 - phi) = 50.
  double bias_all = 0;
  double bias_rest = 0;
  for (std::uint64_t run = 0; run < 100; ++run) {
    const auto series = autoregressive(2000, 100, 0.98, 0, run);
    const WarmUp warm_up = mser5(series);
    EXPECT_TRUE(warm_up.found);
    EXPECT_GE(warm_up.discard, 75U);
    for (std::size_t i = 0; i < series.size(); ++i) {
      bias_all += (series[i] - 100) / 2000 / 100;
      if (i >= warm_up.discard)
        bias_rest += (series[i] - 100) / static_cast<double>(2000 - warm_up.discard) / 100;
    }
  }
  EXPECT_LT(bias_all, -2);
  EXPECT_LT(std::abs(bias_rest), 0.3);
}

TEST(Mser5, TooShortRunsSayWhenTheyAre) {
  std::vector<double> growing(500);
  for (std::size_t i = 0; i < growing.size(); ++i) growing[i] = static_cast<double>(i);
  EXPECT_FALSE(mser5(growing).found);
  EXPECT_FALSE(mser5(std::vector<double>(9, 1)).found);
  EXPECT_FALSE(mser5({}).found);
}

TEST(Trend, SlopeOfALineIsItsChange) {
  std::vector<double> line(1000);
  for (std::size_t i = 0; i < line.size(); ++i) line[i] = 90 + 20 * (static_cast<double>(i) + 0.5) / 1000;
  const Trend trend = trend_of(line, std::vector<double>(1000, 1), 0.99);
  EXPECT_TRUE(trend.significant);
  EXPECT_NEAR(trend.change, 0.2, 0.01);
  const Trend none = trend_of(std::vector<double>(1000, 3.3), std::vector<double>(1000, 1), 0.99);
  EXPECT_FALSE(none.significant);
  EXPECT_EQ(none.change, 0);
}

/// Verdict on a stationary network whose number of packets in flight grows by `drift` over the time.
SteadyState verdict(std::uint64_t run, double drift, double phi = 0.8) {
  const std::size_t n = 1000;
  std::vector<double> latency = stationary(n, 40, phi, run);
  std::vector<double> in_flight = stationary(n, 30, phi, run + 10'000);
  for (std::size_t i = 0; i < n; ++i)
    in_flight[i] += 30 * drift * static_cast<double>(i) / static_cast<double>(n);
  return steady_state({latency, std::vector<double>(n, 1), in_flight, 1e6, 0.999e6});
}

TEST(SteadyState, FalseAlarmsAreRare) {
  int steady = 0;
  for (std::uint64_t run = 0; run < 300; ++run) steady += verdict(run, 0).steady ? 1 : 0;
  EXPECT_GE(steady, 297);
}

TEST(SteadyState, GrowthIsFound) {
  int found = 0;
  for (std::uint64_t run = 0; run < 100; ++run) found += verdict(run, 0.5).steady ? 0 : 1;
  EXPECT_GE(found, 99);
  EXPECT_THAT(verdict(1, 0.5).reason, HasSubstr("the number of packets in flight grows by"));
}

TEST(SteadyState, LatencyAloneAndSources) {
  const std::vector<double> ones(100, 1);
  const std::vector<double> flat = stationary(100, 1000, 0, 1);
  std::vector<double> falling = flat;
  for (std::size_t i = 0; i < falling.size(); ++i) falling[i] -= 3 * static_cast<double>(i);
  const SteadyState latency = steady_state({falling, ones, flat, 1000, 990});
  EXPECT_FALSE(latency.steady);
  EXPECT_THAT(latency.reason, HasSubstr("latency falls by"));
  const SteadyState behind = steady_state({flat, ones, flat, 1000, 900});
  EXPECT_FALSE(behind.steady);
  EXPECT_EQ(behind.reason,
            "the sources fall behind: 10.0 % of the created flits are not delivered in the same time");
  const std::vector<double> few(5, 1);
  EXPECT_FALSE(steady_state({few, few, few, 10, 10}).steady);
  EXPECT_TRUE(steady_state({flat, ones, flat, 1000, 990}).steady);
  EXPECT_THAT(steady_state_definition(),
              HasSubstr("more than 10 % beyond chance (99 % confidence), at most 5 %"));
}

/// Observations of 200 intervals with this mean number of packets in flight.
struct Seen {
  std::vector<double> in_flight, latency, ones;
  Observations observations;
  Seen(double flights, double created, double delivered)
      : in_flight(200, flights), latency(200, 20), ones(200, 1) {
    observations = {latency, ones, in_flight, created, delivered};
  }
};

// One packet of 16 that is on its way at the end is no shortfall of the network.
TEST(SteadyState, FewPacketsAreLeftOpen) {
  const Seen few(0.02, 16, 15);
  EXPECT_FALSE(falls_behind(few.observations, 0.05));
  const SteadyState open = steady_state(few.observations);
  EXPECT_FALSE(open.steady);
  EXPECT_EQ(open.reason,
            "too few packets to tell: 16 were created while measuring, and that 6.2 % of their flits are not "
            "delivered in the same time may be chance");
  EXPECT_TRUE(falls_behind(Seen(0.02, 160, 150).observations, 0.05));
  EXPECT_FALSE(falls_behind(Seen(30, 160, 145).observations, 0.05));
  // Packets count, not flits.
  Seen flits(0.02, 160, 150);
  flits.observations.packet_flits = 10;
  EXPECT_FALSE(falls_behind(flits.observations, 0.05));
}

TEST(SteadyState, NothingCreatedIsNothingKnown) {
  const SteadyState none = steady_state(Seen(0, 0, 0).observations);
  EXPECT_FALSE(none.steady);
  EXPECT_EQ(none.reason, "too few packets to tell: none was created while measuring");
}

// Bursts that last longer than the time of measuring: what was created is not what was asked for.
TEST(SteadyState, SourcesThatByChanceCreateOtherThanTheyWereToAreTooFewToTell) {
  const std::vector<double> ones(100, 1);
  const std::vector<double> flat = stationary(100, 1000, 0, 1);
  Observations seen{flat, ones, flat, 1000, 990};
  for (const double offered : {0.0, 1000.0, 1300.0, 810.0}) {
    seen.offered_flits = offered;
    EXPECT_TRUE(steady_state(seen).steady) << offered;
  }
  seen.offered_flits = 3000;
  EXPECT_FALSE(steady_state(seen).steady);
  EXPECT_THAT(steady_state(seen).reason, HasSubstr("by chance the sources created 67 % less than they were"));
  seen.offered_flits = 500;
  EXPECT_FALSE(steady_state(seen).steady);
  EXPECT_THAT(steady_state(seen).reason, HasSubstr("created 100 % more"));
}

// A cycle in which nothing arrives is too short a time for any verdict.
TEST(SteadyState, ShortTimesAreNotBehind) {
  const std::vector<double> one(1, 50);
  const Observations seen{one, one, one, 100, 0};
  EXPECT_FALSE(falls_behind(seen, 0.05));
  EXPECT_EQ(steady_state(seen).reason, "too short to tell: 1 interval, expected at least 10");
}

}  // namespace
}  // namespace unknot::simulate
