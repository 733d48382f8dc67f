// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/sat_schedules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "unknot/collective/schedule_formula.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kMostLiterals = 20'000'000;

/// Of a formula for the steps that ports need, or for so many.
std::string too_large(const Problem& problem, std::uint32_t steps) {
  if (steps == 0) {
    std::vector<std::uint32_t> incoming(problem.graph->node_count(), 0);
    const bool to_owner = problem.delivery == Delivery::reduction;
    for (std::uint32_t g = 0; g < problem.groups(); ++g) {
      for (const NodeId n : problem.partners(g)) ++incoming[n.value];
    }
    for (const NodeId n : problem.graph->nodes()) {
      const std::uint32_t most = std::max(1U, to_owner ? problem.send_limit(n) : problem.receive_limit(n));
      steps = std::max(steps, (incoming[n.value] + most - 1) / most);
    }
  }
  const std::uint64_t literals = ScheduleFormula::literals(problem, steps);
  if (literals <= kMostLiterals) return "";
  return fmt::format("its formula for {} steps has about {} million literals, and {} are the most", steps,
                     literals / 1'000'000, kMostLiterals / 1'000'000);
}

/// Nothing but so many steps.
Schedule empty_schedule(std::uint32_t steps) {
  Schedule schedule;
  for (std::uint32_t s = 0; s < steps; ++s) schedule.add_step();
  return schedule;
}

Solution by_formula(const Problem& problem, std::uint32_t steps, std::uint64_t conflicts,
                    const SolveOptions& options, Progress& progress) {
  const Clock::time_point start = Clock::now();
  SatSolver solver;
  const ScheduleFormula formula(problem, steps, solver);
  SatLimits limits;
  limits.conflicts = conflicts;
  if (options.seconds > 0) {
    const std::chrono::duration<double> used = Clock::now() - start;
    limits.seconds = std::max(1e-9, options.seconds - used.count());
  }
  const SatAnswer answer = solver.solve(limits, progress);
  if (progress.interrupted()) throw Interrupted();
  Solution found;
  found.steps = steps;
  found.evaluations = 1;
  if (answer == SatAnswer::satisfiable) {
    found.schedule = formula.schedule();
    return found;
  }
  found.schedule = empty_schedule(steps);
  found.conflicts = problem.messages();
  found.impossible = answer == SatAnswer::unsatisfiable;
  const std::chrono::duration<double> used = Clock::now() - start;
  found.out_of_time = !found.impossible && options.seconds > 0 && used.count() >= options.seconds;
  return found;
}

}  // namespace

Solver sat_schedules() {
  return {.name = "sat",
          .summary = "any small problem, exactly: a Boolean formula, and a proof where there is no schedule",
          .source = "CaDiCaL: Biere et al. 2020",
          .parameters = {{.name = "conflicts",
                          .help = "gives a number of steps up after so many of the search; 0: never",
                          .fallback = "0",
                          .max = 2e9}},
          .refuses = [](const Problem& problem) { return too_large(problem, 0); },
          .solve =
              [](const Problem& problem, std::uint32_t steps, const Parameters& parameters,
                 const SolveOptions& options, Progress& progress) {
                const std::string why = too_large(problem, steps);
                if (!why.empty()) throw InputError("solver sat cannot take this problem: " + why);
                const std::uint64_t conflicts = parameters.number("conflicts");
                if (problem.delivery != Delivery::reduction)
                  return by_formula(problem, steps, conflicts, options, progress);
                Solution found = by_formula(time_reversed(problem), steps, conflicts, options, progress);
                found.schedule = time_reversed(found.schedule, problem.delivery);
                return found;
              }};
}

}  // namespace unknot
