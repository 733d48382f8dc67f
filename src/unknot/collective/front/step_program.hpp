// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/collective/front/step_problem.hpp"

namespace unknot {

/// The least time of a number of steps by linear programming, when data is as fine as one likes. Each target
/// gets a flow from each source, in the network that has every node once for each step; flows from one source
/// to several targets may share what they have in common, so that the time is a lower bound where data is
/// copied, and what a schedule takes where each target has a message of its own. [for coded data: Ahlswede,
/// Cai, Li, Yeung 2000]
struct StepProgram {
  bool solved = false;
  double time = 0;                ///< of all steps
  std::vector<double> step_time;  ///< by step
  /// What is sent, where targets have messages of their own: by number of a source orbit, step and hop.
  std::vector<double> sent;
  /// Prices: by number of a source orbit, target (one for all where each has its own message), step and hop.
  std::vector<double> flow_price;
  std::vector<double> arc_price;  ///< by step and arc
};

/// Symmetric: what holds of the sources of source_orbits() holds of their images. Where data is copied rows
/// and columns that are alike are one (ProgramClasses). Not solved where columns are more than `most_columns`
/// then, or ten times as many before, nor where `seconds` are over.
StepProgram solve_steps(const StepProblem& problem, std::uint32_t steps, std::uint64_t most_columns,
                        double seconds);

}  // namespace unknot
