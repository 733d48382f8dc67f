// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/repair/schedule_repair.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <utility>

#include "unknot/cli/fabric/fault_option.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/cli/output/stopwatch.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/cli/schedules/schedule_repair.hpp"
#include "unknot/cli/schedules/schedule_report.hpp"
#include "unknot/collective/solvers/solver.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot::cli {
namespace {

/// A schedule and the network that it was made for, before something failed there.
struct Former {
  CollectiveCase on;
  std::string fabric;
  Schedule schedule;
};

Former load_former(const std::string& fabric, const RepairInput& repair, CollectiveInput input,
                   const Common& common) {
  ScheduleDocument document = parse_schedule(read_file(repair.file), repair.file);
  Former former;
  const bool says = !document.fabric.empty() && document.fabric != "-";
  former.fabric = !repair.made_for.empty() ? repair.made_for : says ? document.fabric : fabric;
  if ((fabric == "-" ? 1 : 0) + (repair.file == "-" ? 1 : 0) + (former.fabric == "-" ? 1 : 0) > 1)
    throw InputError("--repair: standard input is read once; name the fabrics and the schedule by files");
  if (!repair.made_for.empty()) document.faults.clear();
  input.faults = document.faults;
  // Whatever routes it was made on, its paths are possible ones; those in force are compared with them later.
  input.routing = {};
  try {
    former.on = load_collective(former.fabric, input, common, &document);
  } catch (const InputError& error) {
    if (!repair.made_for.empty() || !says) throw;
    throw InputError(fmt::format("{}, made for {}: {} (--made-for names another fabric)", repair.file,
                                 former.fabric, error.what()));
  }
  former.schedule = std::move(document.schedule);
  const ScheduleVerdict verdict = check_schedule(former.on.problem, former.schedule);
  if (!verdict.valid()) {
    throw InputError(fmt::format("{}: the schedule is not valid for {}, and cannot be repaired: {}",
                                 repair.file, former.fabric, verdict.findings.front().first));
  }
  return former;
}

/// Refuses networks that have what the one before had not: that is no failure.
void require_only_losses(const std::string& file, const Former& former, const std::string& fabric,
                         const Network& now, const NetworkChange& change) {
  std::string gained;
  if (change.added_routers > 0) {
    const auto at = std::find(change.router_to_old.begin(), change.router_to_old.end(), NetworkChange::kGone);
    gained = now.router_name(RouterId(static_cast<std::uint32_t>(at - change.router_to_old.begin())));
  } else if (change.added_terminals > 0) {
    const auto at =
        std::find(change.terminal_to_old.begin(), change.terminal_to_old.end(), NetworkChange::kGone);
    gained = now.terminal_name(TerminalId(static_cast<std::uint32_t>(at - change.terminal_to_old.begin())));
  } else if (!change.added_channels.empty()) {
    gained = "the channel " + now.channel_name(change.added_channels.front());
  } else {
    return;
  }
  throw InputError(fmt::format("{} was made for {}, of which {} is no part: it has {}", file, former.fabric,
                               fabric, gained));
}

/// What a solver finds without regard to what was before.
std::optional<Solution> solve_anew(const Problem& problem, const std::string& solver,
                                   std::uint32_t lower_bound, double seconds, const Common& common) {
  if (seconds <= 0) return std::nullopt;
  SolveOptions options;
  options.lower_bound = lower_bound;
  options.seed = common.seed;
  options.threads = common.threads;
  options.seconds = seconds;
  ProgressBar bar(common);
  return solve(problem, solver, options, bar);
}

std::string change_text(const ScheduleChange& change, std::uint32_t dropped) {
  return fmt::format("{} kept, {} rerouted in their steps, {} moved to others, {} dropped",
                     grouped(change.kept), grouped(change.rerouted), grouped(change.moved), grouped(dropped));
}

std::uint32_t lost_ways(const FormerTransfers& former) {
  std::uint32_t lost = 0;
  for (std::uint32_t m = 0; m < former.messages(); ++m) lost += former.intact(m) ? 0 : 1;
  return lost;
}

}  // namespace

void add_repair_options(CLI::App& app, RepairInput& input) {
  CLI::Option* const repair =
      app.add_option(
             "--repair", input.file,
             "File of a schedule that was valid before something failed: what is still possible stays in "
             "its step, the rest is sent another way")
          ->type_name("FILE");
  app.add_option("--made-for", input.made_for,
                 "Fabric that schedule was made for; without it what its file says, or FABRIC without --fail")
      ->type_name("FABRIC")
      ->needs(repair);
  app.add_flag("--repair-keep", input.keep,
               "Change nothing that is still possible, even where fewer steps would do")
      ->needs(repair);
}

