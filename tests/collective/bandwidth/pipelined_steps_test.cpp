// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/bandwidth/pipelined_steps.hpp"

#include <gtest/gtest.h>

#include <string>

#include "collective/combined_play.hpp"
#include "collective/schedules.hpp"
#include "unknot/collective/bandwidth/forest_check.hpp"
#include "unknot/collective/bandwidth/make_forest.hpp"
#include "unknot/collective/bandwidth/pipelining.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

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
