// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "evolve/problems.hpp"
#include "evolve/thread_exchange.hpp"
#include "unknot/evolve/catalogue.hpp"
#include "unknot/support/error.hpp"

namespace unknot::evolve {
namespace {

RunOptions settings(std::uint64_t generations) {
  RunOptions options;
  options.seed = 7;
  options.threads = 1;
  options.generations = generations;
  return options;
}

Outcome solve(const Problem& problem, std::string_view spec, const RunOptions& options) {
  Progress silent;
  return optimise(problem, spec, options, silent);
}

/// Of every process.
std::vector<Outcome> solve_on(std::uint32_t processes, const Problem& problem, std::string_view spec,
                              const RunOptions& options) {
  return on_processes(processes, [&](Exchange& exchange) {
    RunOptions own = options;
    own.exchange = &exchange;
    own.threads = 1 + exchange.process() % 2;
    return solve(problem, spec, own);
  });
}

void expect_same(const Outcome& one, const std::vector<Outcome>& many, const std::string& what) {
  for (const Outcome& found : many) {
    EXPECT_EQ(found.best, one.best) << what;
    EXPECT_EQ(found.cost, one.cost) << what;
    EXPECT_EQ(found.reached, one.reached) << what;
    EXPECT_EQ(found.stopped, one.stopped) << what;
    EXPECT_EQ(found.generations, one.generations) << what;
    EXPECT_EQ(found.evaluations, one.evaluations) << what;
  }
}

class IslandsOf : public testing::TestWithParam<std::string> {
 protected:
  /// The same on 1 to 4 processes as on one that knows nothing of others.
  void expect_same_everywhere(const Problem& problem, std::uint32_t islands, const std::string& more,
                              const RunOptions& options) {
    const std::string spec = fmt::format("{}:islands={},{}", GetParam(), islands, more);
    const Outcome one = solve(problem, spec, options);
    ends_.push_back(one.generations);
    for (std::uint32_t processes = 1; processes <= std::min(4U, islands); ++processes) {
      expect_same(one, solve_on(processes, problem, spec, options),
                  fmt::format("{} on {} processes", spec, processes));
    }
  }
  std::vector<std::uint64_t> ends_;  // generations made, by islands
};

TEST_P(IslandsOf, AreTheSameOnAnyNumberOfProcesses) {
  for (std::uint32_t islands = 1; islands <= 5; ++islands)
    expect_same_everywhere(LatinSquare(8), islands, "population=12,interval=3,migrants=2", settings(10));
}

TEST_P(IslandsOf, EndInTheGenerationInWhichOneReachesTheTarget) {
  for (const std::uint32_t islands : {2U, 3U, 5U})
    expect_same_everywhere(LatinSquare(4), islands, "population=16,interval=7", settings(2000));
  EXPECT_THAT(ends_, testing::Each(testing::Lt(2000U)));
  // Somewhere between migrations, that is inside a leg.
  EXPECT_THAT(ends_, testing::Contains(
                         testing::ResultOf([](std::uint64_t end) { return end % 7; }, testing::Gt(0U))));
}

/// The one that reaches it first wins, though others may come to less in the same leg.
TEST_P(IslandsOf, EndWithTheFirstOfManyThatReachTheTarget) {
  RunOptions options = settings(2000);
  options.target = 14;
  for (options.seed = 1; options.seed <= 3; ++options.seed)
    expect_same_everywhere(LatinSquare(7), 4, "population=10,interval=50", options);
  EXPECT_THAT(ends_, testing::Each(testing::Gt(1U)));
}

TEST_P(IslandsOf, EndTogetherForEveryOtherReason) {
  const LatinSquare problem(9);
  RunOptions stall = settings(1000);
  stall.stall = 4;
  expect_same_everywhere(problem, 4, "population=6,interval=3,mutation=0.1", stall);
  EXPECT_THAT(ends_, testing::Each(testing::Lt(1000U)));
  RunOptions evaluations = settings(1000);
  for (const std::uint64_t limit : {1U, 40U, 133U}) {
    evaluations.evaluations = limit;
    expect_same_everywhere(problem, 4, "population=6,interval=2", evaluations);
  }
  RunOptions easy = settings(1000);
  easy.target = 1'000'000;
  expect_same_everywhere(problem, 4, "population=6", easy);
  expect_same_everywhere(problem, 4, "population=6,migrants=0,interval=1", settings(5));
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Optimiser& row : optimisers()) all.push_back(row.name);
  return all;
}
INSTANTIATE_TEST_SUITE_P(Catalogue, IslandsOf, testing::ValuesIn(names()),
                         [](const auto& instance) { return instance.param; });

TEST(Islands, AreDividedIntoNeighbouringBlocks) {
  for (std::uint32_t islands = 1; islands <= 9; ++islands) {
    for (std::uint32_t processes = 1; processes <= islands; ++processes) {
      EXPECT_EQ(first_island(0, processes, islands), 0U);
      EXPECT_EQ(first_island(processes, processes, islands), islands);
      for (std::uint32_t p = 0; p < processes; ++p) {
        const std::uint32_t count =
            first_island(p + 1, processes, islands) - first_island(p, processes, islands);
        EXPECT_GE(count, islands / processes);
        EXPECT_LE(count, (islands + processes - 1) / processes);
      }
    }
  }
}

TEST(Islands, CostsTravelWhole) {
  Population population(1, 2, 1, 1);
  population.set_cost(0, 0x89ABCDEFU);
  population.set_cost(1, 0xFFFFFFFFU);
  population.rank(0);
  std::vector<Value> parcel(population.parcel_length(1));
  population.send_off(1, parcel);
  population.migrate(1, parcel);
  EXPECT_EQ(population.cost(1), 0x89ABCDEFU);
}

TEST(Islands, ProcessZeroEndsTheRunOfAll) {
  const LatinSquare problem(9);
  const std::vector<Outcome> found = on_processes(3, [&](Exchange& exchange) {
    RunOptions options = settings(100'000);
    options.exchange = &exchange;
    std::uint32_t calls = 0;
    options.watch = [&](const Standing& now) {
      EXPECT_EQ(exchange.process(), 0U);
      EXPECT_TRUE(now.best.empty());
      return ++calls < 4;
    };
    return solve(problem, "sga:islands=3,population=8,interval=2", options);
  });
  EXPECT_TRUE(found[0].stopped);
  EXPECT_LE(found[0].generations, 6U);  // a leg ends with a migration at the latest
  expect_same(found[0], found, "watched");
  // That is where a run of as many generations comes to.
  Outcome one = solve(problem, "sga:islands=3,population=8,interval=2", settings(found[0].generations));
  one.stopped = true;
  expect_same(one, found, "by generations");
}

TEST(Islands, ProcessesTalkSeldom) {
  const LatinSquare problem(12);
  const auto calls = on_processes(2, [&](ThreadExchange& exchange) {
    RunOptions options = settings(2000);
    options.exchange = &exchange;
    (void)solve(problem, "sga:islands=2,population=4,interval=1000000", options);
    return exchange.calls();
  });
  EXPECT_LT(calls[0], 1000U);  // one a generation would be 2000 and more
  EXPECT_EQ(calls[0], calls[1]);
}

TEST(Islands, MoreProcessesThanIslandsAreRefused) {
  const auto problem = onemax(4);
  const auto refusals = [&](std::uint32_t processes, std::string_view spec) {
    return on_processes(processes, [&](Exchange& exchange) -> std::string {
      RunOptions options = settings(1);
      options.exchange = &exchange;
      try {
        (void)solve(problem, spec, options);
      } catch (const InputError& error) {
        return error.what();
      }
      return "";
    });
  };
  EXPECT_THAT(
      refusals(4, "umda:islands=3"),
      testing::Each("4 processes cannot share 3 islands of the optimiser: ask for islands=4 or more"));
  EXPECT_THAT(
      refusals(2, "umda"),
      testing::Each("2 processes cannot share the one island of the optimiser: ask for islands=2 or more"));
}

}  // namespace
}  // namespace unknot::evolve
