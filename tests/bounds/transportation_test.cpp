// SPDX-License-Identifier: Apache-2.0
#include "unknot/bounds/transportation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "unknot/support/random.hpp"
#include "unknot/support/solve/linear_program.hpp"

namespace unknot {
namespace {

TransportProblem random_problem(Random& random, std::uint32_t most, std::uint32_t capacity,
                                std::uint32_t weights) {
  TransportProblem problem;
  for (std::uint32_t i = 1 + random.below(most); i > 0; --i)
    problem.supply.push_back(1 + random.below(capacity));
  for (std::uint32_t i = 1 + random.below(most); i > 0; --i)
    problem.demand.push_back(1 + random.below(capacity));
  const std::uint32_t density = 1 + random.below(6);
  for (std::uint32_t s = 0; s < problem.supply.size(); ++s) {
    for (std::uint32_t d = 0; d < problem.demand.size(); ++d) {
      if (random.below(density) == 0)
        problem.edges.push_back({s, d, weights == 0 ? 0.01 + random.unit() : 1.0 + random.below(weights)});
    }
  }
  return problem;
}

/// Value of the linear program of the same problem, by another solver.
double by_linear_program(const TransportProblem& problem) {
  LinearProgram program;
  for (const std::uint32_t supply : problem.supply) program.add_row(-LinearProgram::kInfinity, supply);
  for (const std::uint32_t demand : problem.demand) program.add_row(-LinearProgram::kInfinity, demand);
  const auto sources = static_cast<std::uint32_t>(problem.supply.size());
  for (const TransportEdge& edge : problem.edges) {
    const std::vector<LinearProgram::Entry> entries = {{edge.source, 1}, {sources + edge.destination, 1}};
    program.add_column(-edge.weight, entries);
  }
  return -program.solve().objective;
}

void expect_best(const TransportProblem& problem) {
  const TransportPlan plan = best_transport(problem);
  std::vector<std::uint32_t> out(problem.supply.size(), 0);
  std::vector<std::uint32_t> in(problem.demand.size(), 0);
  double weight = 0;
  for (std::size_t e = 0; e < problem.edges.size(); ++e) {
    out[problem.edges[e].source] += plan.sent[e];
    in[problem.edges[e].destination] += plan.sent[e];
    weight += plan.sent[e] * problem.edges[e].weight;
  }
  for (std::size_t s = 0; s < out.size(); ++s) EXPECT_LE(out[s], problem.supply[s]);
  for (std::size_t d = 0; d < in.size(); ++d) EXPECT_LE(in[d], problem.demand[d]);
  for (const double price : plan.price) EXPECT_GE(price, 0);
  EXPECT_NEAR(plan.weight, weight, 1e-9);
  EXPECT_NEAR(transport_bound(problem, plan.price), plan.weight, 1e-9);
  EXPECT_NEAR(by_linear_program(problem), plan.weight, 1e-7);
}

TEST(Transportation, IsBestAndProvenOnRandomProblems) {
  Random random(1);
  for (int i = 0; i < 150 && !::testing::Test::HasFailure(); ++i) {
    expect_best(random_problem(random, 9, 1, 0));
    expect_best(random_problem(random, 9, 4, 0));
    expect_best(random_problem(random, 12, 3, 3));  // many ties
    expect_best(random_problem(random, 20, 5, 1));
  }
}

TEST(Transportation, AnyPricesGiveAnUpperBound) {
  Random random(2);
  for (int i = 0; i < 50; ++i) {
    const TransportProblem problem = random_problem(random, 8, 3, 0);
    const double best = best_transport(problem).weight;
    std::vector<double> price(problem.demand.size());
    for (double& one : price) one = random.unit() - 0.2;
    EXPECT_GE(transport_bound(problem, price), best - 1e-9);
  }
}

TEST(Transportation, LeavesIdleWhatCannotSend) {
  EXPECT_EQ(best_transport({{2, 3}, {4}, {}}).weight, 0);
  const TransportPlan plan = best_transport({{2, 3}, {4}, {{0, 0, 1}, {1, 0, 5}}});
  EXPECT_EQ(plan.weight, 16);
  EXPECT_EQ(plan.sent, (std::vector<std::uint32_t>{1, 3}));
}

}  // namespace
}  // namespace unknot
