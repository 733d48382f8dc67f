// SPDX-License-Identifier: Apache-2.0
// Acyclic path partitioning on instances with known optimum, and on small ones against brute force.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "lanes/acyclic_cover.hpp"
#include "lanes/coloring.hpp"
#include "unknot/lanes/exact_layers.hpp"
#include "unknot/lanes/layer_heuristics.hpp"
#include "unknot/support/random.hpp"

namespace unknot {
namespace {

constexpr double kSeconds = 60;

PathSet paths_of(const std::vector<std::vector<std::uint32_t>>& list) {
  PathSet paths;
  for (const auto& path : list) paths.add(path);
  return paths;
}

LayerBounds minimum(const PathSet& paths) {
  const Progress quiet;
  const PathArcs arcs(paths);
  return minimum_layers(paths, arcs, kSeconds, {}, quiet);
}

/// Fewest layers by trying all divisions.
std::uint32_t brute_force(const PathSet& paths) {
  for (std::uint32_t count = 1;; ++count) {
    PathLayers cover;
    cover.layer.assign(paths.size(), 0);
    for (;;) {
      cover.count = 0;
      std::vector<std::uint32_t> number(count, count);
      PathLayers dense = cover;
      for (std::uint32_t& l : dense.layer) {
        if (number[l] == count) number[l] = cover.count++;
        l = number[l];
      }
      dense.count = cover.count;
      if (is_acyclic_cover(paths, dense)) return dense.count;
      std::size_t i = 0;
      while (i < cover.layer.size() && ++cover.layer[i] == count) cover.layer[i++] = 0;
      if (i == cover.layer.size()) break;
    }
  }
}

TEST(PathLayers, ToyExampleNeedsTwo) {
  // bc, abc, cdab: the first two share a layer, the third fits with neither of them.
  const PathSet paths = paths_of({{1, 2}, {0, 1, 2}, {2, 3, 0, 1}});
  EXPECT_TRUE(is_acyclic_cover(paths, {{0, 0, 1}, 2}));
  EXPECT_FALSE(is_acyclic_cover(paths, {{0, 1, 0}, 2}));
  EXPECT_FALSE(is_acyclic_cover(paths, {{1, 0, 0}, 2}));
  EXPECT_FALSE(is_acyclic_cover(paths, {{0, 0, 0}, 1}));
  EXPECT_FALSE(is_acyclic_cover(paths, {{0, 0, 2}, 3})) << "an empty layer is a wasted layer";
  const PathArcs arcs(paths);
  EXPECT_EQ(layers_by_breaking(paths, arcs, BreakRule::weakest).layer, (std::vector<std::uint32_t>{0, 0, 1}));
  const LayerBounds bounds = minimum(paths);
  EXPECT_EQ(bounds.best.count, 2U);
  EXPECT_TRUE(bounds.proven());
}

TEST(PathLayers, EveryRuleEndsWhereThePublishedOnesDoNot) {
  // abc and cdab share ab: the heaviest and the first arc of the cycle carry both paths, forever.
  for (const auto& list : {std::vector<std::vector<std::uint32_t>>{{0, 1, 2}, {2, 3, 0, 1}},
                           std::vector<std::vector<std::uint32_t>>{{1, 2}, {0, 1, 2}, {2, 3, 0, 1}}}) {
    const PathSet paths = paths_of(list);
    const PathArcs arcs(paths);
    for (const BreakRule rule : kBreakRules) {
      const PathLayers layers = layers_by_breaking(paths, arcs, rule);
      EXPECT_TRUE(is_acyclic_cover(paths, layers));
      EXPECT_GE(layers.count, 2U);
    }
    EXPECT_EQ(minimum(paths).best.count, 2U);
  }
}

TEST(PathLayers, ColouringGraphsNeedTheirChromaticNumber) {
  const std::vector<ColoringCase> cases = coloring_cases();
  EXPECT_EQ(cases.size(), 12U);
  for (const ColoringCase& graph : cases) {
    const PathSet paths = coloring_paths(graph, false);
    const LayerBounds bounds = minimum(paths);
    EXPECT_TRUE(bounds.proven()) << graph.name;
    EXPECT_EQ(bounds.best.count, graph.chromatic) << graph.name;
    EXPECT_TRUE(is_acyclic_cover(paths, bounds.best)) << graph.name;
    const PathArcs arcs(paths);
    const Progress quiet;
    if (graph.chromatic > 1) {
      EXPECT_EQ(layers_suffice(paths, arcs, graph.chromatic - 1, kSeconds, quiet, nullptr),
                SatAnswer::unsatisfiable)
          << graph.name;
    }
    EXPECT_EQ(layers_suffice(paths, arcs, graph.chromatic, kSeconds, quiet, nullptr), SatAnswer::satisfiable)
        << graph.name;
  }
}

TEST(PathLayers, ThePrintedReductionGivesAnotherOptimum) {
  for (const ColoringCase& graph : coloring_cases()) {
    const LayerBounds bounds = minimum(coloring_paths(graph, true));
    EXPECT_TRUE(bounds.proven()) << graph.name;
    EXPECT_EQ(bounds.best.count, graph.truncated) << graph.name;
  }
}

TEST(PathLayers, HeuristicsNeverBeatTheOptimum) {
  bool any_above = false;
  for (const ColoringCase& graph : coloring_cases()) {
    const PathSet paths = coloring_paths(graph, false);
    const PathArcs arcs(paths);
    std::uint32_t fewest = graph.vertices + 1;
    for (const BreakRule rule : kBreakRules) {
      const PathLayers layers = layers_by_breaking(paths, arcs, rule);
      EXPECT_TRUE(is_acyclic_cover(paths, layers)) << graph.name;
      EXPECT_GE(layers.count, graph.chromatic) << graph.name;
      if (rule != BreakRule::closing) {
        EXPECT_EQ(layers.count, graph.by_rule) << graph.name;
      }
      any_above |= layers.count > graph.chromatic;
      fewest = std::min(fewest, layers.count);
    }
    const PathLayers best = best_layers(paths, arcs, {}, Progress());
    EXPECT_TRUE(is_acyclic_cover(paths, best)) << graph.name;
    EXPECT_LE(best.count, fewest) << graph.name;
    EXPECT_EQ(best.count, graph.chromatic) << graph.name << ": iterated greedy colours graphs this small";
  }
  EXPECT_TRUE(any_above);
}

TEST(PathLayers, SmallRandomSetsAgreeWithBruteForce) {
  std::uint32_t most = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const std::uint32_t vertices = 4 + random.below(4);
    PathSet paths;
    std::vector<std::uint32_t> all(vertices);
    std::iota(all.begin(), all.end(), 0U);
    for (std::uint32_t p = 0; p < 7; ++p) {
      random.shuffle(all);
      paths.add(std::span(all).first(2 + random.below(vertices - 2)), 1 + random.below(3));
    }
    const LayerBounds bounds = minimum(paths);
    ASSERT_TRUE(bounds.proven());
    EXPECT_TRUE(is_acyclic_cover(paths, bounds.best));
    EXPECT_EQ(bounds.best.count, brute_force(paths)) << seed;
    most = std::max(most, bounds.best.count);
    const PathArcs arcs(paths);
    std::vector<std::uint32_t> order(paths.size());
    std::iota(order.begin(), order.end(), 0U);
    EXPECT_TRUE(is_acyclic_cover(paths, layers_by_first_fit(paths, arcs, order)));
  }
  EXPECT_GE(most, 3U);
}

TEST(PathLayers, SameSeedSameLayers) {
  const PathSet paths = coloring_paths(coloring_cases().back(), false);
  const PathArcs arcs(paths);
  EXPECT_EQ(best_layers(paths, arcs, {.seed = 3}, Progress()).layer,
            best_layers(paths, arcs, {.seed = 3}, Progress()).layer);
}

TEST(PathLayers, NoPathsNeedNoLayer) {
  const PathSet none;
  EXPECT_EQ(minimum(none).best.count, 0U);
  const PathSet lone = paths_of({{0, 1, 2}, {3}});
  EXPECT_EQ(minimum(lone).best.count, 1U);
  EXPECT_TRUE(minimum(lone).proven());
}

}  // namespace
}  // namespace unknot
