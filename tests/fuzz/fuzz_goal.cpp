// SPDX-License-Identifier: Apache-2.0
// GOAL: any input gives a task graph that keeps its promises, or an InputError; what is written of it means
// the same.
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "table_fuzz_fabric.hpp"
#include "unknot/support/error.hpp"
#include "unknot/traffic/workloads/goal_file.hpp"
#include "unknot/traffic/workloads/workload_check.hpp"

namespace {

const std::vector<unknot::TerminalId>& terminals() {
  using unknot::TerminalId;
  static const std::vector<TerminalId> four = {TerminalId(0), TerminalId(1), TerminalId(2), TerminalId(3)};
  return four;
}

/// Anything thrown here is a fault, too.
void examine(unknot::TaskGraph graph) noexcept {
  using namespace unknot;
  const std::size_t tasks = graph.tasks.size();
  const TaskGraph sorted = parse_goal(goal_text(graph, 4), "again", terminals());
  if (sorted.tasks.size() != tasks) std::abort();
  if (parse_goal(goal_text(sorted, 4), "once more", terminals()) != sorted) std::abort();
  Workload workload;
  workload.tasks = std::make_shared<const TaskGraph>(std::move(graph));
  if (!workload_fault(workload, 4).empty()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  try {
    examine(parse_goal(fuzz::text_of(data, size), "schedule", terminals()));
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  return 0;
}
