// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/solvers/sat_schedules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "unknot/collective/exact/path_formula.hpp"
#include "unknot/collective/exact/schedule_formula.hpp"
#include "unknot/support/clock.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint64_t kMostLiterals = 20'000'000;

/// Paths of each message at most, so that a formula by paths is not too large; 0: not even with one of each.
std::uint32_t most_paths(const Problem& problem, std::uint32_t steps) {
  constexpr std::uint64_t kMost = 1000;
  constexpr std::uint64_t kOfPath = 21;  // literals, of one hop
  return static_cast<std::uint32_t>(
      std::min(kMost, kMostLiterals / (kOfPath * problem.messages() * std::max(1U, steps))));
}

/// Why there is no formula, perhaps by paths, for this many steps; 0: for those that ports need.
std::string too_large(const Problem& problem, std::uint32_t steps, bool by_paths) {
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
  if (by_paths && problem.delivery == Delivery::scatter && most_paths(problem, steps) > 0) return "";
  return fmt::format("its formula for {} steps has about {} million literals, and {} are the most", steps,
                     literals / 1'000'000, kMostLiterals / 1'000'000);
}

/// Nothing but this many steps.
Schedule empty_schedule(std::uint32_t steps) {
  Schedule schedule;
  for (std::uint32_t s = 0; s < steps; ++s) schedule.add_step();
  return schedule;
}

/// For one number of steps.
class Search {
 public:
  Search(const Problem& problem, std::uint32_t steps, std::uint64_t conflicts, const SolveOptions& options)
      : problem_(&problem), steps_(steps), conflicts_(conflicts), seconds_(options.seconds) {}

  /// By the smaller one of two formulas.
  Solution run(Progress& progress) {
    const std::uint64_t literals = ScheduleFormula::literals(*problem_, steps_);
    const std::uint32_t most = most_paths(*problem_, steps_);
    if (problem_->delivery == Delivery::scatter && most > 0) {
      const std::optional<PairPaths> paths = all_paths(*problem_, steps_, most);
      if (paths && PathFormula::literals(*paths, steps_) <= std::min(literals, kMostLiterals)) {
        const PathFormula formula(*problem_, *paths, steps_, solver_);
        return solved(formula, progress);
      }
    }
    const std::string why = too_large(*problem_, steps_, false);
    if (!why.empty()) throw InputError("solver sat cannot take this problem: " + why);
    const ScheduleFormula formula(*problem_, steps_, solver_);
    return solved(formula, progress);
  }

 private:
  template <class Formula>
  Solution solved(const Formula& formula, Progress& progress) {
    SatLimits limits;
    limits.conflicts = conflicts_;
    if (seconds_ > 0) limits.seconds = std::max(1e-9, seconds_ - used());
    const SatAnswer answer = solver_.solve(limits, progress);
    if (progress.interrupted()) throw Interrupted();
    Solution found;
    found.steps = steps_;
    found.evaluations = 1;
    if (answer == SatAnswer::satisfiable) {
      found.schedule = formula.schedule();
      return found;
    }
    found.schedule = empty_schedule(steps_);
    found.conflicts = problem_->messages();
    found.impossible = answer == SatAnswer::unsatisfiable;
    found.out_of_time = !found.impossible && seconds_ > 0 && used() >= seconds_;
    return found;
  }
  [[nodiscard]] double used() const { return seconds_since(start_); }

  const Problem* problem_;
  std::uint32_t steps_;
  std::uint64_t conflicts_;
  double seconds_;
  Clock::time_point start_ = Clock::now();
  SatSolver solver_;
};

}  // namespace

Solver sat_schedules() {
  return {.name = "sat",
          .summary = "any small problem, exactly: a Boolean formula, and a proof where there is no schedule",
          .source = "CaDiCaL: Biere et al. 2020",
          .parameters = {{.name = "conflicts",
                          .help = "gives a number of steps up after this many of the search; 0: never",
                          .fallback = "0",
                          .max = 2e9}},
          .unsuitable = [](const Problem& problem) { return too_large(problem, 0, true); },
          .solve =
              [](const Problem& problem, std::uint32_t steps, const Parameters& parameters,
                 const SolveOptions& options, Progress& progress) {
                const std::uint64_t conflicts = parameters.number("conflicts");
                if (problem.delivery != Delivery::reduction)
                  return Search(problem, steps, conflicts, options).run(progress);
                const Problem reversed = time_reversed(problem);
                Solution found = Search(reversed, steps, conflicts, options).run(progress);
                found.schedule = time_reversed(found.schedule, problem.delivery);
                return found;
              }};
}

}  // namespace unknot
