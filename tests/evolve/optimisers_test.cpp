// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "evolve/problems.hpp"
#include "unknot/evolve/catalogue.hpp"
#include "unknot/support/error.hpp"

namespace unknot::evolve {
namespace {

Outcome solve(const Problem& problem, std::string_view spec, std::uint64_t generations,
              std::uint64_t seed = 1, std::uint32_t threads = 1) {
  Progress silent;
  RunOptions options;
  options.seed = seed;
  options.threads = threads;
  options.generations = generations;
  return optimise(problem, spec, options, silent);
}

class EveryOptimiser : public testing::TestWithParam<std::string> {};

TEST_P(EveryOptimiser, SolvesOnemax) {
  const auto problem = onemax(30);
  for (const char* preset : {"thesis", "textbook"}) {
    const Outcome found = solve(problem, GetParam() + ":preset=" + preset, 400);
    EXPECT_TRUE(found.reached) << preset;
    EXPECT_EQ(found.cost, 0U);
    EXPECT_EQ(found.best, std::vector<Value>(30, 1));
    EXPECT_GT(found.evaluations, found.generations);
  }
}

TEST_P(EveryOptimiser, MakesLatinSquaresWithMutationAndRepair) {
  const LatinSquare problem(5);
  const Outcome found = solve(problem, GetParam(), 3000);
  EXPECT_TRUE(found.reached);
  EXPECT_EQ(problem.plain_cost(found.best), 0U);
}

TEST_P(EveryOptimiser, ReportsTheCostOfWhatItReturns) {
  const LatinSquare problem(9);
  const Outcome found = solve(problem, GetParam() + ":population=30", 15);
  EXPECT_GT(found.cost, 0U);
  EXPECT_FALSE(found.reached);
  EXPECT_EQ(found.generations, 15U);
  EXPECT_EQ(found.evaluations, 30U + 15U * 20U);
  EXPECT_EQ(problem.plain_cost(found.best), found.cost);
  for (std::uint32_t c = 0; c < found.best.size(); ++c)
    EXPECT_LT(found.best[c], problem.layout().cardinality(c));
}

TEST_P(EveryOptimiser, IsTheSameAtAnyNumberOfThreads) {
  const auto check = [](const Problem& problem, const std::string& spec, std::uint64_t generations) {
    const Outcome one = solve(problem, spec, generations, 7, 1);
    for (const std::uint32_t threads : {2U, 5U}) {
      const Outcome many = solve(problem, spec, generations, 7, threads);
      EXPECT_EQ(many.best, one.best) << threads;
      EXPECT_EQ(many.cost, one.cost);
      EXPECT_EQ(many.evaluations, one.evaluations);
    }
    EXPECT_NE(solve(problem, spec, generations, 8, 1).best, one.best);
  };
  check(LatinSquare(6), GetParam() + ":population=40", 12);
  check(LatinSquare(6), GetParam() + ":population=40,islands=3,interval=4,migrants=2", 12);
  // So large that every part of a generation is divided among the threads.
  check(LatinSquare(8), GetParam() + ":population=700,islands=3", 1);
}

TEST_P(EveryOptimiser, KeepsItsBestAndTellsTheWatcher) {
  const LatinSquare problem(8);
  Progress silent;
  RunOptions options;
  options.threads = 1;
  std::vector<Cost> costs;
  options.watch = [&](const Standing& now) {
    EXPECT_EQ(now.generation, costs.size());
    EXPECT_EQ(problem.plain_cost(now.best), now.best_cost);
    costs.push_back(now.best_cost);
    return costs.size() < 20;
  };
  const Outcome found = optimise(problem, GetParam() + ":population=40", options, silent);
  EXPECT_EQ(found.generations, 19U);
  EXPECT_TRUE(std::is_sorted(costs.rbegin(), costs.rend()));
  EXPECT_LT(costs.back(), costs.front());
}

TEST_P(EveryOptimiser, StopsWhereItIsTold) {
  const LatinSquare problem(12);
  Progress silent;
  RunOptions options;
  options.threads = 1;
  options.stall = 3;
  const std::string spec = GetParam() + ":population=20";
  const Outcome stalled = optimise(problem, spec + ",mutation=0", options, silent);
  EXPECT_LT(stalled.generations, 1000U);
  options.stall = 0;
  options.evaluations = 100;
  EXPECT_LT(optimise(problem, spec, options, silent).evaluations, 120U);
  options.evaluations = UINT64_MAX;
  options.target = 1'000'000;
  EXPECT_EQ(optimise(problem, spec, options, silent).generations, 0U);

  struct Stop : Progress {
    std::uint64_t updates = 0;
    void update(std::uint64_t) override { ++updates; }
    bool interrupted() const override { return updates >= 5; }
  } stop;
  options.target = 0;
  EXPECT_THROW(optimise(problem, spec, options, stop), Interrupted);
  EXPECT_EQ(stop.updates, 5U);
}

TEST_P(EveryOptimiser, TakesTheSmallestProblemsAndPopulations) {
  const auto one_bit = onemax(1);
  for (const char* more :
       {":population=2,migrants=1", ":population=2,islands=3,interval=1", ":population=3"}) {
    EXPECT_EQ(solve(one_bit, GetParam() + more, 100).cost, 0U) << more;
  }
  const auto fixed = FunctionProblem(Layout::uniform(3, {1}), [](std::span<const Value>) { return Cost{4}; });
  EXPECT_EQ(solve(fixed, GetParam(), 3).best, std::vector<Value>(3, 0));
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Optimiser& row : optimisers()) all.push_back(row.name);
  return all;
}
INSTANTIATE_TEST_SUITE_P(Catalogue, EveryOptimiser, testing::ValuesIn(names()),
                         [](const auto& instance) { return instance.param; });

// Marginals are deceived by traps of five bits; a model of what goes with what is not.
TEST(Mboa, SolvesTrapsThatUmdaDoesNot) {
  const auto problem = trap5(5);
  std::uint32_t mboa_solved = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Outcome mboa = solve(problem, "mboa:preset=textbook", 30, seed);
    const Outcome umda = solve(problem, "umda:preset=textbook,population=2000", 60, seed);
    mboa_solved += mboa.reached ? 1 : 0;
    EXPECT_FALSE(umda.reached);
    EXPECT_LT(mboa.cost, umda.cost);
  }
  EXPECT_EQ(mboa_solved, 3U);
}

