// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "unknot/collective/model/catalogue.hpp"
#include "unknot/collective/repair/schedule_repair.hpp"
#include "unknot/reproduce/experiments.hpp"
#include "unknot/reproduce/jaros/fault_cases.hpp"
#include "unknot/reproduce/jaros/paper.hpp"
#include "unknot/reproduce/network_set.hpp"
#include "unknot/support/thread_clock.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

using namespace jaros_paper;

/// A schedule for a whole network: the lowest node that will be left is the root.
struct Former {
  const char* spec;
  std::uint32_t pattern, root;
  Problem problem;
  Schedule schedule;
};

/// A repaired schedule.
struct Repaired {
  std::uint32_t steps = 0, steps_before = 0;
  LowerBound bound;
  ScheduleChange change;
  std::uint32_t dropped = 0, lost = 0;
  std::uint32_t steps_keeping = 0;  ///< where nothing else was changed
  double seconds = 0, bound_seconds = 0;
};

struct Fault : FaultCase {
  std::array<Repaired, 4> repaired;
};

std::uint32_t root_of(const FaultCase& fault, std::uint32_t pattern) {
  const bool lost = !fault.parts.routers.empty() && fault.parts.routers.front().value == 0;
  return lost && kPatterns[pattern][0] == 'O' ? 1 : 0;
}

Former make_former(const char* spec, std::uint32_t pattern, std::uint32_t root, std::uint64_t seed,
                   Progress& progress) {
  Participants who;
  if (kPatterns[pattern][0] == 'O') who.root = NodeId(root);
  Problem problem = make_collective(std::make_shared<NodeGraph>(make_network(spec)), kPatterns[pattern], who);
  SolveOptions options;
  options.lower_bound = lower_bound(problem).steps;
  options.seed = seed;
  options.threads = 1;
  Solution found = solve(problem, "auto:levels=2", options, progress);
  if (found.conflicts > 0) throw std::runtime_error("no schedule was found for a network without faults");
  return {spec, pattern, root, std::move(problem), std::move(found.schedule)};
}

Repaired repair(const Fault& fault, const Former& former, std::uint64_t seed, Progress& progress) {
  const Network before = make_network(fault.table->spec);
  const Network network = with_faults(before, fault.parts);
  const auto graph =
      std::make_shared<const NodeGraph>(network, NodeGraphOptions{.model = NodeModel::routers});
  Repaired result;
  const double start = thread_seconds();
  const FaultImpact impact =
      fault_impact(former.problem, former.schedule, graph,
                   node_numbers(*former.problem.graph, *graph, compare_networks(before, network)));
  const double after_impact = thread_seconds();
  result.bound = lower_bound(impact.problem);
  if (!check_bound(impact.problem, result.bound))
    throw std::runtime_error("the proof of the lower bound does not hold");
  const double after_bound = thread_seconds();
  const RepairedSchedule made =
      repair_schedule(impact, {.lower_bound = result.bound.steps, .seed = seed}, progress);
  result.seconds = after_impact - start + thread_seconds() - after_bound;
  result.bound_seconds = after_bound - after_impact;
  result.steps_keeping =
      repair_schedule(impact, {.lower_bound = result.bound.steps, .keep_all = true, .seed = seed}, progress)
          .schedule.step_count();
  result.steps = made.schedule.step_count();
  result.steps_before = former.schedule.step_count();
  result.change = made.change;
  result.dropped = impact.dropped;
  for (std::uint32_t m = 0; m < impact.former.messages(); ++m) result.lost += impact.former.intact(m) ? 0 : 1;
  return result;
}

void compare_table(const FaultTable& table, const std::vector<Fault>& faults,
                   const std::vector<std::uint32_t>& patterns, Reproduction& result) {
  for (const std::uint32_t pattern : patterns) {
    const auto add = [&](const std::string& what, std::uint32_t published, const Fault& fault) {
      const Repaired& repaired = fault.repaired[pattern];
      const std::string why = repaired.bound.steps > published
                                  ? fmt::format("No schedule has fewer than {} steps here, proven by {}.",
                                                repaired.bound.steps, repaired.bound.name)
                                  : "Within the effort of a repair; the thesis designed the schedule anew.";
      result.rows.push_back(compare(
          fmt::format("Table {}: {} on {}, {}", table.number, kPatterns[pattern], table.spec, what),
          Quantity::number(published), Quantity::number(repaired.steps), Wanted::lower, 0, {.why = why}));
    };
    const Fault* worst = nullptr;
    std::uint32_t others = 0;
    for (const Fault& fault : faults) {
      if (fault.table != &table || fault.whole()) continue;
      if (fault.row != nullptr) {
        add(fmt::format("without {}", fault.row->printed), fault.row->steps[pattern], fault);
        continue;
      }
      ++others;
      if (worst == nullptr || fault.repaired[pattern].steps > worst->repaired[pattern].steps) worst = &fault;
    }
    if (worst != nullptr)
      add(fmt::format("worst of {} others ({})", others, worst->name), table.others[pattern], *worst);
  }
}

std::vector<std::string> line_of(const Fault& fault, std::uint32_t pattern) {
  const Repaired& r = fault.repaired[pattern];
  return {fault.name,
          kPatterns[pattern],
          std::to_string(r.steps_before),
          std::to_string(r.steps),
          std::to_string(r.bound.steps),
          std::to_string(r.steps_keeping),
          std::to_string(r.lost),
          std::to_string(r.change.kept),
          std::to_string(r.change.rerouted),
          std::to_string(r.change.moved),
          std::to_string(r.dropped)};
}

