// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/collective/model/problem.hpp"
#include "unknot/collective/model/schedule.hpp"
#include "unknot/support/parameters.hpp"
#include "unknot/support/progress.hpp"

namespace unknot::evolve {
class Exchange;
class Checkpoint;
}  // namespace unknot::evolve

namespace unknot {

struct SolveOptions {
  std::uint32_t steps = 0;        ///< just this many; 0: as few as are found
  std::uint32_t lower_bound = 1;  ///< proven: where the search for the fewest steps begins
  std::uint64_t seed = 1;
  std::uint32_t threads = 0;  ///< 0: all of the machine
  double seconds = 0;         ///< ends after this many, and gives up reproducibility; 0: no limit
  /// Among the processes that call solve() with the same arguments, to share the islands; all get the same
  /// solution. nullptr: this one works alone.
  evolve::Exchange* exchange = nullptr;
  /// Where solvers that evolve schedules keep how far they are, to go on from there. nullptr: nowhere.
  evolve::Checkpoint* checkpoint = nullptr;
};

struct Solution {
  Schedule schedule;  ///< of `steps` steps; with conflicts where it is not complete
  std::uint32_t steps = 0;
  std::uint32_t conflicts = 0;    ///< left in it, or messages left out; 0: it is valid
  std::uint64_t evaluations = 0;  ///< schedules looked at, over all numbers of steps
  bool out_of_time = false;
  bool impossible = false;   ///< proven: there is no schedule of `steps` steps
  std::uint32_t fewest = 1;  ///< proven: there is none of fewer; the lower bound given, or better
};

/// What designs schedules.
struct Solver {
  std::string name;
  std::string summary;
  std::string source;  ///< paper and place
  std::vector<Parameter> parameters;
  /// Why it cannot take a problem, "it has several sources"; empty where it can. No function: it takes any.
  std::function<std::string(const Problem& problem)> unsuitable = {};
  /// A schedule of just this many steps, or the best part of one.
  std::function<Solution(const Problem& problem, std::uint32_t steps, const Parameters& parameters,
                         const SolveOptions& options, Progress& progress)>
      solve;
  /// Of as few steps as it finds, from the options' lower bound on; without it solve() asks for one step more
  /// each time.
  std::function<Solution(const Problem& problem, const Parameters& parameters, const SolveOptions& options,
                         Progress& progress)>
      fewest = {};
  bool evolves = false;  ///< shares islands by SolveOptions::exchange, keeps them by SolveOptions::checkpoint
  bool on_routes = false;  ///< keeps to Problem::routes
};

/// Why it does not take a problem, by its row or because the problem is on routes; empty where it does.
std::string refusal(const Solver& solver, const Problem& problem);

/// The catalogue.
const std::vector<Solver>& solvers();
/// InputError with the near names where there is none of that name.
const Solver& find_solver(std::string_view name);

/// Runs the solver of a spec, "umda:population=100": for the steps asked for, or from the lower bound on with
/// one step more each time, or as many as the solver has proven to be needed, until a schedule has no
/// conflict. check_schedule() is asked whether it is valid, and a solver that says otherwise is a
/// std::runtime_error. InputError for a wrong spec and what the problem does not allow; Interrupted.
Solution solve(const Problem& problem, std::string_view spec, const SolveOptions& options,
               Progress& progress);

}  // namespace unknot
