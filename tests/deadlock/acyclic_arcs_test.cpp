// SPDX-License-Identifier: Apache-2.0
#include "unknot/lanes/acyclic_arcs.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

/// Whether a chain of arcs leads from one vertex to the other: plain search over a plain matrix.
bool leads(const std::vector<std::vector<bool>>& matrix, std::uint32_t from, std::uint32_t to) {
  std::vector<bool> seen(matrix.size(), false);
  std::vector<std::uint32_t> stack{from};
  seen[from] = true;
  while (!stack.empty()) {
    const std::uint32_t v = stack.back();
    stack.pop_back();
    if (v == to) return true;
    for (std::uint32_t w = 0; w < matrix.size(); ++w) {
      if (!matrix[v][w] || seen[w]) continue;
      seen[w] = true;
      stack.push_back(w);
    }
  }
  return false;
}

TEST(AcyclicArcs, RefusesExactlyTheArcsThatCloseACycle) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    const std::uint32_t n = 4 + random.below(20);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (std::uint32_t i = 0; i < 4 * n; ++i) pairs.emplace_back(random.below(n), random.below(n));
    const ArcSpace space(n, pairs);
    AcyclicArcs arcs(space);
    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0U);
    random.shuffle(order);
    arcs.restart(order);
    std::vector<std::vector<bool>> matrix(n, std::vector<bool>(n, false));
    int refused = 0;
    for (int step = 0; step < 400; ++step) {
      const std::uint32_t arc = random.below(space.arc_count());
      const std::uint32_t tail = space.tail(arc);
      const std::uint32_t head = space.head(arc);
      ASSERT_EQ(space.find(tail, head), arc);
      if (random.below(3) == 0) {
        arcs.remove(arc);
        matrix[tail][head] = false;
      } else {
        const bool cyclic = leads(matrix, head, tail);
        ASSERT_EQ(arcs.add(arc), !cyclic);
        refused += cyclic ? 1 : 0;
        if (!cyclic) matrix[tail][head] = true;
      }
      std::vector<bool> taken(n, false);
      for (std::uint32_t v = 0; v < n; ++v) {
        ASSERT_LT(arcs.position(v), n);
        ASSERT_FALSE(taken[arcs.position(v)]);
        taken[arcs.position(v)] = true;
      }
      for (std::uint32_t a = 0; a < space.arc_count(); ++a) {
        ASSERT_EQ(arcs.contains(a), matrix[space.tail(a)][space.head(a)]);
        if (!arcs.contains(a)) continue;
        ASSERT_LT(arcs.position(space.tail(a)), arcs.position(space.head(a)));
      }
    }
    EXPECT_GT(refused, 0);
  }
}

TEST(AcyclicArcs, RestartForgetsEverything) {
  const ArcSpace space(2, {{0, 1}, {1, 0}, {0, 1}});
  EXPECT_EQ(space.arc_count(), 2U);
  AcyclicArcs arcs(space);
  EXPECT_TRUE(arcs.add(0));
  EXPECT_FALSE(arcs.add(1));
  const std::vector<std::uint32_t> order{1, 0};
  arcs.restart(order);
  EXPECT_FALSE(arcs.contains(0));
  EXPECT_TRUE(arcs.add(1));
  EXPECT_FALSE(arcs.add(0));
}

TEST(ArcSpace, NumbersTheDependenciesByPosition) {
  const Network network = make_network("torus:4x3,p=2");
  const ArcSpace space = ArcSpace::of_dependencies(network);
  for (const ChannelId held : network.channels()) {
    std::uint32_t arc = space.out_first(held.value);
    for (const ChannelId wanted : network.out(network.target(held))) {
      EXPECT_EQ(space.tail(arc), held.value);
      EXPECT_EQ(space.head(arc), wanted.value);
      EXPECT_EQ(space.find(held.value, wanted.value), arc);
      ++arc;
    }
  }
}

}  // namespace
}  // namespace unknot
