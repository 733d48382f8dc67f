// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/play_schedule.hpp"

#include <gtest/gtest.h>

#include "collective/schedules.hpp"
#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/combine/combining_catalogue.hpp"
#include "unknot/collective/solvers/solver.hpp"

namespace unknot::simulate {
namespace {

Schedule found(const Problem& problem) {
  SolveOptions options;
  options.lower_bound = lower_bound(problem).steps;
  options.threads = 1;
  Progress progress;
  return solve(problem, "auto:levels=1", options, progress).schedule;
}

Settings one_lane(std::uint32_t packet_flits) {
  Settings settings;
  settings.vcs = 1;
  settings.packet_flits = packet_flits;
  return settings;
}

std::vector<PlayedStep> played(const std::string& spec, const Problem& problem, const Schedule& schedule,
                               std::uint32_t flits, std::uint32_t threads = 1) {
  Progress progress;
  return play_schedule(make_network(spec), *problem.graph, schedule, one_lane(16), flits, threads, progress);
}

class PlayedSchedules : public ::testing::TestWithParam<const char*> {};

TEST_P(PlayedSchedules, NoFlitWaitsWithinAStep) {
  for (const char* spec : {"hypercube:3", "torus:3x3", "mesh:3x4", "ring:6", "kautz:b=2,n=2,oriented=1",
                           "fat:2,ring:4", "kary-ntree:k=2,n=2", "btree:4", "omega:8"}) {
    SCOPED_TRACE(spec);
    const Problem problem = testing::problem_on(spec, GetParam());
    const Schedule schedule = found(problem);
    for (const std::uint32_t flits : {1U, 16U, 100U}) {
      const std::vector<PlayedStep> steps = played(spec, problem, schedule, flits);
      ASSERT_EQ(steps.size(), schedule.step_count());
      std::uint32_t transfers = 0;
      for (const PlayedStep& step : steps) {
        EXPECT_EQ(step.held_up, 0U) << flits;
        EXPECT_EQ(step.steps, step.alone_steps) << flits;
        EXPECT_GE(step.steps, flits);
        transfers += step.transfers;
      }
      EXPECT_EQ(transfers, schedule.transfer_count());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Collectives, PlayedSchedules, ::testing::Values("OAS", "AAS", "OAB", "AAB", "AOR"));

TEST(PlaySchedule, SeesMessagesInEachOthersWay) {
  const Problem problem = testing::problem_on("ring:6", "OAS");
  Schedule crowded;
  crowded.add_step();
  crowded.add(NodeId(0), testing::nodes({0, 1}));
  crowded.add(NodeId(0), testing::nodes({0, 1, 2}));
  crowded.add(NodeId(0), testing::nodes({0, 5}));
  const std::vector<PlayedStep> steps = played("ring:6", problem, crowded, 16);
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_GT(steps[0].held_up, 0U);
  EXPECT_LT(steps[0].first_held_up, 2U);
  EXPECT_GT(steps[0].steps, steps[0].alone_steps);
}

/// Every algorithm that combines messages keeps its transfers apart, too; a transfer takes as long as what it
/// carries.
TEST(PlaySchedule, NoCombinedMessageWaitsWithinAStep) {
  Progress progress;
  for (const char* const spec : {"hypercube:3", "mesh:2x3", "fat:2,ring:3"}) {
    const auto graph = testing::graph_of(spec);
    for (const char* const name : {"AAS", "all-reduce"}) {
      for (const CombiningChoice& choice :
           combining_choices(make_combined(graph, find_combined_collective(name)))) {
        SCOPED_TRACE(std::string(spec) + " " + name + ": " + choice.name);
        CombiningOptions options;
        options.tries = 4;
        options.solver = "auto:levels=1,effort=3";
        const CombinedSchedule schedule = choice.make(options, progress).schedule;
        const auto steps = play_schedule(make_network(spec), *graph, schedule, one_lane(16), 20, 1, progress);
        ASSERT_EQ(steps.size(), schedule.step_count());
        for (std::uint32_t s = 0; s < steps.size(); ++s) {
          EXPECT_EQ(steps[s].held_up, 0U);
          std::size_t most = 0;
          for (std::uint32_t t = schedule.step_begin(s); t < schedule.step_end(s); ++t)
            most = std::max(most, schedule.blocks(t).size());
          EXPECT_GE(steps[s].steps, 20 * most);
          EXPECT_LT(steps[s].steps, 20 * most + 100);
        }
      }
    }
  }
}

TEST(PlaySchedule, IsTheSameAtAnyNumberOfThreads) {
  const Problem problem = testing::problem_on("torus:4x4", "AAS");
  const Schedule schedule = found(problem);
  const auto one = played("torus:4x4", problem, schedule, 40, 1);
  const auto three = played("torus:4x4", problem, schedule, 40, 3);
  ASSERT_EQ(one.size(), three.size());
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_EQ(one[i].steps, three[i].steps);
}

}  // namespace
}  // namespace unknot::simulate