std::vector<std::string> time_line(const FaultTable& table, const char* pattern, std::vector<double> seconds,
                                   std::vector<double> bound_seconds) {
  std::sort(seconds.begin(), seconds.end());
  std::sort(bound_seconds.begin(), bound_seconds.end());
  constexpr double kMilli = 1e3;
  const auto shown = [&](const std::vector<double>& values) {
    return std::pair(fmt::format("{:.2f}", kMilli * values[values.size() / 2]),
                     fmt::format("{:.2f}", kMilli * values.back()));
  };
  const auto [median, most] = shown(seconds);
  const auto [bound_median, bound_most] = shown(bound_seconds);
  return {table.number, pattern, std::to_string(seconds.size()), median, most, bound_median, bound_most};
}

Reproduction run_jaros_repair(const ExperimentRequest& request, Progress& progress) {
  Reproduction result;
  result.title = "Schedules repaired after a fault";
  const Parameters& p = request.parameters;
  result.text = {
      "For each fault of these tables: a schedule of the fewest steps for the whole network, made by solver "
      "auto, is repaired for what is left (`unknot schedule FABRIC --repair FILE --fail SPEC`). Transfers "
      "whose "
      "channels are all there stay as they were where that costs no step; the rest takes other paths or "
      "steps. "
      "The thesis designs each schedule anew, and speaks of 20 seconds on a machine of 2008. Node 0 is the "
      "root; "
      "where it fails itself, node 1, before and after.",
      kFaultNumbers, kFaultErrata,
      "In the tables: steps before, after, and proven to be needed; steps where nothing that is still "
      "possible is changed (`--repair-keep`); then transfers: those that have lost their way, and of the "
      "repaired schedule those that are as before, that take another path in the same step, and that are in "
      "another step; and messages that are dropped with their ends."};
  std::vector<Fault> faults;
  for (FaultCase& one : fault_cases(p.number("others"))) {
    if (!one.whole()) faults.push_back({std::move(one), {}});
  }
  const std::vector<std::uint32_t> patterns =
      p.text("patterns") == "one" ? std::vector<std::uint32_t>{0, 2} : std::vector<std::uint32_t>{0, 1, 2, 3};
  const auto each = static_cast<std::uint32_t>(patterns.size());

  std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, Former> formers;
  for (const Fault& fault : faults) {
    for (const std::uint32_t pattern : patterns) {
      const std::uint32_t root = root_of(fault, pattern);
      const std::tuple key(std::string(fault.table->spec), pattern, root);
      if (!formers.contains(key))
        formers.emplace(key, make_former(fault.table->spec, pattern, root, request.seed, progress));
    }
  }
  for_each_case(static_cast<std::uint32_t>(faults.size()) * each, request.threads, "repairs", progress,
                [&](std::uint32_t i, Progress& inner) {
                  Fault& fault = faults[i / each];
                  const std::uint32_t pattern = patterns[i % each];
                  const Former& former = formers.at({fault.table->spec, pattern, root_of(fault, pattern)});
                  fault.repaired[pattern] = repair(fault, former, request.seed, inner);
                });

  std::uint32_t optimal = 0;
  double most_seconds = 0;
  ReproducedTable times{.title = "CPU milliseconds of a repair, and of the lower bound that it begins at",
                        .headings = {"table", "collective", "faults", "repair, median", "repair, most",
                                     "bound, median", "bound, most"},
                        .lines = {},
                        .timed = true};
  for (const FaultTable& table : fault_tables()) {
    compare_table(table, faults, patterns, result);
    ReproducedTable lines{.title = fmt::format("Every fault of Table {}, our numbers", table.number),
                          .headings = {"fault", "collective", "before", "after", "at least", "keeping all",
                                       "lost", "kept", "rerouted", "moved", "dropped"},
                          .lines = {}};
    for (const std::uint32_t pattern : patterns) {
      std::vector<double> seconds, bound_seconds;
      for (const Fault& fault : faults) {
        if (fault.table != &table) continue;
        const Repaired& r = fault.repaired[pattern];
        lines.lines.push_back(line_of(fault, pattern));
        seconds.push_back(r.seconds);
        bound_seconds.push_back(r.bound_seconds);
        most_seconds = std::max(most_seconds, r.seconds + r.bound_seconds);
        optimal += r.steps == r.bound.steps ? 1 : 0;
      }
      times.lines.push_back(
          time_line(table, kPatterns[pattern], std::move(seconds), std::move(bound_seconds)));
    }
    result.tables.push_back(std::move(lines));
  }
  result.rows.push_back(shown("repaired schedules that are proven optimal",
                              Quantity::words(fmt::format("{} of {}", optimal, faults.size() * each))));
  ReproducedRow slowest =
      compare("CPU seconds of the slowest repair, bound included", Quantity::number(20, 0, " s"),
              Quantity::number(most_seconds, 3, " s"), Wanted::lower, 0, {.why = "Another machine."});
  slowest.timed = true;
  result.rows.push_back(std::move(slowest));
  result.tables.push_back(std::move(times));
  return result;
}

}  // namespace

Experiment jaros_repair_experiment() {
  return {.name = "collectives-repair",
          .summary = "schedules repaired after one link or node has failed, and how long that takes",
          .paper = kThesis,
          .place = "Tables 8.18 to 8.20",
          .typical_seconds = 15,
          .quick = "others=1,patterns=one",
          .parameters = {{.name = "others",
                          .help = "faults tried of those that the thesis does not name",
                          .fallback = "100"},
                         {.name = "patterns",
                          .kind = ParameterKind::text,
                          .help = "all four, or those with one source",
                          .fallback = "all",
                          .choices = {"all", "one"}}},
          .run = run_jaros_repair};
}

}  // namespace unknot
