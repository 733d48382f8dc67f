// SPDX-License-Identifier: Apache-2.0
#include "unknot/deadlock/dependency_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <thread>
#include <vector>

#include "unknot/deadlock/components.hpp"
#include "unknot/deadlock/mark_set.hpp"
#include "unknot/deadlock/shortest_cycle.hpp"
#include "unknot/deadlock/topological.hpp"
#include "unknot/support/random.hpp"

namespace unknot {
namespace {

using Arc = std::pair<std::uint32_t, std::uint32_t>;

DependencyGraph graph_of(std::uint32_t vertices, const std::set<Arc>& arcs) {
  return {vertices, 1, std::vector<std::uint8_t>(vertices, 1), [&](const auto& visit) {
            for (const auto& [from, to] : arcs) visit(from, to);
          }};
}

std::set<Arc> random_arcs(Random& random, std::uint32_t vertices) {
  std::set<Arc> arcs;
  for (std::uint32_t i = random.below(3 * vertices); i > 0; --i)
    arcs.emplace(random.below(vertices), random.below(vertices));
  return arcs;
}

/// [a][b]: a path of at least one arc leads from a to b; its least length, or 0.
std::vector<std::vector<std::uint32_t>> all_distances(std::uint32_t vertices, const std::set<Arc>& arcs) {
  std::vector<std::vector<std::uint32_t>> length(vertices, std::vector<std::uint32_t>(vertices, 0));
  for (const auto& [from, to] : arcs) length[from][to] = 1;
  for (std::uint32_t k = 0; k < vertices; ++k) {
    for (std::uint32_t a = 0; a < vertices; ++a) {
      for (std::uint32_t b = 0; b < vertices; ++b) {
        if (length[a][k] == 0 || length[k][b] == 0) continue;
        const std::uint32_t through = length[a][k] + length[k][b];
        if (length[a][b] == 0 || through < length[a][b]) length[a][b] = through;
      }
    }
  }
  return length;
}

TEST(DependencyGraph, SearchesAgreeWithAllPairsDistances) {
  std::uint32_t cyclic = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const std::uint32_t vertices = 1 + random.below(14);
    const std::set<Arc> arcs = random_arcs(random, vertices);
    const DependencyGraph graph = graph_of(vertices, arcs);
    ASSERT_EQ(graph.arc_count(), arcs.size());
    const auto length = all_distances(vertices, arcs);

    std::uint32_t girth = 0;
    for (std::uint32_t v = 0; v < vertices; ++v) {
      if (length[v][v] != 0 && (girth == 0 || length[v][v] < girth)) girth = length[v][v];
    }
    cyclic += girth != 0 ? 1 : 0;

    const CyclicComponents components = cyclic_components(graph);
    for (std::uint32_t a = 0; a < vertices; ++a) {
      EXPECT_EQ(components.component[a] != CyclicComponents::kNone, length[a][a] != 0);
      for (std::uint32_t b = 0; b < vertices; ++b) {
        if (length[a][a] == 0 || length[b][b] == 0) continue;
        const bool together = a == b || (length[a][b] != 0 && length[b][a] != 0);
        EXPECT_EQ(components.component[a] == components.component[b], together);
      }
    }

    bool proven = false;
    const auto cycle = shortest_cycle(graph, 1'000'000, &proven);
    EXPECT_TRUE(proven);
    ASSERT_EQ(cycle.size(), girth);
    for (std::size_t i = 0; i < cycle.size(); ++i)
      EXPECT_EQ(arcs.count({cycle[i], cycle[(i + 1) % cycle.size()]}), 1U);

    const TopologicalNumbers numbers = topological_numbers(graph);
    EXPECT_EQ(numbers.acyclic, girth == 0);
    for (const auto& [from, to] : arcs) {
      if (numbers.number[to] == TopologicalNumbers::kNone) continue;
      EXPECT_LT(numbers.number[from], numbers.number[to]);
    }
  }
  EXPECT_GT(cyclic, 100U);
  EXPECT_LT(cyclic, 450U);
}

TEST(ShortestCycle, GivesATrueCycleWhenItsWorkIsBounded) {
  // A long cycle that is found first, and a short one that needs more work.
  std::set<Arc> arcs;
  for (std::uint32_t v = 0; v < 20; ++v) arcs.emplace(v, (v + 1) % 20);
  arcs.emplace(15, 14);
  const DependencyGraph graph = graph_of(20, arcs);
  bool proven = true;
  EXPECT_EQ(shortest_cycle(graph, 5, &proven).size(), 20U);
  EXPECT_FALSE(proven);
  EXPECT_EQ(shortest_cycle(graph, 1000, &proven).size(), 2U);
  EXPECT_TRUE(proven);
}

TEST(TopologicalNumbers, LeaveUnusedVerticesWithout) {
  std::vector<std::uint8_t> used{1, 1, 0};
  const DependencyGraph graph(3, 1, used, [](const auto& visit) { visit(1U, 0U); });
  const TopologicalNumbers numbers = topological_numbers(graph);
  EXPECT_TRUE(numbers.acyclic);
  EXPECT_EQ(numbers.number, (std::vector<std::uint32_t>{1, 0, TopologicalNumbers::kNone}));
}

using MarkList = std::vector<std::pair<std::uint64_t, std::uint8_t>>;

/// What a set of `keys` holds after `threads` have filled it together.
template <class Marks>
MarkList filled(std::uint64_t keys, std::uint64_t dense_bytes, std::uint32_t bits, std::uint32_t threads) {
  Marks set(keys, dense_bytes);
  EXPECT_EQ(set.dense(), dense_bytes != 0);
  std::vector<std::thread> workers;
  for (std::uint32_t w = 0; w < threads; ++w) {
    workers.emplace_back([&, w] {
      for (std::uint32_t item = w; item < 8000; item += threads) {
        Random random(1, item);
        const std::uint32_t key = random.below(static_cast<std::uint32_t>(keys));
        set.add(key, static_cast<std::uint8_t>(1U << random.below(bits)));
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
  MarkList marks;
  set.for_each([&](std::uint64_t key, std::uint8_t mask) { marks.emplace_back(key, mask); });
  return marks;
}

TEST(MarkSet, HoldsTheSameFlatOrHashedWhateverTheThreads) {
  const MarkList expected = filled<MarkSet<std::uint8_t>>(5000, 100'000, 8, 1);
  EXPECT_GT(expected.size(), 3000U);
  EXPECT_LT(expected.size(), 5000U);
  EXPECT_TRUE(std::is_sorted(expected.begin(), expected.end()));
  EXPECT_EQ(filled<MarkSet<std::uint8_t>>(5000, 100'000, 8, 3), expected);
  EXPECT_EQ(filled<MarkSet<std::uint8_t>>(5000, 0, 8, 1), expected);
  EXPECT_EQ(filled<MarkSet<std::uint8_t>>(5000, 0, 8, 3), expected);
}

TEST(MarkSet, OneBitAKeyHoldsTheSame) {
  const MarkList expected = filled<MarkSet<std::uint8_t>>(5000, 100'000, 1, 1);
  using OneBit = MarkSet<std::uint8_t, true>;
  EXPECT_EQ((filled<OneBit>(5000, 100'000, 1, 1)), expected);
  EXPECT_EQ((filled<OneBit>(5000, 100'000, 1, 3)), expected);
  EXPECT_EQ((filled<OneBit>(5000, 0, 1, 3)), expected);
}

}  // namespace
}  // namespace unknot
