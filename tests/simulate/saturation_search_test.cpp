// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/statistics/saturation_search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "unknot/support/error.hpp"

namespace unknot::simulate {
namespace {

using ::testing::HasSubstr;

/// A queue that saturates at `capacity`: latency 10 / (1 - load / capacity), nothing beyond is accepted.
PointSummary queue(double load, double capacity) {
  if (load >= capacity) return {1e6, capacity, true};
  return {10 / (1 - load / capacity), load, true};
}

SaturationReport search(const std::function<PointSummary(double)>& run, SaturationOptions options = {}) {
  Progress quiet;
  return find_saturation(run, options, quiet);
}

TEST(SaturationSearch, QueueByFormula) {
  for (const double capacity : {0.2, 0.37, 0.5, 0.714, 0.93}) {
    std::multiset<double> loads;
    const SaturationReport report = search([&](double load) {
      loads.insert(load);
      return queue(load, capacity);
    });
    // 1 / (1 - x / c) <= 3 / (1 - 0.01 / c), and min(x, c) >= 0.95 x.
    const double latency = capacity * (1 - (1 - 0.01 / capacity) / 3);
    const double throughput = std::min(1.0, capacity / 0.95);
    EXPECT_LE(report.latency.load, latency + 1e-9);
    EXPECT_GT(report.latency.load, latency - 0.01 - 1e-9);
    EXPECT_LE(report.throughput.load, throughput + 1e-9);
    EXPECT_GT(report.throughput.load, throughput - 0.01 - 1e-9);
    EXPECT_DOUBLE_EQ(report.plateau.load, capacity);
    EXPECT_TRUE(report.latency.saturates);
    EXPECT_TRUE(report.plateau.saturates);
    EXPECT_FALSE(report.latency.holds_again);
    EXPECT_DOUBLE_EQ(report.zero_load_latency, 10 / (1 - 0.01 / capacity));
    EXPECT_EQ(loads.size(), report.points.size());
    EXPECT_LE(loads.size(), 22U);
    for (const double load : loads) {
      EXPECT_EQ(loads.count(load), 1U) << load;
      EXPECT_EQ(load,
                static_cast<double>(std::lround(load * 100)) / 100);  // as it is written: 0.3, not 3 * 0.1
    }
    EXPECT_TRUE(std::is_sorted(report.points.begin(), report.points.end(),
                               [](const auto& a, const auto& b) { return a.load < b.load; }));
  }
}

TEST(SaturationSearch, DefinitionsStandBesideTheNumbers) {
  SaturationOptions options;
  options.latency_factor = 2.5;
  options.shortfall = 0.02;
  options.tolerance = 0.005;
  const SaturationReport report = search([](double load) { return queue(load, 0.5); }, options);
  EXPECT_EQ(report.latency.definition,
            "largest load up to which the mean latency is at most 2.5 times the zero-load latency (measured "
            "at load "
            "0.01), to 0.005");
  EXPECT_EQ(report.throughput.definition,
            "largest load up to which the accepted load is at least 98 % of the offered load, to 0.005");
  EXPECT_EQ(report.plateau.definition, "accepted load at offered load 1");
}

TEST(SaturationSearch, NetworksThatNeverSaturate) {
  const SaturationReport report = search([](double load) { return PointSummary{10 + load, load, true}; });
  for (const Saturation* s : {&report.latency, &report.throughput, &report.plateau}) {
    EXPECT_EQ(s->load, 1) << s->name;
    EXPECT_FALSE(s->saturates) << s->name;
  }
  EXPECT_EQ(report.points.size(), 11U);
  SaturationOptions thirds;
  thirds.tolerance = 0.03;  // does not divide 1
  EXPECT_EQ(search([](double load) { return PointSummary{10, load, true}; }, thirds).latency.load, 1);
}

TEST(SaturationSearch, BumpsAreFoundWhereTheClimbMeetsThem) {
  // High latency from 0.35 to 0.55 alone: what is asked for is the load up to which it is low.
  const SaturationReport report = search([](double load) {
    return PointSummary{load >= 0.35 && load <= 0.55 ? 100.0 : 10.0, load, true};
  });
  EXPECT_DOUBLE_EQ(report.latency.load, 0.34);
  EXPECT_TRUE(report.latency.saturates);
  EXPECT_TRUE(report.latency.holds_again);
  EXPECT_FALSE(report.throughput.saturates);
}

TEST(SaturationSearch, CollapseAndInstability) {
  // Throughput falls beyond saturation.
  const SaturationReport collapse = search([](double load) {
    return load <= 0.42 ? PointSummary{10, load, true} : PointSummary{1000, 0.15, true};
  });
  EXPECT_DOUBLE_EQ(collapse.throughput.load, 0.42);
  EXPECT_DOUBLE_EQ(collapse.plateau.load, 0.15);
  // A deadlock has no latency worth the name.
  const SaturationReport deadlock = search([](double load) {
    return PointSummary{load <= 0.25 ? 10.0 : 5.0, load, load <= 0.25};
  });
  EXPECT_DOUBLE_EQ(deadlock.latency.load, 0.25);
  EXPECT_DOUBLE_EQ(deadlock.throughput.load, 0.25);
  const SaturationReport never = search([](double) { return PointSummary{10, 0, false}; });
  EXPECT_EQ(never.latency.load, 0);
  EXPECT_TRUE(never.latency.saturates);
}

TEST(SaturationSearch, OptionsAreChecked) {
  const auto refused = [](auto change) -> std::string {
    SaturationOptions options;
    change(options);
    try {
      check(options);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refused([](SaturationOptions&) {}), "");
  EXPECT_EQ(refused([](SaturationOptions& o) { o.latency_factor = 1; }),
            "the latency factor of the saturation search is 1, expected more than 1");
  EXPECT_THAT(refused([](SaturationOptions& o) { o.shortfall = 0; }), HasSubstr("shortfall"));
  EXPECT_THAT(refused([](SaturationOptions& o) { o.tolerance = 0; }), HasSubstr("tolerance"));
  EXPECT_THAT(refused([](SaturationOptions& o) { o.zero_load = 0.6; }), HasSubstr("zero load"));
  EXPECT_THAT(refused([](SaturationOptions& o) { o.step = 2; }), HasSubstr("step"));
}

TEST(SaturationSearch, StopsWhenAsked) {
  class Stop : public Progress {
   public:
    void update(std::uint64_t done) override { done_ = done; }
    [[nodiscard]] bool interrupted() const override { return done_ >= 3; }

   private:
    std::uint64_t done_ = 0;
  };
  Stop stop;
  int runs = 0;
  EXPECT_THROW(find_saturation(
                   [&](double load) {
                     ++runs;
                     return queue(load, 0.5);
                   },
                   {}, stop),
               Interrupted);
  EXPECT_EQ(runs, 3);
}

}  // namespace
}  // namespace unknot::simulate
