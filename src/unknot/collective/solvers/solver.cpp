// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/solvers/solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "unknot/collective/check/checker.hpp"
#include "unknot/collective/solvers/evolution_solvers.hpp"
#include "unknot/collective/solvers/matching_solver.hpp"
#include "unknot/collective/solvers/nested_solver.hpp"
#include "unknot/collective/solvers/packing_solver.hpp"
#include "unknot/collective/solvers/portfolio.hpp"
#include "unknot/collective/solvers/ring_exchange.hpp"
#include "unknot/collective/solvers/route_solver.hpp"
#include "unknot/collective/solvers/sat_schedules.hpp"
#include "unknot/collective/solvers/scatter_solver.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/clock.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

void ask_checker(const Problem& problem, const Solution& found) {
  if (check_schedule(problem, found.schedule).valid() != (found.conflicts == 0))
    throw std::runtime_error("the solver and the checker do not agree on a schedule");
}

}  // namespace

std::string refusal(const Solver& solver, const Problem& problem) {
  if (problem.routes != nullptr && !solver.on_routes)
    return "it chooses paths itself, not those of routing tables";
  return refusal<Solver, Problem>(solver, problem);  // as for any row
}

const std::vector<Solver>& solvers() {
  static const std::vector<Solver> rows = [] {
    std::vector<Solver> all;
    for (Solver& row : evolution_solvers()) all.push_back(std::move(row));
    all.insert(all.begin(), portfolio_solver());
    all.push_back(packing_solver());
    all.push_back(ring_exchange_solver());
    all.push_back(nested_flows_solver());
    all.push_back(scatter_flow_solver());
    all.push_back(matching_solver());
    all.push_back(sat_schedules());
    all.push_back(route_solver());
    return all;
  }();
  return rows;
}

const Solver& find_solver(std::string_view name) {
  return find_row(solvers(), "solver", name);
}

Solution solve(const Problem& problem, std::string_view spec, const SolveOptions& options,
               Progress& progress) {
  const Chosen<Solver> chosen = choose_row(solvers(), "solver", spec);
  const Solver& row = *chosen.row;
  const Parameters& parameters = chosen.parameters;
  if (const std::string why = refusal(row, problem); !why.empty()) {
    throw InputError(fmt::format("solver {} cannot take this problem: {}", row.name, why));
  }
  if (options.exchange != nullptr && !row.evolves) {
    throw InputError(fmt::format(
        "solver {} does not share its work among processes: ask for one that evolves schedules", row.name));
  }
  if (options.checkpoint != nullptr && !row.evolves) {
    throw InputError(fmt::format(
        "solver {} cannot go on with a search from a file: ask for one that evolves schedules", row.name));
  }
  if (options.steps == 0 && row.fewest) {
    Solution found = row.fewest(problem, parameters, options, progress);
    found.fewest = std::max(found.fewest, options.lower_bound);
    ask_checker(problem, found);
    return found;
  }
  const Clock::time_point start = Clock::now();
  SolveOptions left = options;
  std::uint64_t evaluations = 0;
  std::uint32_t fewest = std::max(1U, options.lower_bound);
  std::uint32_t steps = options.steps > 0 ? options.steps : std::max(1U, options.lower_bound);
  while (true) {
    if (options.seconds > 0) left.seconds = std::max(1e-9, options.seconds - seconds_since(start));
    Solution found = row.solve(problem, steps, parameters, left, progress);
    evaluations += found.evaluations;
    // What is impossible in this many steps is so in fewer.
    fewest = std::max({fewest, found.fewest, found.impossible ? steps + 1 : 1U});
    // One message in each step is always possible: more steps than that are no use.
    if (options.steps > 0 || found.conflicts == 0 || found.out_of_time || steps >= problem.messages()) {
      found.evaluations = evaluations;
      found.fewest = fewest;
      ask_checker(problem, found);
      return found;
    }
    steps = std::max(steps + 1, fewest);
  }
}

}  // namespace unknot
