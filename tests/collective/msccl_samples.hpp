// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "collective/schedules.hpp"
#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/msccl/msccl_make.hpp"
#include "unknot/collective/solvers/solver.hpp"

namespace unknot::testing {

/// A valid schedule of few steps.
inline Schedule found_schedule(const Problem& problem) {
  SolveOptions options;
  options.threads = 1;
  options.lower_bound = lower_bound(problem).steps;
  Progress silent;
  return solve(problem, "auto", options, silent).schedule;
}

/// XML of an algorithm for a collective.
inline std::string msccl_sample(const std::string& spec, const std::string& collective) {
  const Problem problem = problem_on(spec, collective);
  return msccl::program_text(msccl::make_program(problem, found_schedule(problem), collective + " " + spec));
}

}  // namespace unknot::testing
