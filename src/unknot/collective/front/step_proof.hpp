// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/collective/bandwidth/fraction.hpp"
#include "unknot/collective/front/step_problem.hpp"
#include "unknot/collective/front/step_program.hpp"

namespace unknot {

/// Why a number of steps takes no less time: weights of arcs in each step, in whole numbers. In a unit of
/// time a step carries no more than the sum of capacities times weights, its budget. A message of a source
/// takes up weight wherever it goes; of what all targets get, the weights of a hop are divided among the
/// targets as one likes, since a copy serves them all. So the time is at least the sum of the distances of
/// all targets, each by its own weights, over the largest budget of a step.
struct StepProof {
  std::uint32_t steps = 0;
  std::vector<std::uint32_t> arc_weight;  ///< by step and arc
  /// By source, its target, step and hop; empty where each target has a message of its own, as each hop then
  /// has the weights of its arcs.
  std::vector<std::uint32_t> part;
  std::uint64_t distance = 0;  ///< of all targets
  std::uint64_t budget = 1;    ///< the largest of a step

  [[nodiscard]] Fraction time() const { return {distance, budget}; }
};

/// Counted anew from weights and graph alone: `distance` and `budget`; a distance of 0 where parts of a hop
/// are more than its weights. O(sources * targets * steps * hops).
StepProof count_proof(const StepProblem& problem, StepProof proof);

/// The best proof that whole multiples of the prices of a program give when they are rounded; no better one
/// is sought than one of the program's time. O(tries * size of prices * sources of orbits).
StepProof make_proof(const StepProblem& problem, std::uint32_t steps, const StepProgram& program);

}  // namespace unknot
