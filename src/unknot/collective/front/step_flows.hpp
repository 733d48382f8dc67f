// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "unknot/collective/front/step_problem.hpp"
#include "unknot/collective/front/step_program.hpp"
#include "unknot/collective/front/step_schedule.hpp"

namespace unknot {

/// What a program sends, where each target has a message of its own, in whole chunks: the least number of
/// chunks, up to `most`, by which all that is sent becomes whole; where there is none, many, and what is sent
/// is rounded to them. Divided among the targets by following it. Nothing where rounding has lost a part of a
/// message. O(most * sent + chunks * targets * steps * degree).
std::optional<StepSchedule> chunks_of(const StepProblem& problem, std::uint32_t steps,
                                      const StepProgram& program, std::uint32_t most);

}  // namespace unknot
