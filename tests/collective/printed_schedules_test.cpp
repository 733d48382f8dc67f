// SPDX-License-Identifier: Apache-2.0
// Schedules that the thesis prints, typed in. [Jaros 2010, chapter 8]
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <set>
#include <string>

#include "unknot/collective/checker.hpp"
#include "unknot/collective/lower_bound.hpp"
#include "unknot/collective/schedule_file.hpp"
#include "unknot/support/file.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

struct Printed {
  const char* table;
  std::uint32_t steps;
  bool optimal;
};

constexpr Printed kPrinted[] = {
    {"table-8.2-oas", 3, true}, {"table-8.2-oab", 2, true}, {"table-8.3", 4, true}, {"table-8.4", 3, true},
    {"table-8.6-oas", 7, true}, {"table-8.6-oab", 3, true}, {"table-8.9", 3, true}, {"table-8.13", 4, true},
    {"table-8.22", 2, false},  // one step is the bound
};

TEST(PrintedSchedules, PassTheChecker) {
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(UNKNOT_TEST_DATA "/jaros"))
    files.insert(entry.path().stem().string());
  for (const Printed& printed : kPrinted) {
    SCOPED_TRACE(printed.table);
    EXPECT_EQ(files.erase(printed.table), 1U);
    const std::string path = std::string(UNKNOT_TEST_DATA "/jaros/") + printed.table + ".json";
    const ScheduleDocument document = parse_schedule(read_file(path), path);
    const Problem problem = problem_of(document, std::make_shared<NodeGraph>(make_network(document.fabric)));
    const ScheduleVerdict verdict = check_schedule(problem, document.schedule);
    EXPECT_TRUE(verdict.valid()) << (verdict.findings.empty() ? "" : verdict.findings.front().first);
    EXPECT_EQ(verdict.steps, printed.steps);
    EXPECT_EQ(lower_bound(problem).steps == printed.steps, printed.optimal);
  }
  EXPECT_TRUE(files.empty()) << *files.begin() << " is tested by nobody";
}

}  // namespace
}  // namespace unknot
