// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/patterns/small_transport.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"
#include "unknot/support/solve/linear_program.hpp"

namespace unknot {
namespace {

template <class Weight>
struct Problem {
  WeightMatrix<Weight> weights;
  std::vector<std::uint32_t> supply, demand;
  [[nodiscard]] std::uint32_t weight(std::size_t s, std::size_t d) const {
    return weights.weight[s * demand.size() + d];
  }
};

template <class Weight>
Problem<Weight> random_problem(Random& random, std::uint32_t most, std::uint32_t capacity,
                               std::uint32_t weights) {
  Problem<Weight> problem;
  for (std::uint32_t i = 1 + random.below(most); i > 0; --i)
    problem.supply.push_back(random.below(capacity + 1));
  for (std::uint32_t i = 1 + random.below(most); i > 0; --i)
    problem.demand.push_back(random.below(capacity + 1));
  problem.weights.destinations = static_cast<std::uint32_t>(problem.demand.size());
  for (std::size_t i = 0; i < problem.supply.size() * problem.demand.size(); ++i)
    problem.weights.weight.push_back(static_cast<Weight>(random.below(weights + 1)));
  return problem;
}

/// Value of the linear program of the same problem, by another solver.
template <class Weight>
double by_linear_program(const Problem<Weight>& problem) {
  LinearProgram program;
  for (const std::uint32_t supply : problem.supply) program.add_row(-LinearProgram::kInfinity, supply);
  for (const std::uint32_t demand : problem.demand) program.add_row(-LinearProgram::kInfinity, demand);
  const auto sources = static_cast<std::uint32_t>(problem.supply.size());
  for (std::uint32_t s = 0; s < sources; ++s) {
    for (std::uint32_t d = 0; d < problem.demand.size(); ++d) {
      const std::vector<LinearProgram::Entry> entries = {{s, 1}, {sources + d, 1}};
      program.add_column(-static_cast<double>(problem.weight(s, d)), entries);
    }
  }
  return -program.solve().objective;
}

/// Weight of the plan, after all that is promised of it has been looked at.
template <class Weight>
std::uint64_t proven_weight(const Problem<Weight>& problem) {
  Progress silent;
  const SmallTransportPlan plan = small_transport(problem.weights, problem.supply, problem.demand, silent);
  std::vector<std::uint32_t> out(problem.supply.size(), 0);
  std::vector<std::uint32_t> in(problem.demand.size(), 0);
  std::vector<bool> seen(out.size() * in.size(), false);
  std::uint64_t weight = 0;
  std::uint64_t bound = 0;
  for (const SentUnits& sent : plan.sent) {
    EXPECT_GT(sent.units, 0U);
    EXPECT_GT(problem.weight(sent.source, sent.destination), 0U);
    EXPECT_FALSE(seen[sent.source * in.size() + sent.destination]);
    seen[sent.source * in.size() + sent.destination] = true;
    out[sent.source] += sent.units;
    in[sent.destination] += sent.units;
    weight += std::uint64_t{sent.units} * problem.weight(sent.source, sent.destination);
  }
  for (std::size_t s = 0; s < out.size(); ++s) {
    EXPECT_LE(out[s], problem.supply[s]);
    bound += std::uint64_t{problem.supply[s]} * plan.profit[s];
    for (std::size_t d = 0; d < in.size(); ++d)
      EXPECT_GE(plan.profit[s] + plan.price[d], problem.weight(s, d));
  }
  for (std::size_t d = 0; d < in.size(); ++d) {
    EXPECT_LE(in[d], problem.demand[d]);
    bound += std::uint64_t{problem.demand[d]} * plan.price[d];
  }
  EXPECT_EQ(weight, bound);
  return weight;
}

TEST(SmallTransport, IsBestAndProvenOnRandomProblems) {
  Random random(1);
  for (int i = 0; i < 200 && !::testing::Test::HasFailure(); ++i) {
    for (const std::uint32_t weights : {1U, 3U, 20U}) {
      const auto one = random_problem<std::uint8_t>(random, 9, 1, weights);
      EXPECT_NEAR(static_cast<double>(proven_weight(one)), by_linear_program(one), 1e-7);
      const auto several = random_problem<std::uint16_t>(random, 12, 5, 40 * weights);
      EXPECT_NEAR(static_cast<double>(proven_weight(several)), by_linear_program(several), 1e-7);
    }
  }
}

TEST(SmallTransport, IsBestOfAllPermutations) {
  Random random(2);
  for (int i = 0; i < 40; ++i) {
    Problem<std::uint8_t> problem;
    const std::uint32_t size = 2 + random.below(5);
    problem.supply.assign(size, 1);
    problem.demand.assign(size, 1);
    problem.weights.destinations = size;
    for (std::uint32_t k = 0; k < size * size; ++k)
      problem.weights.weight.push_back(static_cast<std::uint8_t>(random.below(6)));
    std::vector<std::uint32_t> order(size);
    std::iota(order.begin(), order.end(), 0U);
    std::uint64_t best = 0;
    do {
      std::uint64_t sum = 0;
      for (std::uint32_t s = 0; s < size; ++s) sum += problem.weight(s, order[s]);
      best = std::max(best, sum);
    } while (std::next_permutation(order.begin(), order.end()));
    EXPECT_EQ(proven_weight(problem), best);
  }
}

/// Several blocks of destinations at once, and the largest weights there are.
TEST(SmallTransport, LargeProblemsAreProven) {
  Random random(3);
  for (const std::uint32_t size : {255U, 256U, 700U}) {
    Problem<std::uint8_t> flat;
    Problem<std::uint16_t> steep;
    flat.weights.destinations = steep.weights.destinations = size;
    for (std::uint32_t s = 0; s < size; ++s) {
      flat.supply.push_back(1 + random.below(3));
      flat.demand.push_back(1 + random.below(3));
      for (std::uint32_t d = 0; d < size; ++d) {
        flat.weights.weight.push_back(random.below(4) == 0 ? kMostWeight<std::uint8_t> : random.below(3));
        steep.weights.weight.push_back(s == d ? kMostWeight<std::uint16_t> : random.below(50));
      }
    }
    steep.supply = flat.demand;
    steep.demand = flat.supply;
    EXPECT_GT(proven_weight(flat), 0U);
    if (size < 300) {
      EXPECT_GT(proven_weight(steep), 0U);
    }
  }
}

TEST(SmallTransport, NothingToSendAndInterruption) {
  Progress silent;
  const std::vector<std::uint32_t> none;
  const SmallTransportPlan empty = small_transport(WeightMatrix<std::uint8_t>(), none, none, silent);
  EXPECT_TRUE(empty.sent.empty());
  Problem<std::uint8_t> zero{{2, {0, 0, 0, 0}}, {1, 2}, {3, 4}};
  EXPECT_EQ(proven_weight(zero), 0U);
  class Stopped : public Progress {
   public:
    [[nodiscard]] bool interrupted() const override { return true; }
  } stopped;
  const Problem<std::uint8_t> some{{2, {1, 2, 3, 4}}, {1, 2}, {3, 4}};
  EXPECT_THROW((void)small_transport(some.weights, some.supply, some.demand, stopped), Interrupted);
}

}  // namespace
}  // namespace unknot
