// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/collective/combine/combined_problem.hpp"
#include "unknot/collective/combine/combined_schedule.hpp"
#include "unknot/collective/front/step_problem.hpp"
#include "unknot/collective/front/step_schedule.hpp"

namespace unknot {

/// Schedules of a front as files hold them: chunks are pieces of messages, and what goes the same way in a
/// step goes together. Not of messages that each have a receiver of their own, which have no pieces there.

/// Of one half: a broadcast or a reduction, of one owner or of all. Steps of backward problems are turned
/// around. O(schedule log).
CombinedSchedule front_messages(const StepProblem& problem, const StepSchedule& schedule);

/// An all-reduce: sums come together by `inward`, a backward problem of all-gather, and go to all by
/// `outward`; the message has `ranks` shares, each in the least common multiple of both numbers of chunks.
struct AllReduceMessages {
  std::uint32_t pieces = 1;
  CombinedSchedule schedule;
};
AllReduceMessages all_reduce_messages(const StepProblem& inward, const StepSchedule& gather,
                                      const StepProblem& outward, const StepSchedule& spread);

}  // namespace unknot
