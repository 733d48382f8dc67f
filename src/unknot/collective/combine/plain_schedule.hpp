// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/collective/combine/combined_problem.hpp"
#include "unknot/collective/combine/combined_schedule.hpp"
#include "unknot/collective/model/problem.hpp"
#include "unknot/collective/model/schedule.hpp"

namespace unknot {

/// A collective whose transfers carry one message each, as one that may combine: what takes combined ones
/// takes these, too. InputError as make_combined(). O(sources + targets of all blocks).
CombinedProblem as_combined(const Problem& problem);
/// Its schedule: a block for each transfer; those of a reduction combine. O(schedule).
CombinedSchedule as_combined(const Problem& problem, const Schedule& schedule);

}  // namespace unknot
