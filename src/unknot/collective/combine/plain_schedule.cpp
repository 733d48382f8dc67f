// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/combine/plain_schedule.hpp"

namespace unknot {

CombinedProblem as_combined(const Problem& problem) {
  return make_combined(problem.collective, problem, Outcome::as_given, 1);
}

CombinedSchedule as_combined(const Problem& problem, const Schedule& schedule) {
  CombinedSchedule result;
  for (std::uint32_t step = 0; step < schedule.step_count(); ++step) {
    result.add_step();
    for (std::uint32_t t = schedule.step_begin(step); t < schedule.step_end(step); ++t) {
      const bool scatters = problem.delivery == Delivery::scatter;
      const Block block{schedule.origin(t), scatters ? schedule.receiver(t).value : 0};
      result.add(schedule.path(t), {&block, 1}, problem.delivery == Delivery::reduction);
    }
  }
  return result;
}

}  // namespace unknot
