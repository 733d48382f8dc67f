// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/schedules/schedule_solve.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "unknot/cli/command/help.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/cli/output/stopwatch.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/collective/check/checker.hpp"
#include "unknot/collective/solvers/solver.hpp"
#include "unknot/evolve/checkpoint.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"

namespace unknot::cli {
namespace {

constexpr double kMostSeconds = 1e9;

/// What the routes cost: the same with paths that are free.
void compare_with_free_paths(const Problem& problem, const Solution& found, const SolveOptions& limits,
                             const Common& common, Json& document, ScheduleText& text) {
  Problem free = problem;
  free.routes = nullptr;
  const LowerBound bound = lower_bound(free);
  SolveOptions options = limits;
  options.steps = 0;
  options.lower_bound = bound.steps;
  ProgressBar bar(common);
  const Solution best = solve(free, "auto", options, bar);
  if (best.conflicts > 0) {
    document["free_paths"] = {{"steps", nullptr}, {"lower_bound", best.fewest}};
    text.lines.emplace_back("free paths", "no schedule found in the time there was");
    return;
  }
  const auto more = static_cast<std::int64_t>(found.steps) - best.steps;
  document["free_paths"] = {{"steps", best.steps},
                            {"lower_bound", best.fewest},
                            {"proven_optimal", best.steps == best.fewest},
                            {"steps_saved", more}};
  const std::string cost = more > 0 ? fmt::format("the routes cost {} more, {:.0f} %", more,
                                                  100.0 * static_cast<double>(more) / best.steps)
                                    : "the routes cost nothing";
  text.lines.emplace_back("free paths", fmt::format("{}; {}", steps_text(best.steps, best.fewest), cost));
}

/// The same with what is left of the time.
SolveOptions left_of(SolveOptions options, double seconds) {
  constexpr double kLeast = 1e-3;
  if (options.seconds > 0) options.seconds = std::max(kLeast, options.seconds - seconds);
  return options;
}

/// Millions of channels looked at while steps are taken out of what was mended.
constexpr std::uint64_t kMendedEffort = 1000;

/// True when there is a better one by way of the whole network, which is taken.
bool take_mended(const WholeNetwork& whole, const Problem& problem, double seconds, SolveOptions options,
                 Progress& progress, Solution& found) {
  options.lower_bound = std::max(options.lower_bound, found.fewest);
  if (options.seconds > 0 && options.seconds <= seconds) return false;
  options = left_of(options, seconds);
  const std::uint32_t fewer_than = found.conflicts > 0 ? UINT32_MAX : found.steps;
  std::optional<Solution> mended =
      solve_whole_first(whole, problem, fewer_than, kMendedEffort, options, progress);
  if (!mended) return false;
  mended->evaluations += found.evaluations;
  found = std::move(*mended);
  return true;
}

/// Where a search is kept to go on with; null where that is not asked for.
std::unique_ptr<evolve::Checkpoint> checkpoint_of(const SolveInput& input, const std::string& solver,
                                                  const Common& common) {
  if (input.resume.empty()) return nullptr;
  if (input.resume == "-") throw InputError("--resume: expected the name of a file, not -");
  if (common.exchange != nullptr) throw InputError("--resume: is for one process, not for several");
  const Solver& row = find_solver(split_spec(solver).name);
  if (!row.evolves) {
    std::vector<std::string> names;
    for (const Solver& other : solvers()) {
      if (other.evolves) names.push_back(other.name);
    }
    throw InputError(fmt::format("--resume: is for solvers that evolve schedules ({}), and the solver is {}",
                                 fmt::join(names, ", "), row.name));
  }
  check_outputs({input.resume});
  return std::make_unique<evolve::Checkpoint>(input.resume);
}

std::string why_invalid(const Solution& found, std::uint32_t steps, std::uint32_t fewest) {
  if (steps > 0 && steps < fewest) return fmt::format("NO: no schedule has fewer than {} steps", fewest);
  return fmt::format(
      "NO, {} conflicts left{}", grouped(found.conflicts),
      found.out_of_time ? " when the time was up" : "; try more steps, or a solver that looks longer");
}

}  // namespace

void add_solve_options(CLI::App& app, SolveInput& input) {
  app.add_option("--solver", input.solver,
                 "Spec of what designs the schedule (unknot list solvers); without it auto, and sga for "
                 "islands over MPI")
      ->type_name("SPEC");
  app.add_option("--steps", input.steps,
                 "Just this many steps; without it from the lower bound on until one is found")
      ->check(whole_number(1, 65'536))
      ->type_name("N");
  app.add_option("--limit", input.seconds, "Give up after this many seconds; 0: never")
      ->check(number_between(0.0, kMostSeconds))
      ->type_name("SECONDS");
  app.add_option("--resume", input.resume,
                 "File that keeps how far a solver is that evolves schedules, each minute and when it is "
                 "stopped: the same command goes on from it. It goes when the search is at its end")
      ->type_name("FILE");
  app.add_flag("--routes-only", input.routes_only,
               "With --engine or --tables: do not say what these routes cost against free paths");
}

int solve_collective(const std::string& fabric, const CollectiveCase& given, const LowerBound& bound,
                     const SolveInput& input, const ScheduleTarget& target, const Common& common,
                     bool with_table, const WholeNetwork* whole, Json& document, ScheduleText& text) {
  const Problem& problem = given.problem;
  SolveOptions options;
  options.steps = input.steps;
  options.lower_bound = bound.steps;
  options.seed = common.seed;
  options.threads = common.threads;
  options.seconds = input.seconds;
  options.exchange = common.exchange;
  const std::string solver = !input.solver.empty()        ? input.solver
                             : common.exchange == nullptr ? "auto"
                                                          : "sga";
  const std::unique_ptr<evolve::Checkpoint> kept = checkpoint_of(input, solver, common);
  const double before = kept == nullptr ? 0 : kept->seconds();  // of those that were stopped
  const Stopwatch time;
  Solution found;
  bool mended = false;
  {
    ProgressBar bar(common);
    if (whole != nullptr) {
      found = solve(problem, "auto:levels=1", options, bar);
      if (found.steps > found.fewest)
        mended = take_mended(*whole, problem, time.seconds(), options, bar, found);
    }
    if (whole == nullptr || (!mended && found.steps > found.fewest)) {
      SolveOptions last = left_of(options, time.seconds());
      last.checkpoint = kept.get();
      found = solve(problem, solver, last, bar);
    }
  }
  const double seconds = time.seconds() + before;
  const ScheduleVerdict verdict = check_schedule(problem, found.schedule);
  const bool valid = verdict.valid();
  const std::uint32_t fewest = std::max(bound.steps, found.fewest);
  const bool optimal = valid && found.steps == fewest;
  if (fewest > bound.steps) raise_bound(fewest, solver, document, text);
  ScheduleDocument made = document_of(problem, fabric, std::move(found.schedule));
  made.faults = given.faults;
  if (valid) write_schedule(target, made, given, common, fewest);
  if (kept != nullptr && !found.out_of_time) kept->remove();

  document["solver"] = solver;
  document["steps"] = found.steps;
  document["valid"] = valid;
  document["proven_optimal"] = optimal;
  document["conflicts"] = found.conflicts;
  document["evaluations"] = found.evaluations;
  document["transfers"] = verdict.transfers;
  document["hops"] = verdict.hops;
  document["seconds"] = seconds;
  text.lines.emplace_back("steps", valid ? steps_text(found.steps, fewest) : std::to_string(found.steps));
  text.lines.emplace_back("valid", valid ? "yes, as checked: " + transfers_text(verdict)
                                         : why_invalid(found, input.steps, fewest));
  if (mended) document["mended"] = true;
  text.lines.emplace_back("found by", fmt::format("{}{}, {} schedules looked at in {:.2f} s", solver,
                                                  mended ? ", mended from the whole network's" : "",
                                                  grouped(found.evaluations), seconds));
  if (valid && problem.routes != nullptr && !input.routes_only)
    compare_with_free_paths(problem, found, options, common, document, text);
  if (valid && with_table) text.table = schedule_table(made);
  return valid ? kYes : kNo;
}

}  // namespace unknot::cli