TEST(Layout, GroupsComponentsIntoGenes) {
  Layout layout;
  EXPECT_EQ(layout.add_gene({3, 4}), 0U);
  EXPECT_EQ(layout.add_gene({65'536}), 1U);
  EXPECT_EQ(layout.genes(), 2U);
  EXPECT_EQ(layout.length(), 3U);
  EXPECT_EQ(layout.border(1), 2U);
  EXPECT_EQ(layout.border(2), 3U);
  EXPECT_EQ(layout.max_cardinality(), 65'536U);
  EXPECT_THROW(layout.add_gene({}), std::invalid_argument);
  EXPECT_THROW(layout.add_gene({0}), std::invalid_argument);
  EXPECT_THROW(layout.add_gene({2, 65'537}), std::invalid_argument);
  EXPECT_EQ(layout.genes(), 2U);
}

TEST(Optimisers, WrongSpecsAreRefused) {
  const auto problem = onemax(4);
  const auto refusal = [&](std::string_view spec) -> std::string {
    try {
      (void)solve(problem, spec, 1);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal("umdb"), "unknown optimiser 'umdb'; did you mean 'umda'?");
  EXPECT_EQ(
      refusal("umda:crossover=1"),
      "optimiser umda has no parameter 'crossover'; it has: population, preset, mutation, replaced, islands, "
      "interval, migrants, selection, parents");
  EXPECT_EQ(refusal("sga:population=1"), "optimiser sga, parameter population: 1 is outside 2 to 1048576");
  EXPECT_EQ(refusal("sga:mutation=1.5"), "optimiser sga, parameter mutation: 1.5 is outside 0 to 1");
  EXPECT_EQ(refusal("mboa:preset=best"),
            "optimiser mboa, parameter preset: expected one of thesis, textbook, not 'best'");
  EXPECT_EQ(refusal("mboa:leaves=0"), "optimiser mboa, parameter leaves: 0 is outside 1 to 65536");
  EXPECT_EQ(refusal("umda:population=10,migrants=6"),
            "optimiser umda: 6 migrants are more than half of a population of 10");
  EXPECT_EQ(refusal("umda:population=1048576,islands=2"),
            "optimiser umda: 2 islands of 1048576 are more than 1048576 individuals");
  const auto nothing = FunctionProblem(Layout(), [](std::span<const Value>) { return Cost{0}; });
  Progress silent;
  EXPECT_THROW(optimise(nothing, "sga", {}, silent), InputError);
}

}  // namespace
}  // namespace unknot::evolve
