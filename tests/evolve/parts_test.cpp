// SPDX-License-Identifier: Apache-2.0
// The parts that optimisers are made of: counters kept up to date, ranks, trees, crossover.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "evolve/problems.hpp"
#include "unknot/evolve/decision_tree.hpp"
#include "unknot/evolve/mboa.hpp"
#include "unknot/evolve/sga.hpp"
#include "unknot/evolve/umda.hpp"

namespace unknot::evolve {
namespace {

TEST(Incremental, CostsWhatCountingAnewDoes) {
  const LatinSquare problem(6);
  const auto evaluator = problem.evaluator();
  Random random(3);
  std::vector<Value> x(problem.layout().length());
  evaluator->initial(x, random);
  for (std::uint32_t round = 0; round < 500; ++round) {
    // mostly few genes change, now and then all
    const std::uint32_t edits = round % 50 == 0 ? 200 : random.below(5);
    for (std::uint32_t e = 0; e < edits; ++e) {
      const std::uint32_t at = random.below(static_cast<std::uint32_t>(x.size()));
      x[at] = static_cast<Value>(random.below(problem.layout().cardinality(at)));
    }
    ASSERT_EQ(evaluator->cost(x), problem.plain_cost(x)) << round;
  }
}

TEST(Population, RanksReplacesAndMigrates) {
  Population population(2, 4, 2, 1);
  for (std::uint32_t island = 0; island < 2; ++island) {
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::uint32_t row = population.members(island)[i];
      population.chromosome(row)[0] = static_cast<Value>(10 * island + i);
      population.set_cost(row, 8 - i + 20 * island);
    }
    population.rank(island);
  }
  const auto values = [&](std::uint32_t island) {
    std::vector<Value> all;
    for (const std::uint32_t row : population.members(island)) all.push_back(population.chromosome(row)[0]);
    return all;
  };
  EXPECT_EQ(values(0), (std::vector<Value>{3, 2, 1, 0}));
  for (const std::uint32_t row : population.nursery(0)) {
    population.chromosome(row)[0] = 77;
    population.set_cost(row, 6);  // as cheap as value 2
  }
  population.replace_worst(0);
  population.rank(0);
  EXPECT_EQ(values(0), (std::vector<Value>{3, 77, 77, 2}));
  std::set<std::uint32_t> rows;
  for (std::uint32_t island = 0; island < 2; ++island) {
    for (const std::uint32_t row : population.members(island)) rows.insert(row);
    for (const std::uint32_t row : population.nursery(island)) rows.insert(row);
  }
  EXPECT_EQ(rows.size(), 12U);
  std::vector<Value> parcel(population.parcel_length(1));
  population.send_off(1, parcel);
  population.migrate(1, parcel);
  EXPECT_EQ(values(1), (std::vector<Value>{3, 13, 12, 11}));
  EXPECT_EQ(values(0), (std::vector<Value>{3, 77, 77, 13}));
}

/// Members of one island with given chromosomes, all of the same cost.
Population members(const std::vector<std::vector<Value>>& chromosomes) {
  const auto size = static_cast<std::uint32_t>(chromosomes.size());
  Population population(1, size, 1, static_cast<std::uint32_t>(chromosomes[0].size()));
  for (std::uint32_t i = 0; i < size; ++i) {
    std::copy(chromosomes[i].begin(), chromosomes[i].end(), population.chromosome(i).begin());
  }
  return population;
}

TEST(Sga, CutsBetweenGenesOnly) {
  Layout layout;
  layout.add_gene({9, 9});
  layout.add_gene({9, 9, 9});
  layout.add_gene({9});
  Population population = members({{1, 1, 1, 1, 1, 1}, {2, 2, 2, 2, 2, 2}});
  const Sga sga(layout, {.crossover = 1, .tournament = 1});
  Random random(5);
  std::set<std::vector<Value>> seen;
  std::vector<Value> child(6);
  for (int i = 0; i < 400; ++i) {
    sga.breed(population, 0, child, random);
    seen.insert(child);
  }
  EXPECT_EQ(seen, (std::set<std::vector<Value>>{{1, 1, 1, 1, 1, 1},
                                                {2, 2, 2, 2, 2, 2},
                                                {1, 1, 2, 2, 2, 2},
                                                {2, 2, 1, 1, 1, 1},
                                                {1, 1, 1, 1, 1, 2},
                                                {2, 2, 2, 2, 2, 1}}));
}

TEST(Umda, DrawsEachComponentFromItsMarginal) {
  const Population population = members({{0, 5}, {0, 6}, {0, 7}, {1, 5}});
  Umda umda(Selection::truncation, 1);
  umda.learn(population, {1, 1, 1});
  Random random(5);
  std::vector<Value> child(2);
  std::uint32_t ones = 0, fives = 0, both = 0;
  constexpr std::uint32_t kDraws = 8000;
  for (std::uint32_t i = 0; i < kDraws; ++i) {
    umda.breed(population, 0, child, random);
    ones += child[0] == 1 ? 1 : 0;
    fives += child[1] == 5 ? 1 : 0;
    both += child[0] == 1 && child[1] == 6 ? 1 : 0;
  }
  EXPECT_NEAR(ones, kDraws / 4.0, 200);
  EXPECT_NEAR(fives, kDraws / 2.0, 200);
  EXPECT_NEAR(both, kDraws / 16.0, 120);  // never among the parents: components are independent
}

struct Columns {
  std::uint32_t count;
  std::vector<Value> values;
  std::vector<std::uint32_t> kinds;
  CodedParents coded() const { return {count, values, values, kinds}; }
};

TEST(TreeLearner, FindsTheComponentThatDecides) {
  // component 2 is 3 where component 1 is 2, and else 0; component 0 is noise
  Columns columns{.count = 120, .values = std::vector<Value>(360), .kinds = {2, 3, 4}};
  Random random(1);
  for (std::uint32_t p = 0; p < 120; ++p) {
    columns.values[p] = static_cast<Value>(random.below(2));
    const auto deciding = static_cast<Value>(random.below(3));
    columns.values[120 + p] = deciding;
    columns.values[240 + p] = deciding == 2 ? 3 : 0;
  }
  TreeLearner learner({.penalty = 0, .leaves = 8}, 120);
  std::vector<std::uint32_t> members(120);
  std::vector<TreeNode> nodes(15);
  const std::uint32_t candidates[] = {0, 1};
  ASSERT_EQ(learner.learn(columns.coded(), 2, candidates, members, nodes), 3U);
  EXPECT_EQ(nodes[0].component, 1U);
  EXPECT_EQ(nodes[0].value, 2);
  EXPECT_EQ(nodes[1].component, TreeNode::kLeaf);
  EXPECT_EQ(nodes[1].end, nodes[2].begin);
  for (std::uint32_t i = 0; i < 120; ++i) {
    EXPECT_EQ(columns.values[240 + members[i]], i < nodes[1].end ? 3 : 0);
  }
  // Noise is not worth a split, and no tree outgrows its leaves.
  EXPECT_EQ(learner.learn(columns.coded(), 0, std::span(candidates).subspan(1), members, nodes), 1U);
  EXPECT_EQ(learner.learn(columns.coded(), 2, candidates, members, std::span(nodes).first(1)), 1U);
}

TEST(Mboa, SamplesWhatGoesTogetherTogether) {
  std::vector<std::vector<Value>> parents;
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    const auto a = static_cast<Value>(random.below(4));
    parents.push_back({a, static_cast<Value>(random.below(3)), static_cast<Value>(7 - a)});
  }
  const Population population = members(parents);
  const Layout layout = Layout::uniform(3, {8});
  Mboa mboa(layout, Selection::truncation, 1, {.penalty = 0, .leaves = 16});
  for (std::uint64_t generation = 1; generation <= 6; ++generation) {
    mboa.learn(population, {1, generation, 2});
    std::vector<Value> child(3);
    std::set<std::pair<Value, Value>> pairs;
    for (int i = 0; i < 300; ++i) {
      mboa.breed(population, 0, child, random);
      EXPECT_EQ(child[0] + child[2], 7);
      pairs.insert({child[0], child[1]});
    }
    EXPECT_EQ(pairs.size(), 12U);
    EXPECT_EQ(mboa.tree_nodes(0, 1), 1U);
  }
}

}  // namespace
}  // namespace unknot::evolve
