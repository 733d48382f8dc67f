// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/files/goal_write.hpp"

#include <gmock/gmock.h>

#include <set>

#include "collective/msccl_samples.hpp"
#include "unknot/collective/model/ranks.hpp"
#include "unknot/support/error.hpp"
#include "unknot/traffic/workloads/goal_file.hpp"
#include "unknot/traffic/workloads/task_graph.hpp"

namespace unknot {
namespace {

using ::testing::HasSubstr;
using testing::problem_on;
using ::testing::StartsWith;

std::vector<TerminalId> terminals(std::uint32_t count) {
  std::vector<TerminalId> list;
  for (std::uint32_t t = 0; t < count; ++t) list.emplace_back(t);
  return list;
}

/// All that must be done at its own rank before a task begins, tasks in any order.
std::set<std::uint32_t> all_before(const TaskGraph& graph, std::uint32_t task) {
  std::set<std::uint32_t> all;
  std::vector<std::uint32_t> open{task};
  while (!open.empty()) {
    const std::uint32_t t = open.back();
    open.pop_back();
    for (const std::uint32_t before : graph.done_before(t)) {
      if (all.insert(before).second) open.push_back(before);
    }
  }
  return all;
}

TEST(GoalWrite, EverySendWaitsForTheStepsBefore) {
  for (const char* spec : {"ring:6", "petersen", "fat:2,ring:4", "btree:8"}) {
    for (const CollectiveRow& row : collectives()) {
      const Problem problem = problem_on(spec, row.name);
      const Schedule schedule = testing::found_schedule(problem);
      const TaskGraph graph = task_graph_of(problem, schedule);
      ASSERT_EQ(graph.tasks.size(), 2U * schedule.transfer_count());
      // Tasks 2t and 2t+1 are the send and the receive of transfer t.
      for (std::uint32_t step = 0; step < schedule.step_count(); ++step) {
        for (std::uint32_t t = schedule.step_begin(step); t < schedule.step_end(step); ++t) {
          EXPECT_EQ(graph.tasks[2 * t + 1].peer, 2 * t);
          const std::set<std::uint32_t> before = all_before(graph, 2 * t);
          std::set<std::uint32_t> expected;
          for (std::uint32_t other = 0; other < 2 * schedule.step_begin(step); ++other) {
            if (graph.tasks[other].terminal == graph.tasks[2 * t].terminal) expected.insert(other);
          }
          EXPECT_EQ(before, expected) << spec << row.name << t;
        }
      }
    }
  }
}

TEST(GoalWrite, WhatIsWrittenReadsBack) {
  for (const char* spec : {"ring:6", "hypercube:3", "petersen", "fat:2,ring:4", "btree:8"}) {
    for (const CollectiveRow& row : collectives()) {
      const Problem problem = problem_on(spec, row.name);
      const TaskGraph graph = task_graph_of(problem, testing::found_schedule(problem));
      const std::uint32_t ranks = ranks_of(problem).count();
      const std::string text = goal_text(graph, ranks);
      const TaskGraph read = parse_goal(text, "made", terminals(ranks));
      EXPECT_EQ(read.tasks.size(), graph.tasks.size()) << spec << row.name;
      EXPECT_TRUE(waiting_circle(read).empty());
    }
  }
}

TEST(GoalWrite, BroadcastOnASquare) {
  const Problem problem = problem_on("hypercube:2", "OAB");
  const TaskGraph graph = task_graph_of(problem, testing::recursive_doubling(2));
  EXPECT_EQ(goal_text(graph, ranks_of(problem).count()),
            "num_ranks 4\n\n"
            "rank 0 {\nl0: send 1048576b to 1 tag 0\nl2: send 1048576b to 2 tag 2\nl2 requires l0\n}\n\n"
            "rank 1 {\nl1: recv 1048576b from 0 tag 0\nl4: send 1048576b to 3 tag 4\nl4 requires l1\n}\n\n"
            "rank 2 {\nl3: recv 1048576b from 0 tag 2\n}\n\n"
            "rank 3 {\nl5: recv 1048576b from 1 tag 4\n}\n");
}

TEST(GoalWrite, LinesLessOrChangedAreFound) {
  const Problem problem = problem_on("hypercube:3", "AAB");
  const std::string text = goal_text(task_graph_of(problem, testing::found_schedule(problem)), 8);
  for (std::size_t at = text.find("\nl"); at != std::string::npos; at = text.find("\nl", at + 1)) {
    const std::string line = text.substr(at + 1, text.find('\n', at + 1) - at - 1);
    if (line.find("requires") != std::string::npos) continue;
    std::string less = text;
    less.erase(at, line.size() + 1);
    std::string other = text;
    const std::size_t tag = at + 1 + line.find("tag ") + 4;
    other[tag] = other[tag] == '9' ? '1' : '9';
    for (const std::string& damaged : {less, other}) {
      try {
        (void)parse_goal(damaged, "f", terminals(8));
        ADD_FAILURE() << line;
      } catch (const InputError& error) {
        EXPECT_THAT(error.what(), StartsWith("f:"));
      }
    }
  }
}

TEST(GoalWrite, RefusesSchedulesThatAreNotValid) {
  try {
    (void)task_graph_of(problem_on("hypercube:3", "OAB"), testing::recursive_doubling(2));
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("GOAL: the schedule is not valid: "));
  }
}

}  // namespace
}  // namespace unknot
