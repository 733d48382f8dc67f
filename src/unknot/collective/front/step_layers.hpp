// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/collective/front/step_problem.hpp"
#include "unknot/collective/front/step_schedule.hpp"

namespace unknot {

/// A schedule in the fewest steps, made at once: each chunk is nearer to its target with every step, and each
/// node gets a copy as soon as it can; over which hop is chosen step by step, so that the busiest arc
/// carries as little as can be. Of networks that are alike everywhere the time is often the least there is.
/// Alike under the problem's symmetry. O(chunks * targets * steps * moves).
StepSchedule layered_schedule(const StepProblem& problem, std::uint32_t chunks);

}  // namespace unknot
