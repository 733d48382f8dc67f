// SPDX-License-Identifier: Apache-2.0
// Schedules that the thesis prints, typed in. [Jaros 2010, chapter 8]
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/check/checker.hpp"
#include "unknot/collective/files/schedule_file.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

struct Printed {
  const char* table;
  std::uint32_t steps;
  bool optimal;
};

/// Two do not hold as they are printed; beside them stands each with the one cell changed that mends it.
/// Routers of the Kautz network are numbered in the order of words (4, 5, 6, 7, 9, B of the thesis are 5, 4,
/// 7, 6, 11, 9), switches and terminals of the fat tree as the catalogue has them (2, 3 and 4, 5 change
/// places). Tables 8.7 and 8.11 print no paths of scatters: these are the shortest ones, on the ring the way
/// that is free.
constexpr Printed kPrinted[] = {
    {"table-8.2-oas", 3, true},
    {"table-8.2-oab", 2, true},
    {"table-8.3", 4, true},
    {"table-8.4", 3, true},
    {"table-8.6-oas", 7, true},
    {"table-8.6-oab", 3, true},
    {"table-8.7-aas", 8, true},
    {"table-8.7-aab", 4, true},
    {"table-8.9", 3, true},
    {"table-8.11-aas", 7, true},
    {"table-8.11-aab-mended", 4, true},
    {"table-8.13", 4, true},
    {"table-8.15-mended", 7, true},
    {"table-8.17", 7, true},
    {"table-8.22", 2, false},  // one step is the bound
};
constexpr const char* kWrong[] = {"table-8.11-aab", "table-8.15"};

struct Replayed {
  Problem problem;
  Schedule schedule;
  ScheduleVerdict verdict;
};

Replayed replay(const std::string& table) {
  const std::string path = UNKNOT_TEST_DATA "/jaros/" + table + ".json";
  const ScheduleDocument document = parse_schedule(read_file(path), path);
  const Problem problem = problem_of(document, std::make_shared<NodeGraph>(make_network(document.fabric)));
  return {problem, document.schedule, check_schedule(problem, document.schedule)};
}

TEST(PrintedSchedules, PassTheChecker) {
  for (const Printed& printed : kPrinted) {
    SCOPED_TRACE(printed.table);
    const Replayed replayed = replay(printed.table);
    const ScheduleVerdict& verdict = replayed.verdict;
    EXPECT_TRUE(verdict.valid()) << (verdict.findings.empty() ? "" : verdict.findings.front().first);
    EXPECT_EQ(verdict.steps, printed.steps);
    EXPECT_EQ(lower_bound(replayed.problem).steps == printed.steps, printed.optimal);
  }
}

TEST(PrintedSchedules, AreAllTestedHere) {
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(UNKNOT_TEST_DATA "/jaros"))
    files.insert(entry.path().stem().string());
  for (const Printed& printed : kPrinted) EXPECT_EQ(files.erase(printed.table), 1U) << printed.table;
  for (const char* const wrong : kWrong) EXPECT_EQ(files.erase(wrong), 1U) << wrong;
  EXPECT_TRUE(files.empty()) << *files.begin() << " is tested by nobody";
}

// "6-3-x-2" and "A-3-x-2": both messages cross from 3 to 2 in step 3, and the channel is idle in step 4.
TEST(PrintedSchedules, Table811SendsTwoMessagesOverOneChannel) {
  const ScheduleVerdict verdict = replay("table-8.11-aab").verdict;
  EXPECT_EQ(verdict.violations(), 1U);
  EXPECT_EQ(verdict.of(ViolationKind::channel_conflict), 1U);
  ASSERT_EQ(verdict.findings.size(), 1U);
  EXPECT_EQ(verdict.findings[0].step, 2U);
  EXPECT_EQ(verdict.findings[0].first, "step 3: more than one message on the channel from 3 to 2");
}

// Step 4 of source 0 is "7,D,G,K,E,B,3", which is step 3 of source 7, in place of a path from 0 to 4.
TEST(PrintedSchedules, Table815HasACellOfAnotherSource) {
  const Replayed replayed = replay("table-8.15");
  const ScheduleVerdict& verdict = replayed.verdict;
  EXPECT_EQ(verdict.of(ViolationKind::wrong_sender), 1U);
  EXPECT_EQ(verdict.of(ViolationKind::duplicate), 1U);  // 0 to 3, which comes in step 6
  EXPECT_EQ(verdict.of(ViolationKind::channel_conflict), 4U);
  EXPECT_EQ(verdict.of(ViolationKind::missing), 1U);
  EXPECT_EQ(verdict.findings.front().step, 3U);
  EXPECT_EQ(verdict.findings.back().step, 7U);
}

// What mends them is one transfer each: all else is as printed.
TEST(PrintedSchedules, AreMendedByOneTransfer) {
  for (const std::string wrong : kWrong) {
    const auto transfers = [](const Schedule& schedule) {
      std::multiset<std::tuple<std::uint32_t, NodeId, std::vector<NodeId>>> all;
      for (std::uint32_t step = 0; step < schedule.step_count(); ++step) {
        for (std::uint32_t t = schedule.step_begin(step); t < schedule.step_end(step); ++t) {
          const std::span<const NodeId> path = schedule.path(t);
          all.emplace(step, schedule.origin(t), std::vector<NodeId>(path.begin(), path.end()));
        }
      }
      return all;
    };
    const auto printed = transfers(replay(wrong).schedule);
    const auto mended = transfers(replay(wrong + "-mended").schedule);
    std::size_t changed = 0;
    for (const auto& transfer : printed) changed += mended.count(transfer) == 0 ? 1 : 0;
    EXPECT_EQ(changed, 1U) << wrong;
    EXPECT_EQ(printed.size(), mended.size()) << wrong;
  }
}

}  // namespace
}  // namespace unknot
