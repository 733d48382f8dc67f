// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unknot/collective/bandwidth/fraction.hpp"
#include "unknot/collective/front/step_problem.hpp"

namespace unknot {

/// A chunk of a message that goes over a hop.
struct StepSend {
  std::uint32_t source = 0;  ///< number among the sources
  std::uint32_t target = 0;  ///< rank; of what all get 0
  std::uint32_t chunk = 0;
  std::uint32_t hop = 0;
};

/// What is sent in each step, of messages in `chunks` equal parts.
struct StepSchedule {
  std::uint32_t chunks = 1;
  std::vector<std::vector<StepSend>> steps;
};

struct TimedVerdict {
  std::string fault;                ///< the first thing that is wrong, one sentence; empty: it delivers
  std::vector<Fraction> step_time;  ///< in shares over capacity, of the arc that takes longest
  Fraction time;                    ///< of all steps

  [[nodiscard]] bool valid() const { return fault.empty(); }
};

/// By replaying it: who has a chunk when a step begins may send it, and nobody gets it twice; in the end all
/// targets have all chunks. Then the load of each arc in each step, whole. Knows nothing of how a schedule
/// was made, nor of symmetry. O(sources * chunks * ranks (times targets, where each has its own message) +
/// sends). std::overflow_error for capacities whose fractions cannot be added up in 64 bits.
TimedVerdict check_steps(const StepProblem& problem, const StepSchedule& schedule);

/// The sum of fractions. std::overflow_error beyond 64 bits.
Fraction sum_of(const std::vector<Fraction>& parts);

}  // namespace unknot