Answer repair_command(const std::string& fabric, const RepairInput& repair, const CollectiveInput& input,
                      const SolveInput& solve, const ScheduleTarget& target, bool with_table,
                      const Common& common) {
  if (solve.steps > 0) throw InputError("--steps: with --repair the number of steps is what is sought");
  if (!solve.solver.empty()) {
    (void)find_solver(split_spec(solve.solver).name);
    if (solve.seconds <= 0)
      throw InputError("--solver: with --repair it looks for fewer steps within --limit SECONDS");
  }
  const Former former = load_former(fabric, repair, input, common);
  CollectiveCase given;
  given.network = load_collective_network(fabric, input, common);
  if (!input.faults.empty()) given.faults = with_seed(input.faults, common);
  const NetworkChange change = compare_networks(former.on.network, given.network);
  require_only_losses(repair.file, former, fabric, given.network, change);

  const Stopwatch all_time;
  const NodeGraph& before = *former.on.problem.graph;
  const auto after = std::make_shared<const NodeGraph>(given.network, graph_options(input, before));
  given.routing = routing_name(input);
  FaultImpact impact =
      fault_impact(former.on.problem, former.schedule, after, node_numbers(before, *after, change),
                   given.routing.empty() ? nullptr : load_routes(given.network, *after, input, common));
  given.problem = impact.problem;
  require_writable(target, given.problem);
  const LowerBound bound = lower_bound(given.problem);
  if (!check_bound(given.problem, bound))
    throw std::runtime_error("the proof of the lower bound does not hold");
  const Stopwatch time;
  RepairedSchedule made;
  {
    ProgressBar bar(common);
    made = repair_schedule(
        impact,
        {.lower_bound = bound.steps, .keep_all = repair.keep, .seed = common.seed, .seconds = solve.seconds},
        bar);
  }
  const double seconds = time.seconds();

  Json document;
  ScheduleText text;
  add_case(document, fabric, given);
  if (!given.faults.empty()) text.lines.emplace_back("failed", given.faults);
  if (!given.routing.empty()) text.lines.emplace_back("routes", given.routing);
  add_bound(given.problem, bound, document, text);
  const std::uint32_t repaired_steps = made.schedule.step_count();
  const std::string solver = solve.solver.empty() ? "auto" : solve.solver;
  std::uint32_t fewest = bound.steps;
  std::string found_by = "repair";
  std::optional<Solution> anew;
  const Stopwatch anew_time;
  if (repaired_steps > bound.steps && solve.seconds > 0) {
    anew = solve_anew(given.problem, solver, bound.steps, solve.seconds - all_time.seconds(), common);
    if (anew && anew->fewest > fewest) {
      fewest = anew->fewest;
      raise_bound(fewest, solver, document, text);
    }
  }
  const double anew_seconds = anew_time.seconds();
  const bool fewer = anew && anew->conflicts == 0 && anew->steps < repaired_steps;
  if (fewer && !repair.keep) {
    made.schedule = std::move(anew->schedule);
    made.change = change_of(given.problem, impact.former, made.schedule);
    found_by = solver;
  }
  const std::uint32_t steps = made.schedule.step_count();
  const ScheduleVerdict verdict = check_schedule(given.problem, made.schedule);
  if (!verdict.valid()) throw std::runtime_error("the repaired schedule does not pass the checker");
  const std::uint32_t lost = lost_ways(impact.former);

  document["solver"] = found_by;
  document["steps"] = steps;
  document["valid"] = true;
  document["proven_optimal"] = steps == fewest;
  document["transfers"] = verdict.transfers;
  document["hops"] = verdict.hops;
  document["seconds"] = seconds;
  document["repair"] = {{"file", repair.file},
                        {"made_for", former.fabric},
                        {"steps_before", former.schedule.step_count()},
                        {"steps", repaired_steps},
                        {"lost", lost},
                        {"kept", made.change.kept},
                        {"rerouted", made.change.rerouted},
                        {"moved", made.change.moved},
                        {"dropped", impact.dropped}};
  text.lines.emplace_back("before", fmt::format("{} steps; {} transfers have lost their way",
                                                former.schedule.step_count(), grouped(lost)));
  text.lines.emplace_back("after", change_text(made.change, impact.dropped));
  text.lines.emplace_back("steps", steps_text(steps, fewest));
  text.lines.emplace_back("valid", "yes, as checked: " + transfers_text(verdict));
  text.lines.emplace_back("repaired", fmt::format("{} steps, in {:.2f} s", repaired_steps, seconds));
  if (anew) {
    document["anew"] = {{"solver", solver},
                        {"steps", anew->conflicts == 0 ? Json(anew->steps) : Json()},
                        {"seconds", anew_seconds},
                        {"taken", fewer && !repair.keep}};
    text.lines.emplace_back(
        "anew", fewer ? fmt::format("{} steps by {}, in {:.2f} s{}", anew->steps, solver, anew_seconds,
                                    repair.keep ? "; without --repair-keep it would be taken" : ": taken")
                      : fmt::format("no fewer steps by {}, in {:.2f} s", solver, anew_seconds));
  }
  ScheduleDocument result = document_of(given.problem, fabric, std::move(made.schedule));
  result.faults = given.faults;
  write_schedule(target, result, given, common, fewest);
  if (with_table) text.table = schedule_table(result);
  if (target.file == "-") return {kYes};  // standard output is taken
  return report_answer(kYes, fabric, given, std::move(document), text, common);
}

}  // namespace unknot::cli
