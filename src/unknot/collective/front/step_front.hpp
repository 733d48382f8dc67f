// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/collective/bandwidth/fraction.hpp"
#include "unknot/collective/front/step_problem.hpp"
#include "unknot/collective/front/step_proof.hpp"
#include "unknot/collective/front/step_schedule.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

/// What may be spent, in numbers that are the same on any machine.
struct FrontOptions {
  std::uint32_t most_steps = 0;           ///< 0: four more than the fewest
  std::uint32_t most_chunks = 24;         ///< of a message
  std::uint64_t conflicts = 20'000;       ///< of the solver for one number of chunks; fewer where it is large
  std::uint64_t plain_conflicts = 2'000;  ///< of one that is not alike all around, or far above the bound
  std::uint32_t attempts = 4;             ///< numbers of chunks tried near the bound of a number of steps
  std::uint64_t most_columns = 40'000;    ///< of a linear program, those that are alike counted once
  std::uint64_t most_literals = 150'000;  ///< of a formula
};

/// The least time that is known for a number of steps.
struct FrontPoint {
  StepSchedule schedule;
  TimedVerdict verdict;     ///< of check_steps()
  Fraction bound;           ///< that no schedule of as many steps beats
  bool by_weights = false;  ///< the bound is `proof`; else it is one of any number of steps
  StepProof proof;

  [[nodiscard]] std::uint32_t steps() const { return static_cast<std::uint32_t>(schedule.steps.size()); }
  [[nodiscard]] bool optimal() const { return verdict.time == bound; }
};

/// Steps against time: more steps, less time.
struct Front {
  std::vector<FrontPoint> points;  ///< steps ascend, times descend
  std::uint32_t least_steps = 0;   ///< below which there is no schedule
  std::vector<Fraction> bounds;    ///< by steps, from the fewest on: as far as was looked
  Fraction end;                    ///< the bound for any number of steps; 0: none is known
  StepProof end_proof;             ///< of `end`, where each target has its own message

  /// Of a number of steps from least_steps on.
  [[nodiscard]] Fraction bound(std::uint32_t steps) const;
};

/// Number by number of steps from the fewest on, until the time is that of `end`, a bound for any number of
/// steps, or steps are more than allowed. The bound of each number is a linear program, whose prices are
/// rounded to a proof in whole numbers. In the fewest steps layered_schedule() comes first. Where data is
/// copied schedules are sought by satisfiability, for few chunks, at the times next above the bound, then at
/// ever longer ones; where each target has its own message the program is the schedule. Same problem and
/// options, same front. Interrupted where the user wants to stop.
Front find_front(const StepProblem& problem, const Fraction& end, const FrontOptions& options,
                 Progress& progress);

}  // namespace unknot
