// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/solvers/solver.hpp"
#include "unknot/reproduce/compare.hpp"
#include "unknot/reproduce/experiments.hpp"
#include "unknot/reproduce/jaros/paper.hpp"
#include "unknot/reproduce/network_set.hpp"
#include "unknot/support/thread_clock.hpp"

namespace unknot {
namespace {

using namespace jaros_paper;

/// One number of the thesis's tables, and what the portfolio of solvers makes of it.
struct ExactCase : StepsCase {
  std::uint32_t steps = 0;   ///< 0: none found
  std::uint32_t fewest = 0;  ///< proven
  std::string proof;
  double seconds = 0;
};

void solve_exactly(const ExperimentRequest& request, ExactCase& one, Progress& progress) {
  const double start = thread_seconds();
  const Problem problem = one.problem();
  const LowerBound bound = lower_bound(problem);
  if (!check_bound(problem, bound)) throw std::runtime_error("the proof of the lower bound does not hold");
  SolveOptions options;
  options.lower_bound = bound.steps;
  options.seed = request.seed;
  options.threads = 1;
  // solve() has the checker look at what is found.
  const Solution found =
      solve(problem, fmt::format("auto:levels={}", request.parameters.number("levels")), options, progress);
  one.steps = found.conflicts == 0 ? found.steps : 0;
  one.fewest = std::max(bound.steps, found.fewest);
  one.proof = one.fewest > bound.steps ? "search" : bound.name;
  one.seconds = thread_seconds() - start;
}

Reproduction run_jaros_exact(const ExperimentRequest& request, Progress& progress) {
  Reproduction result;
  result.title = "The fewest steps of the thesis's collective communications";
  result.text = {
      "Every number of Tables 8.1 to 8.16 that can be reproduced, by `--solver auto` without options for any "
      "row: flows for one source, matchings for all-to-all broadcasts, packings alike under automorphisms of "
      "the "
      "network for all-to-all scatters. Paths of any length, as shortest as can be. Each schedule was "
      "checked by "
      "code that does not know how it was made, and so was the proof of each bound.",
      "The networks AMP-23 to AMP-53 are not here, because their cables are not printed. Clos-8 "
      "of the thesis has 12 terminals."};
  std::vector<ExactCase> cases;
  for (const StepsCase& one : steps_cases(request.parameters.number("messages")))
    cases.push_back({one, 0, 0, {}, 0});
  for_each_case(static_cast<std::uint32_t>(cases.size()), request.threads, "schedules", progress,
                [&](std::uint32_t i, Progress& inner) { solve_exactly(request, cases[i], inner); });

  ReproducedTable table{
      .title = "Bounds", .headings = {"case", "thesis", "ours", "at least", "proof"}, .lines = {}};
  ReproducedTable times{
      .title = "CPU seconds, bounds included", .headings = {"case", "seconds"}, .lines = {}, .timed = true};
  std::uint32_t optimal = 0, fewer = 0;
  std::string open;
  double all_seconds = 0;
  for (const ExactCase& one : cases) {
    if (one.steps == 0) {
      result.rows.push_back(claim(one.label(), std::to_string(one.published), "none found", false, ""));
      result.rows.back().wanted = Wanted::lower;
    } else {
      result.rows.push_back(compare(one.label(), Quantity::number(one.published), Quantity::number(one.steps),
                                    Wanted::lower, 0, {}));
    }
    if (one.steps == one.fewest) {
      ++optimal;
    } else {
      open += fmt::format("{}{} ({} steps, {} at least)", open.empty() ? "" : "; ", one.label(), one.steps,
                          one.fewest);
    }
    fewer += one.steps != 0 && one.steps < one.published ? 1 : 0;
    table.lines.push_back({one.label(), std::to_string(one.published), std::to_string(one.steps),
                           std::to_string(one.fewest), one.proof});
    times.lines.push_back({one.label(), fmt::format("{:.2f}", one.seconds)});
    all_seconds += one.seconds;
  }
  times.lines.push_back({"all", fmt::format("{:.1f}", all_seconds)});
  result.rows.push_back(shown("schedules that are proven optimal",
                              Quantity::words(fmt::format("{} of {}", optimal, cases.size()))));
  result.rows.push_back(
      shown("schedules with fewer steps than the thesis's", Quantity::words(std::to_string(fewer))));
  result.text.push_back(open.empty() ? "All are proven optimal." : "Not proven optimal: " + open + ".");
  result.tables.push_back(std::move(table));
  result.tables.push_back(std::move(times));
  return result;
}

}  // namespace

Experiment jaros_exact_experiment() {
  return {.name = "collectives",
          .summary = "the fewest steps of every collective of the thesis's tables, by solver auto",
          .paper = kThesis,
          .place = "Tables 8.1, 8.5, 8.8, 8.10, 8.12, 8.14 and 8.16",
          .typical_seconds = 120,
          .quick = "messages=15,levels=1",
          .parameters =
              {{.name = "levels", .help = "of effort of solver auto", .fallback = "3", .min = 1, .max = 9},
               {.name = "messages", .help = "of the largest problem", .fallback = "1000000", .min = 3}},
          .run = run_jaros_exact};
}

}  // namespace unknot
