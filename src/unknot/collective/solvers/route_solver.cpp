// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/solvers/route_solver.hpp"

#include <algorithm>
#include <utility>

#include "unknot/collective/packing/route_broadcasts.hpp"
#include "unknot/collective/packing/route_packing.hpp"
#include "unknot/support/clock.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

class RouteRun {
 public:
  RouteRun(const Problem& problem, std::uint32_t steps, std::uint64_t effort, const SolveOptions& options,
           Progress& progress)
      : problem_(&problem), steps_(steps), effort_(effort), options_(&options), progress_(&progress) {}

  Solution pack() {
    RoutePacking by_shifts(*problem_, steps_, options_->seed);
    if (by_shifts.begin_by_shifts()) return finish(solution_of(by_shifts));
    RoutePacking packing(*problem_, steps_, options_->seed);
    const std::uint64_t work = std::max(kLeastWork, kWorkOfMessage * problem_->messages());
    progress_->begin("pack", effort_);
    for (std::uint64_t i = 0; i < effort_ && !stopped(); ++i) {
      progress_->update(i);
      if (packing.run(work, [this] { return stopped(); })) break;
    }
    return finish(solution_of(packing));
  }

  Solution spread() {
    RouteBroadcasts spreading(*problem_);
    Random random(options_->seed);
    const bool tour = problem_->groups() > 1 && spreading.find_tour(random);
    Solution best;
    best.steps = steps_;
    best.conflicts = Problem::kNone;
    progress_->begin("spread", effort_);
    for (std::uint64_t i = 0; i < effort_ && best.conflicts > 0; ++i) {
      if (i > 0 && stopped()) break;
      const std::uint32_t left =
          spreading.run(steps_, tour && i % 2 == 0, random, [this] { return stopped(); });
      ++best.evaluations;
      if (left < best.conflicts) {
        best.conflicts = left;
        best.schedule = spreading.schedule();
      }
      progress_->update(i + 1);
    }
    return finish(std::move(best));
  }

 private:
  static constexpr std::uint64_t kLeastWork = 1'000'000, kWorkOfMessage = 64;

  [[nodiscard]] Solution solution_of(const RoutePacking& packing) const {
    Solution found;
    found.steps = steps_;
    found.conflicts = packing.best_waiting();
    found.evaluations = packing.insertions();
    found.schedule = packing.schedule();
    return found;
  }
  /// Throws Interrupted where the user wants to stop.
  bool stopped() {
    if (progress_->interrupted()) throw Interrupted();
    late_ = late_ || (options_->seconds > 0 && seconds_since(start_) >= options_->seconds);
    return late_;
  }
  Solution finish(Solution found) const {
    found.out_of_time = late_ && found.conflicts > 0;
    return found;
  }

  Clock::time_point start_ = Clock::now();
  const Problem* problem_;
  std::uint32_t steps_;
  std::uint64_t effort_;
  const SolveOptions* options_;
  Progress* progress_;
  bool late_ = false;
};

Solution solve_on_routes(const Problem& problem, std::uint32_t steps, const Parameters& parameters,
                         const SolveOptions& options, Progress& progress) {
  const std::uint64_t effort = parameters.number("effort");
  if (problem.delivery == Delivery::scatter)
    return RouteRun(problem, steps, effort, options, progress).pack();
  if (problem.delivery == Delivery::broadcast)
    return RouteRun(problem, steps, effort, options, progress).spread();
  const Problem reversed = time_reversed(problem);
  Solution found = RouteRun(reversed, steps, effort, options, progress).spread();
  found.schedule = time_reversed(found.schedule, problem.delivery);
  return found;
}

}  // namespace

Solver route_solver() {
  return {
      .name = "on-routes",
      .summary = "schedules on the paths of routing tables: ejection search, and tours of all nodes",
      .source = "Nagata, Braysy 2009 (ejection)",
      .parameters = {{.name = "effort",
                      .help = "for each number of steps: tries of broadcasts; of scatters rounds, each of "
                              "about a million looks at a channel in a step",
                      .fallback = "300",
                      .min = 1,
                      .max = 1e9}},
      .unsuitable =
          [](const Problem& problem) {
            return problem.routes != nullptr ? std::string()
                                             : std::string("its paths are free, not those of tables");
          },
      .solve = solve_on_routes,
      .on_routes = true};
}

}  // namespace unknot
