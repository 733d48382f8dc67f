// SPDX-License-Identifier: Apache-2.0
#include "unknot/support/solve/program_classes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "unknot/support/random.hpp"

namespace unknot {
namespace {

constexpr double kClose = 1e-6;

/// x covers the edges of a graph: 1 of each edge's ends together, at the cost of each node.
LinearProgram cover(std::uint32_t nodes, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges,
                    const std::vector<double>& cost) {
  LinearProgram program;
  std::vector<std::vector<LinearProgram::Entry>> entries(nodes);
  for (const auto& [a, b] : edges) {
    const std::uint32_t row = program.add_row(1, LinearProgram::kInfinity);
    entries[a].push_back({row, 1});
    entries[b].push_back({row, 1});
  }
  for (std::uint32_t n = 0; n < nodes; ++n) program.add_column(cost[n], entries[n]);
  return program;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> cycle(std::uint32_t nodes) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  edges.reserve(nodes);
  for (std::uint32_t n = 0; n < nodes; ++n) edges.emplace_back(n, (n + 1) % nodes);
  return edges;
}

/// What a solution must be to prove its objective: feasible on both sides, with equal objectives.
void expect_proof(const LinearProgram& program, const LinearProgram::Solution& solution) {
  ASSERT_TRUE(solution.optimal);
  ASSERT_EQ(solution.x.size(), program.columns());
  ASSERT_EQ(solution.dual.size(), program.rows());
  std::vector<double> sum(program.rows(), 0);
  double primal = 0;
  for (std::uint32_t c = 0; c < program.columns(); ++c) {
    primal += program.cost(c) * solution.x[c];
    EXPECT_GE(solution.x[c], -kClose);
    double price = 0;
    program.for_entries(c, [&](LinearProgram::Entry entry) {
      price += solution.dual[entry.row] * entry.value;
      sum[entry.row] += solution.x[c] * entry.value;
    });
    EXPECT_LE(price, program.cost(c) + kClose);
  }
  double dual = 0;
  for (std::uint32_t r = 0; r < program.rows(); ++r) {
    const auto [lower, upper] = program.bounds(r);
    EXPECT_GE(sum[r], lower - kClose);
    EXPECT_LE(sum[r], upper + kClose);
    dual += solution.dual[r] * (solution.dual[r] > 0 ? lower : upper == LinearProgram::kInfinity ? 0 : upper);
  }
  EXPECT_NEAR(primal, solution.objective, kClose);
  EXPECT_NEAR(dual, solution.objective, kClose);
}

TEST(ProgramClasses, ACycleIsOneNodeAndOneEdge) {
  const LinearProgram whole = cover(12, cycle(12), std::vector<double>(12, 1));
  const ProgramClasses classes(whole);
  EXPECT_EQ(classes.program().rows(), 1U);
  EXPECT_EQ(classes.program().columns(), 1U);
  const LinearProgram::Solution solution = classes.whole(classes.program().solve());
  EXPECT_NEAR(solution.objective, 6, kClose);
  expect_proof(whole, solution);
}

TEST(ProgramClasses, OneCostMoreLeavesWhatIsTheSameOnBothSides) {
  std::vector<double> cost(12, 1);
  cost[3] = 5;
  const LinearProgram whole = cover(12, cycle(12), cost);
  const ProgramClasses classes(whole);
  EXPECT_EQ(classes.program().columns(), 7U);  // by distance from that node
  EXPECT_EQ(classes.program().rows(), 6U);
  expect_proof(whole, classes.whole(classes.program().solve()));
}

TEST(ProgramClasses, RandomProgramsWithTwinsHaveTheSameOptimum) {
  // Copies of a random graph, joined alike: few classes, of sizes that differ.
  Random random(11);
  std::uint64_t saved = 0;
  for (int sample = 0; sample < 40; ++sample) {
    const std::uint32_t base = 3 + random.below(4);
    const std::uint32_t copies = 1 + random.below(4);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::uint32_t a = 0; a < base; ++a) {
      for (std::uint32_t b = a + 1; b < base; ++b) {
        if (random.below(2) == 0) continue;
        const bool joined = random.below(3) == 0;  // each copy of the one to each of the other
        for (std::uint32_t i = 0; i < copies; ++i) {
          for (std::uint32_t j = 0; j < copies; ++j) {
            if (joined || i == j) edges.emplace_back(i * base + a, j * base + b);
          }
        }
      }
    }
    std::vector<double> one;
    for (std::uint32_t n = 0; n < base; ++n) one.push_back(1 + random.below(3));
    std::vector<double> cost;
    for (std::uint32_t i = 0; i < copies; ++i) cost.insert(cost.end(), one.begin(), one.end());
    const LinearProgram whole = cover(base * copies, edges, cost);
    const ProgramClasses classes(whole);
    EXPECT_LE(classes.program().columns(), base);
    saved += whole.columns() - classes.program().columns();
    const LinearProgram::Solution solution = classes.whole(classes.program().solve());
    EXPECT_NEAR(solution.objective, whole.solve().objective, kClose) << sample;
    expect_proof(whole, solution);
  }
  EXPECT_GT(saved, 100U);
}

}  // namespace
}  // namespace unknot
