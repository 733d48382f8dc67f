// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "unknot/collective/priced/branching.hpp"
#include "unknot/support/random.hpp"

namespace unknot {
namespace {

/// Whether every place hangs from the root, and what that costs.
bool is_tree(const std::vector<std::uint32_t>& parent, std::uint32_t root) {
  for (std::uint32_t v = 0; v < parent.size(); ++v) {
    std::uint32_t u = v;
    for (std::size_t steps = 0; u != root && steps <= parent.size(); ++steps) u = parent[u];
    if (u != root) return false;
  }
  return true;
}

double cost_of(const CostMatrix& costs, const std::vector<std::uint32_t>& parent, std::uint32_t root) {
  double all = 0;
  for (std::uint32_t v = 0; v < parent.size(); ++v) all += v == root ? 0 : costs.at(parent[v], v);
  return all;
}

/// Over all choices of a parent for each.
double least_of_all(const CostMatrix& costs, std::uint32_t root) {
  double least = 1e300;
  std::vector<std::uint32_t> parent(costs.places, 0);
  while (true) {
    parent[root] = root;
    if (is_tree(parent, root)) least = std::min(least, cost_of(costs, parent, root));
    std::uint32_t v = 0;
    for (; v < costs.places; ++v) {
      if (v == root) continue;
      if (++parent[v] < costs.places) break;
      parent[v] = 0;
    }
    if (v == costs.places) return least;
  }
}

TEST(CheapestBranching, IsTheCheapestOfAllTrees) {
  Random random(1967);
  for (int i = 0; i < 300; ++i) {
    CostMatrix costs{2 + random.below(4), {}};
    const bool small = random.below(2) == 0;  // many equal ones, and circles of no cost
    for (std::uint32_t e = 0; e < costs.places * costs.places; ++e)
      costs.cost.push_back(small ? random.below(3) : random.below(1000));
    const std::uint32_t root = random.below(costs.places);
    const std::vector<std::uint32_t> parent = cheapest_branching(costs, root);
    ASSERT_TRUE(is_tree(parent, root)) << i;
    EXPECT_DOUBLE_EQ(cost_of(costs, parent, root), least_of_all(costs, root)) << i;
  }
}

TEST(CheapestBranching, OfEquallyCheapOnesIsShallow) {
  const CostMatrix costs{40, std::vector<double>(1600, 1)};
  const std::vector<std::uint32_t> parent = cheapest_branching(costs, 7);
  for (std::uint32_t v = 0; v < 40; ++v) EXPECT_EQ(parent[v], 7U);
}

}  // namespace
}  // namespace unknot
