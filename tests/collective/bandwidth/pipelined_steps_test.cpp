// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/bandwidth/pipelined_steps.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "collective/combined_play.hpp"
#include "collective/schedules.hpp"
#include "unknot/collective/bandwidth/forest_check.hpp"
#include "unknot/collective/bandwidth/pipelining.hpp"
#include "unknot/collective/priced/make_trees.hpp"
#include "unknot/collective/trees/make_forest.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr double kGap = 0.05;

Forest trees_by_prices(const std::vector<BandwidthProblem>& groups) {
  Progress silent;
  return whole_trees(groups, pack_trees(groups, {.gap = kGap}, silent), Fraction(), kGap).forest;
}

/// Trees of every collective that has some, in steps: played with numbers, as many steps as the model counts.
TEST(PipelinedSteps, DeliverWhatTheCollectiveSays) {
  for (const char* spec : {"torus:3x3", "mesh:2x3", "fat:2,ring:3", "fattree3:4"}) {
    const auto graph = testing::graph_of(spec);
    for (const char* collective : {"AAB", "AAR", "OAB", "AOR", "all-reduce"}) {
      SCOPED_TRACE(std::string(spec) + " " + collective);
      const BandwidthProblem problem = make_bandwidth_problem(graph, collective);
      Progress silent;
      const Forest forest = problem.all_reduce
                                ? make_forest(all_reduce_optimum(problem, silent), silent)
                                : make_forest(problem, bandwidth_optimum(problem, silent), silent);
      const PipelineShape shape = shape_of(forest, check_forest(problem, forest).time, problem.all_reduce);
      for (const std::uint64_t chunks : {1U, 2U, 5U}) {
        const PipelinedSteps steps = pipelined_steps(graph, problem, forest, chunks);
        EXPECT_EQ(testing::played(steps.problem, steps.schedule, true), "");
        EXPECT_EQ(steps.schedule.step_count(), pipeline_of(shape, {}, 1, chunks).steps);
      }
    }
  }
}

/// Trees of groups at once: each message stays in its group.
TEST(PipelinedSteps, GroupsHaveTheirTreesAtTheSameTime) {
  for (const char* collective : {"AAB", "AAR", "OAB", "AOR", "all-reduce"}) {
    SCOPED_TRACE(collective);
    const auto graph = testing::graph_of("mesh:3x3");
    Participants who;
    who.groups = {testing::nodes({0, 4, 8, 1}), testing::nodes({2, 3, 5, 7})};
    const std::vector<BandwidthProblem> groups = make_bandwidth_groups(graph, collective, who);
    ASSERT_EQ(groups.size(), 2U);
    const Forest forest = trees_by_prices(groups);
    for (const std::uint64_t chunks : {1U, 3U}) {
      const PipelinedSteps steps = pipelined_steps(graph, groups, who, forest, chunks);
      EXPECT_EQ(testing::played(steps.problem, steps.schedule, true), "");
    }
  }
}

TEST(PipelinedSteps, GroupsThatAreNotAlikeHaveNoPiecesInCommon) {
  const auto graph = testing::graph_of("mesh:3x3");
  Participants who;
  who.groups = {testing::nodes({0, 4, 8}), testing::nodes({3, 5})};
  const std::vector<BandwidthProblem> groups = make_bandwidth_groups(graph, "all-reduce", who);
  EXPECT_THROW((void)pipelined_steps(graph, groups, who, trees_by_prices(groups), 1), InputError);
}

/// On links that differ by direction trees come in another way than they go out.
TEST(PipelinedSteps, TreesOfAnAllReduceMayComeInAnotherWay) {
  const auto graph = testing::graph_of("uniring:5");
  const BandwidthProblem problem = make_bandwidth_problem(graph, "all-reduce");
  const Forest forest = trees_by_prices({problem});
  ASSERT_FALSE(forest.trees.front().inward.empty());
  for (const std::uint64_t chunks : {1U, 4U}) {
    const PipelinedSteps steps = pipelined_steps(graph, problem, forest, chunks);
    EXPECT_EQ(testing::played(steps.problem, steps.schedule, true), "");
  }
}

TEST(PipelinedSteps, SwitchesThatBranchAreRefused) {
  const auto graph = testing::graph_of("boxes:1,4");
  BandwidthProblem problem = make_bandwidth_problem(graph, "AAB");
  set_powers({.copy = true}, problem);
  EXPECT_THROW((void)pipelined_steps(graph, problem, trees_by_prices({problem}), 1), InputError);
}

TEST(PipelinedSteps, RefusesMorePiecesThanItCanName) {
  const auto graph = testing::graph_of("ring:3");
  const BandwidthProblem problem = make_bandwidth_problem(graph, "AAB");
  Progress silent;
  const Forest forest = make_forest(problem, bandwidth_optimum(problem, silent), silent);
  EXPECT_THROW((void)pipelined_steps(graph, problem, forest, std::uint64_t{1} << 25U), InputError);
  EXPECT_THROW((void)pipelined_steps(graph, problem, forest, std::uint64_t{1} << 62U), InputError);
}

}  // namespace
}  // namespace unknot
