// SPDX-License-Identifier: Apache-2.0
// GOAL: any input gives a task graph that keeps its promises, or an InputError; what is written of it means
// the same.
#include <cstddef>
#include <cstdlib>
#include <memory>

#include "table_fuzz_fabric.hpp"
#include "unknot/support/error.hpp"
#include "unknot/traffic/goal_file.hpp"
#include "unknot/traffic/workload_check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  static const std::vector<TerminalId> terminals = {TerminalId(0), TerminalId(1), TerminalId(2),
                                                    TerminalId(3)};
  try {
    Workload workload;
    workload.tasks =
        std::make_shared<const TaskGraph>(parse_goal(fuzz::text_of(data, size), "schedule", terminals));
    if (!workload_fault(workload, 4).empty()) std::abort();
    const std::string text = goal_text(*workload.tasks, 4);
    const TaskGraph sorted = parse_goal(text, "again", terminals);
    if (parse_goal(goal_text(sorted, 4), "once more", terminals) != sorted) std::abort();
    if (sorted.tasks.size() != workload.tasks->tasks.size()) std::abort();
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  return 0;
}
