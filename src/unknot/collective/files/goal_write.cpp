// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/files/goal_write.hpp"

#include "unknot/collective/check/checker.hpp"
#include "unknot/collective/model/ranks.hpp"
#include "unknot/support/error.hpp"
#include "unknot/traffic/workloads/task_graph.hpp"

namespace unknot {

TaskGraph task_graph_of(const Problem& problem, const Schedule& schedule) {
  const ScheduleVerdict verdict = check_schedule(problem, schedule);
  if (!verdict.valid())
    throw InputError("GOAL: the schedule is not valid: " + verdict.findings.front().first);
  const Ranks rank_of = ranks_of(problem);
  const std::uint32_t ranks = rank_of.count();

  TaskGraphBuilder builder;
  std::vector<std::vector<std::uint32_t>> before(ranks);  // what sends of the next step wait for
  std::vector<std::vector<std::uint32_t>> sends(ranks), receives(ranks);  // of this step
  for (std::uint32_t step = 0; step < schedule.step_count(); ++step) {
    for (std::uint32_t t = schedule.step_begin(step); t < schedule.step_end(step); ++t) {
      const TerminalId from(rank_of.of(schedule.distributor(t)));
      const TerminalId to(rank_of.of(schedule.receiver(t)));
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
