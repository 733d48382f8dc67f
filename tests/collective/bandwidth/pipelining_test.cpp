// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/bandwidth/pipelining.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "collective/schedules.hpp"
#include "unknot/collective/bandwidth/forest_check.hpp"
#include "unknot/collective/trees/make_forest.hpp"

namespace unknot {
namespace {

using testing::graph_of;

/// Runs trees chunk by chunk, as they are said to run, and counts: what no node has yet is not sent, all have
/// all at the end, and no step takes longer than the model says.
void expect_runs(const BandwidthProblem& problem, const Forest& forest, const Pipeline& pipeline,
                 const PipelineShape& shape) {
  const NodeGraph& graph = *problem.graph;
  std::vector<std::map<std::uint32_t, std::uint32_t>> level(forest.trees.size());  // of each node, per tree
  std::uint64_t delivered = 0;
  for (std::uint64_t step = 0; step < pipeline.steps; ++step) {
    std::vector<std::uint64_t> load(graph.arc_count(), 0);  // parts' chunks
    for (std::size_t t = 0; t < forest.trees.size(); ++t) {
      const Forest::Tree& tree = forest.trees[t];
      if (step == 0) level[t][tree.root.value] = 0;
      for (const Forest::Edge& edge : tree.edges) {
        if (step == 0) level[t][edge.to.value] = level[t].at(edge.from.value) + 1;
        const std::uint32_t depth = level[t].at(edge.from.value);
        if (step < depth || step - depth >= pipeline.chunks) continue;  // chunk step - depth
        ++delivered;
        const auto way = forest.way(edge.way);
        for (std::size_t i = 0; i + 1 < way.size(); ++i)
          load[graph.find(way[i], way[i + 1]).value] += tree.copies;
      }
    }
    for (const ArcId a : graph.arcs()) {
      EXPECT_LE(Fraction(load[a.value], forest.copies * graph.capacity(a)), shape.time);
    }
  }
  std::uint64_t edges = 0;
  for (const Forest::Tree& tree : forest.trees) edges += tree.edges.size();
  EXPECT_EQ(delivered, edges * pipeline.chunks);
}

TEST(Pipelining, StepsRunAsTheyAreCounted) {
  for (const char* spec : {"torus:4x4", "fattree3:4", "mesh:3x3", "ring:5"}) {
    const BandwidthProblem problem = make_bandwidth_problem(graph_of(spec), "AAB");
    Progress silent;
    const Forest forest = make_forest(problem, bandwidth_optimum(problem, silent), silent);
    const PipelineShape shape = shape_of(forest, check_forest(problem, forest).time, false);
    for (const std::uint64_t chunks : {1U, 3U, 10U}) {
      const Pipeline pipeline = pipeline_of(shape, {}, 1e6, chunks);
      EXPECT_EQ(pipeline.steps, chunks + depth_of(forest).edges - 1);
      expect_runs(problem, forest, pipeline, shape);
    }
  }
}

TEST(Pipelining, NoNumberOfChunksIsBetterThanTheBest) {
  for (const std::uint32_t levels : {1U, 2U, 7U, 64U}) {
    const PipelineShape shape{Fraction(15, 4), levels, 3};
    for (const double bytes : {1.0, 100.0, 1e5, 1e8}) {
      for (const CostModel& model : {CostModel{}, CostModel{1e-5, 2e-11, 1e-7}, CostModel{0, 1e-9, 0}}) {
        const Pipeline best = best_pipeline(shape, model, bytes);
        EXPECT_GE(best.chunks, 1U);
        EXPECT_LE(static_cast<double>(best.chunks), std::max(1.0, bytes));
        for (std::uint64_t chunks = 1;
             chunks <= std::min<std::uint64_t>(3000, static_cast<std::uint64_t>(bytes)); ++chunks)
          EXPECT_LE(best.seconds, pipeline_of(shape, model, bytes, chunks).seconds * (1 + 1e-12));
      }
    }
  }
}

TEST(Pipelining, KnownValue) {
  // Two levels, a share in 2 s and 1 s a step: (c + 1) (1 + 2 / c) is least near the root of 2.
  const PipelineShape shape{Fraction(2, 1), 2, 1};
  const Pipeline best = best_pipeline(shape, {1, 1, 0}, 1);
  EXPECT_EQ(best.chunks, 1U);  // no chunk is smaller than a byte
  EXPECT_DOUBLE_EQ(best.seconds, 6);
  const Pipeline large = best_pipeline(shape, {1, 1, 0}, 100);
  EXPECT_EQ(large.chunks, 14U);
  EXPECT_DOUBLE_EQ(large.seconds, 15 * (1 + 200.0 / 14));
}

}  // namespace
}  // namespace unknot
