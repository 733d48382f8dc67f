// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "unknot/collective/bandwidth/fraction.hpp"
#include "unknot/collective/front/step_problem.hpp"
#include "unknot/collective/front/step_schedule.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/support/solve/sat_solver.hpp"

namespace unknot {

/// What is sought: messages in so many chunks, and so many rounds in all, of which a step takes as many as it
/// likes, at least one. In j rounds an arc of capacity c carries the whole part of c * j / width chunks.
struct StepRounds {
  std::uint32_t steps = 1;
  std::uint32_t chunks = 1;
  std::uint32_t rounds = 1;
  std::uint32_t width = 1;

  [[nodiscard]] Fraction time() const { return {rounds, std::uint64_t{width} * chunks}; }
};

/// Literals of the formula, roughly: what the caller can afford.
std::uint64_t tree_literals(const StepProblem& problem, const StepRounds& wanted);

/// A schedule of copies by satisfiability, alike under the problem's symmetry: a variable for each source of
/// an orbit, chunk, step and hop, and for who has what when. `answer` says whether there is one;
/// unsatisfiable is a proof only for schedules of this symmetry and number of chunks. Sends that nobody needs
/// are left out.
std::optional<StepSchedule> find_trees(const StepProblem& problem, const StepRounds& wanted,
                                       const SatLimits& limits, const Progress& progress, SatAnswer& answer);

}  // namespace unknot
