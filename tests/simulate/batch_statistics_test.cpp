// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/statistics/batch_statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "simulate/synthetic_series.hpp"

namespace unknot::simulate {
namespace {

using test::stationary;

// Tables of any textbook.
TEST(StudentT, PublishedValues) {
  EXPECT_NEAR(student_t(0.975, 1), 12.706204736, 1e-8);
  EXPECT_NEAR(student_t(0.975, 2), 4.3026527297, 1e-9);
  EXPECT_NEAR(student_t(0.975, 10), 2.2281388520, 1e-9);
  EXPECT_NEAR(student_t(0.975, 19), 2.0930240544, 1e-9);
  EXPECT_NEAR(student_t(0.975, 30), 2.0422724563, 1e-9);
  EXPECT_NEAR(student_t(0.995, 18), 2.8784404727, 1e-9);
  EXPECT_NEAR(student_t(0.95, 5), 2.0150483733, 1e-9);
  EXPECT_NEAR(student_t(0.975, 100'000), 1.95998770, 1e-6);
  EXPECT_NEAR(student_t(0.5, 7), 0, 1e-9);
}

/// Part of `runs` stationary series whose interval holds the true mean, and how many pass as independent.
struct Coverage {
  double covered = 0;
  double independent = 0;
};
Coverage coverage(double phi, std::size_t n, int runs) {
  Coverage c;
  for (int run = 0; run < runs; ++run) {
    const auto series = stationary(n, 50, phi, static_cast<std::uint64_t>(run));
    const MeanEstimate estimate = batch_means(series);
    c.covered += std::abs(estimate.mean - 50) <= estimate.half_width ? 1.0 / runs : 0;
    c.independent += estimate.independent ? 1.0 / runs : 0;
    EXPECT_GE(estimate.batches, 10U);
    EXPECT_LT(estimate.batches, 40U);
  }
  return c;
}

TEST(BatchMeans, IntervalsHoldTheTrueMean) {
  for (const double phi : {0.0, 0.5, 0.9, -0.5}) {
    const Coverage c = coverage(phi, 4000, 400);
    EXPECT_GE(c.covered, 0.92) << phi;
    EXPECT_LE(c.covered, 0.985) << phi;
    EXPECT_GE(c.independent, 0.85) << phi;
  }
}

TEST(BatchMeans, ValuesTakenAsIndependentWouldNot) {
  int covered = 0;
  for (int run = 0; run < 400; ++run) {
    const auto series = stationary(4000, 50, 0.9, static_cast<std::uint64_t>(run));
    const double mean = std::accumulate(series.begin(), series.end(), 0.0) / 4000;
    double squares = 0;
    for (const double x : series) squares += (x - mean) * (x - mean);
    if (std::abs(mean - 50) <= 1.96 * std::sqrt(squares / 3999 / 4000)) ++covered;
  }
  EXPECT_LT(covered, 0.6 * 400);
}

TEST(BatchMeans, SeriesTooShortForItsCorrelationSaysSo) {
  int independent = 0;
  for (std::uint64_t run = 0; run < 100; ++run) {
    const MeanEstimate estimate = batch_means(stationary(60, 50, 0.99, run));
    if (estimate.independent) ++independent;
    EXPECT_LT(estimate.batches, 40U);
  }
  EXPECT_LT(independent, 30);
  std::vector<double> ramp(1000);
  std::iota(ramp.begin(), ramp.end(), 0.0);
  EXPECT_FALSE(batch_means(ramp).independent);
  EXPECT_GT(batch_means(ramp).lag1, 0.5);
}

TEST(BatchMeans, IntervalNarrowsWithTheRootOfTheLength) {
  double ratio = 0;
  for (std::uint64_t run = 0; run < 50; ++run) {
    ratio += batch_means(stationary(1600, 5, 0.5, run)).half_width /
             batch_means(stationary(6400, 5, 0.5, run + 1000)).half_width / 50;
  }
  EXPECT_NEAR(ratio, 2, 0.3);
}

TEST(BatchMeans, MeanWeighsByCount) {
  const MeanEstimate estimate = batch_means(std::vector<double>{10, 30, 0}, std::vector<double>{1, 3, 0});
  EXPECT_DOUBLE_EQ(estimate.mean, 10);
  EXPECT_DOUBLE_EQ(estimate.half_width, 0);
  // By hand: mean 6 of (4, 8), deviations -2 and 2, variance of the mean 8 / 1 / 2 / 2.
  const MeanEstimate two = batch_means(std::vector<double>{4, 8});
  EXPECT_DOUBLE_EQ(two.mean, 6);
  EXPECT_NEAR(two.half_width, 12.706204736 * 2, 1e-6);
}

TEST(BatchMeans, RatioCoversWhereCountsVary) {
  int covered = 0;
  for (std::uint64_t run = 0; run < 300; ++run) {
    Random random(9, run);
    test::Normal normal(run + 5000);
    std::vector<double> sums(1000, 0);
    std::vector<double> counts(1000, 0);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      counts[i] = random.below(6);
      for (int k = 0; k < static_cast<int>(counts[i]); ++k) sums[i] += 20 + 4 * normal.next();
    }
    const MeanEstimate estimate = batch_means(sums, counts);
    if (std::abs(estimate.mean - 20) <= estimate.half_width) ++covered;
  }
  EXPECT_GE(covered, 276);
  EXPECT_LE(covered, 297);
}

TEST(BatchMeans, NothingToSay) {
  EXPECT_TRUE(std::isinf(batch_means(std::vector<double>{}).half_width));
  EXPECT_TRUE(std::isinf(batch_means(std::vector<double>{3}).half_width));
  EXPECT_EQ(batch_means(std::vector<double>{3}).mean, 3);
  EXPECT_EQ(batch_means(std::vector<double>{0, 0}, std::vector<double>{0, 0}).mean, 0);
  EXPECT_EQ(batch_means(std::vector<double>(500, 4)).half_width, 0);
}

}  // namespace
}  // namespace unknot::simulate
