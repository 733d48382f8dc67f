// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/combine/cost_model.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "collective/schedules.hpp"
#include "unknot/collective/combine/combining_catalogue.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

std::vector<CombinedSolution> all_ways(const char* spec, const char* collective) {
  Progress silent;
  CombiningOptions options;
  options.tries = 8;
  std::vector<CombinedSolution> made;
  for (const CombiningChoice& choice :
       combining_choices(make_combined(testing::graph_of(spec), find_combined_collective(collective))))
    made.push_back(choice.make(options, silent));
  return made;
}

/// The definition, transfer by transfer.
double plain_time(const CombinedSolution& made, const CostModel& model, double bytes) {
  double sum = 0;
  for (std::uint32_t step = 0; step < made.schedule.step_count(); ++step) {
    double most = 0;
    for (std::uint32_t t = made.schedule.step_begin(step); t < made.schedule.step_end(step); ++t) {
      const double carried =
          static_cast<double>(made.schedule.blocks(t).size()) * bytes / made.problem.pieces;
      most = std::max(
          most, carried * model.beta + static_cast<double>(made.schedule.path(t).size() - 1) * model.hop);
    }
    sum += model.alpha + most;
  }
  return sum;
}

/// Jaros 2010, section 3.1: AAS on a ring of 8 nodes in 8 steps, 1024 bytes, 1 us a step and 0.5 ns a byte.
TEST(CostModel, TheExampleOfTheThesis) {
  const auto made = all_ways("ring:8", "AAS");
  const Cost direct(made[0].schedule, made[0].problem.pieces);
  EXPECT_EQ(direct.steps(), 8U);
  EXPECT_NEAR(direct.time(CostModel(), 1024) * 1e6, 12.096, 1e-9);
  EXPECT_EQ(direct.bytes(1024), 8 * 1024);
}

TEST(CostModel, IsItsDefinition) {
  for (const char* const collective : {"AAS", "all-reduce", "OAB"}) {
    for (const CombinedSolution& made : all_ways("mesh:2x3", collective)) {
      const Cost cost(made.schedule, made.problem.pieces);
      for (const CostModel& model : {CostModel(), CostModel{1e-6, 1e-9, 1e-6}, CostModel{0, 1, 100}}) {
        for (const double bytes : {1.0, 7.0, 1024.0, 1e9}) {
          EXPECT_DOUBLE_EQ(cost.time(model, bytes), plain_time(made, model, bytes));
        }
      }
      EXPECT_NEAR(cost.bytes(1e6), plain_time(made, {0, 1, 0}, 1e6), 1e-3);
    }
  }
}

TEST(CostModel, RangesNameTheBestOfEverySize) {
  for (const char* const collective : {"AAS", "all-reduce", "OAB"}) {
    std::vector<Cost> costs;
    for (const CombinedSolution& made : all_ways("hypercube:3", collective))
      costs.emplace_back(made.schedule, made.problem.pieces);
    const CostModel model;
    const std::vector<CostRange> ranges = best_ranges(costs, model, 1U << 20U);
    EXPECT_GE(ranges.size(), 2U) << collective;
    EXPECT_EQ(ranges[0].from, 1U);
    for (std::size_t i = 1; i < ranges.size(); ++i) {
      EXPECT_GT(ranges[i].from, ranges[i - 1].from);
      EXPECT_NE(ranges[i].best, ranges[i - 1].best);
      EXPECT_EQ(best_at(costs, model, static_cast<double>(ranges[i].from - 1)), ranges[i - 1].best);
    }
    std::size_t at = 0;
    for (std::uint64_t bytes = 1; bytes < 1U << 20U; bytes += bytes / 7 + 1) {
      while (at + 1 < ranges.size() && ranges[at + 1].from <= bytes) ++at;
      const double chosen = costs[ranges[at].best].time(model, static_cast<double>(bytes));
      for (const Cost& cost : costs)
        EXPECT_LE(chosen, cost.time(model, static_cast<double>(bytes)) * (1 + 1e-9));
    }
  }
}

TEST(CostModel, SpecsAreChecked) {
  EXPECT_EQ(parse_cost("").alpha, 1e-6);
  EXPECT_EQ(parse_cost("alpha=2e-6,hop=1e-8").hop, 1e-8);
  EXPECT_EQ(parse_cost("alpha=0").alpha, 0);
  EXPECT_THROW((void)parse_cost("gamma=1"), InputError);
  EXPECT_THROW((void)parse_cost("alpha=-1"), InputError);
  EXPECT_THROW((void)parse_cost("beta=fast"), InputError);
}

}  // namespace
}  // namespace unknot
