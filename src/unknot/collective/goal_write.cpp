// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/goal_write.hpp"

#include <algorithm>

#include "unknot/collective/checker.hpp"
#include "unknot/support/error.hpp"
#include "unknot/traffic/task_graph.hpp"

namespace unknot {

std::uint32_t participants(const Problem& problem) {
  const std::vector<Role> roles = problem.roles();
  return static_cast<std::uint32_t>(roles.size()) -
         static_cast<std::uint32_t>(std::count(roles.begin(), roles.end(), Role::switch_only));
}

TaskGraph task_graph_of(const Problem& problem, const Schedule& schedule) {
  const ScheduleVerdict verdict = check_schedule(problem, schedule);
  if (!verdict.valid())
    throw InputError("GOAL: the schedule is not valid: " + verdict.findings.front().first);
  const std::vector<Role> roles = problem.roles();
  std::vector<TerminalId> rank(roles.size());
  std::uint32_t ranks = 0;
  for (std::size_t n = 0; n < roles.size(); ++n) {
    if (roles[n] != Role::switch_only) rank[n] = TerminalId(ranks++);
  }

  TaskGraphBuilder builder;
  std::vector<std::vector<std::uint32_t>> before(ranks);  // what sends of the next step wait for
  std::vector<std::vector<std::uint32_t>> sends(ranks), receives(ranks);  // of this step
  for (std::uint32_t step = 0; step < schedule.step_count(); ++step) {
    for (std::uint32_t t = schedule.step_begin(step); t < schedule.step_end(step); ++t) {
      const TerminalId from = rank[schedule.distributor(t).value];
      const TerminalId to = rank[schedule.receiver(t).value];
      const std::uint32_t send = builder.send(from, to, kGoalMessageBytes);
      sends[from.value].push_back(send);
      receives[to.value].push_back(builder.receive(send));
    }
    for (std::uint32_t r = 0; r < ranks; ++r) {
      for (const std::uint32_t send : sends[r]) {
        for (const std::uint32_t task : before[r]) builder.require_done(send, task);
      }
      // sends imply all that was before them; receives are open from the beginning, and imply nothing
      if (!sends[r].empty()) before[r] = std::move(sends[r]);
      before[r].insert(before[r].end(), receives[r].begin(), receives[r].end());
      sends[r].clear();
      receives[r].clear();
    }
  }
  return std::move(builder).build();
}

}  // namespace unknot
