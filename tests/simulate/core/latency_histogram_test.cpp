// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/record/latency_histogram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "unknot/simulate/record/interval_series.hpp"
#include "unknot/support/random.hpp"

namespace unknot::simulate {
namespace {

/// Latencies with a heavy tail: most below 100, some beyond a million.
std::vector<std::uint64_t> heavy_tailed(std::size_t n, std::uint64_t stream) {
  Random random(3, stream);
  std::vector<std::uint64_t> values(n);
  for (std::uint64_t& v : values) v = static_cast<std::uint64_t>(10 / std::pow(1 - random.unit(), 1.5));
  return values;
}

std::uint64_t nearest_rank(const std::vector<std::uint64_t>& sorted, double q) {
  const auto rank = static_cast<std::size_t>(std::ceil(q * static_cast<double>(sorted.size())));
  return sorted[std::max<std::size_t>(rank, 1) - 1];
}

constexpr double kQuantiles[] = {0, 0.001, 0.25, 0.5, 0.95, 0.99, 0.999, 0.9999, 1};

TEST(LatencyHistogram, EmptyIsZero) {
  const LatencyHistogram empty;
  EXPECT_EQ(empty.count(), 0U);
  EXPECT_EQ(empty.mean(), 0);
  EXPECT_EQ(empty.min(), 0U);
  EXPECT_EQ(empty.max(), 0U);
  EXPECT_EQ(empty.quantile(0.5), 0U);
}

TEST(LatencyHistogram, SmallValuesAreExact) {
  Random random(1);
  LatencyHistogram histogram;
  std::vector<std::uint64_t> values(9999);
  for (std::uint64_t& v : values) histogram.add(v = random.below(LatencyHistogram::kExact));
  std::sort(values.begin(), values.end());
  for (const double q : kQuantiles) EXPECT_EQ(histogram.quantile(q), nearest_rank(values, q)) << q;
}

TEST(LatencyHistogram, LargeValuesAreWithinATwoThousandth) {
  LatencyHistogram histogram;
  std::vector<std::uint64_t> values = heavy_tailed(200'000, 1);
  for (const std::uint64_t v : values) histogram.add(v);
  std::sort(values.begin(), values.end());
  ASSERT_GT(values.back(), 1'000'000U);
  for (const double q : kQuantiles) {
    const std::uint64_t exact = nearest_rank(values, q);
    EXPECT_GE(histogram.quantile(q), exact) << q;
    EXPECT_LE(static_cast<double>(histogram.quantile(q)), static_cast<double>(exact) * (1 + 1.0 / 2048)) << q;
  }
  const std::uint64_t sum = std::accumulate(values.begin(), values.end(), std::uint64_t{0});
  EXPECT_EQ(histogram.sum(), sum);
  EXPECT_EQ(histogram.count(), values.size());
  EXPECT_EQ(histogram.min(), values.front());
  EXPECT_EQ(histogram.max(), values.back());
  EXPECT_DOUBLE_EQ(histogram.mean(), static_cast<double>(sum) / static_cast<double>(values.size()));
}

TEST(LatencyHistogram, BinsCoverAllValuesOnce) {
  for (std::uint64_t v : {0ULL, 1ULL, 4095ULL, 4096ULL, 4097ULL, 8191ULL, 8192ULL, 8195ULL, 1ULL << 40,
                          (1ULL << 40) + 12345, ~0ULL}) {
    LatencyHistogram one;
    one.add(v);
    int bins = 0;
    one.for_each([&](std::uint64_t low, std::uint64_t high, std::uint64_t count) {
      ++bins;
      EXPECT_LE(low, v);
      EXPECT_GE(high, v);
      EXPECT_EQ(count, 1U);
      // The value below the bin is in another one.
      LatencyHistogram two = one;
      if (low > 0) two.add(low - 1);
      int more = 0;
      two.for_each([&](std::uint64_t, std::uint64_t, std::uint64_t) { ++more; });
      EXPECT_EQ(more, low > 0 ? 2 : 1) << v;
    });
    EXPECT_EQ(bins, 1);
    EXPECT_EQ(one.quantile(0.5), v);
  }
}

TEST(LatencyHistogram, MergingIsAdding) {
  LatencyHistogram all;
  LatencyHistogram parts[3];
  for (std::uint64_t part = 0; part < 3; ++part) {
    for (const std::uint64_t v : heavy_tailed(1000 * (part + 1), part)) {
      all.add(v);
      parts[part].add(v);
    }
  }
  LatencyHistogram merged;
  for (const std::size_t part : {2, 0, 1}) merged.merge(parts[part]);
  merged.merge(LatencyHistogram());
  for (const double q : kQuantiles) EXPECT_EQ(merged.quantile(q), all.quantile(q));
  EXPECT_EQ(merged.sum(), all.sum());
  EXPECT_EQ(merged.min(), all.min());
  EXPECT_EQ(merged.max(), all.max());
  EXPECT_EQ(merged.count(), 6000U);
}

TEST(IntervalSeries, PairsBecomeOneWhenTimeGoesOn) {
  IntervalSeries series(2);
  const std::uint64_t end = 2 * IntervalSeries::kMost * 4 - 1;
  for (std::uint64_t t = 0; t <= end; ++t) series.add(t, static_cast<double>(t));
  EXPECT_EQ(series.width(), 8U);
  ASSERT_EQ(series.sums().size(), IntervalSeries::kMost);
  for (std::size_t i = 0; i < series.sums().size(); ++i) {
    EXPECT_EQ(series.counts()[i], 8);
    EXPECT_EQ(series.sums()[i], 8 * (8 * static_cast<double>(i)) + 28);
  }
  // The same values in another order.
  IntervalSeries backwards(2);
  for (std::uint64_t t = end + 1; t-- > 0;) backwards.add(t, static_cast<double>(t));
  EXPECT_EQ(backwards.sums(), series.sums());
}

TEST(IntervalSeries, EmptyIntervalsTakeTheMeanOfAnother) {
  IntervalSeries series(10);
  series.add(25, 6, 2);
  series.add(47, 5);
  EXPECT_EQ(series.means(), (std::vector<double>{3, 3, 3, 3, 5}));
}

}  // namespace
}  // namespace unknot::simulate
