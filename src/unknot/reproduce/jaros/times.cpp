// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <stdexcept>

#include "unknot/collective/model/catalogue.hpp"
#include "unknot/collective/solvers/solver.hpp"
#include "unknot/reproduce/compare.hpp"
#include "unknot/reproduce/experiments.hpp"
#include "unknot/reproduce/jaros/paper.hpp"
#include "unknot/reproduce/jaros/tools.hpp"
#include "unknot/support/thread_clock.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

using namespace jaros_paper;

constexpr std::uint32_t kSecond = 1, kMinute = 60, kHour = 3600, kDay = 86'400;

/// A row of Table 8.23: seconds by pattern; 0 stands for "less than a second".
struct TimesRow {
  const char* spec;
  std::array<std::uint32_t, 4> seconds;
};
constexpr std::array<TimesRow, 10> kTimes{{
    {"ring:8", {0, 5 * kMinute + 6, 0, 0}},
    {"uniring:8", {0, 57, 0, 0}},
    {"spidergon:8", {0, 2, 0, 0}},
    {"petersen", {0, 12, 0, 2}},
    {"kautz:b=3,n=2,oriented=1", {0, 23, 0, 3}},
    {"heawood", {0, 9 * kMinute + 17, 0, 5}},
    {"spidergon:16", {0, 22 * kMinute + 36, 3, kMinute + 41}},
    {"levi", {0, kDay + 6 * kHour, 3, 2 * kHour + 2 * kMinute}},
    {"hypercube:5", {0, 4 * kDay + 5 * kHour, 41, 28 * kMinute + 38}},
    {"kautz:b=3,n=3,oriented=1", {0, 3 * kDay + 5 * kHour, 20, 9 * kHour + 50 * kMinute}},
}};
/// The star of Table 8.10: twelve steps are reached by longer paths only.
constexpr const char* kNeedsLonger = "kautz:b=3,n=3,oriented=1";
constexpr std::uint32_t kLonger = 1;
/// Generations without anything better after which a population begins anew.
constexpr std::uint32_t kStall = 3000;

/// As the thesis prints it: its two largest units.
Quantity printed(std::uint32_t seconds) {
  if (seconds == 0) return {"<1s", 0, kSecond};
  std::string text;
  std::uint32_t rest = seconds;
  for (const auto& [unit, letter] :
       {std::pair{kDay, 'd'}, std::pair{kHour, 'h'}, std::pair{kMinute, 'm'}, std::pair{kSecond, 's'}}) {
    if (rest >= unit) text += fmt::format("{}{}", rest / unit, letter);
    rest %= unit;
  }
  return {text, seconds, seconds};
}

/// One cell and its runs.
struct Cell {
  const TimesRow* row = nullptr;
  std::uint32_t pattern = 0;
  std::uint32_t steps = 0;
  struct Run {
    bool success = false;
    std::uint64_t evaluations = 0;
    double seconds = 0;

    /// Calls visit(name, value) for every part as it stands in a file of finished points.
    template <class Result, class Visit>
    static void each_part(Result& result, Visit visit) {
      visit("success", result.success);
      visit("evaluations", result.evaluations);
      visit("seconds", result.seconds);
    }
  };
  std::vector<Run> runs;

  [[nodiscard]] std::string label() const {
    return fmt::format("Table 8.23: {} on {}, {} steps", kPatterns[pattern], row->spec, steps);
  }
  [[nodiscard]] std::uint32_t successes() const {
    return static_cast<std::uint32_t>(
        std::count_if(runs.begin(), runs.end(), [](const Run& run) { return run.success; }));
  }
  /// Of what successful runs took; there must be one.
  template <class Number>
  [[nodiscard]] double mean(Number Run::*part) const {
    double sum = 0;
    for (const Run& run : runs) sum += run.success ? static_cast<double>(run.*part) : 0;
    return sum / successes();
  }
};

/// Steps that the thesis's UMDA reached, of Tables 8.1 to 8.12.
const StepsRow& steps_of(const std::string& spec) {
  const auto it = std::find_if(steps_rows().begin(), steps_rows().end(),
                               [&](const StepsRow& row) { return row.spec == spec; });
  if (it == steps_rows().end()) throw std::logic_error("a network of Table 8.23 without steps");
  return *it;
}

std::vector<Cell> chosen_cells(const Parameters& p) {
  std::vector<Cell> cells;
  for (const TimesRow& row : kTimes) {
    const std::uint64_t nodes = network_size(row.spec).terminals;
    const StepsRow& steps = steps_of(row.spec);
    for (std::uint32_t pattern = 0; pattern < kPatterns.size(); ++pattern) {
      if ((kPatterns[pattern][0] == 'A' ? nodes : 1) * (nodes - 1) > p.number("messages")) continue;
      cells.push_back(
          {&row, pattern, steps.steps[pattern].front(), std::vector<Cell::Run>(p.number("runs"))});
    }
  }
  return cells;
}

Cell::Run run_cell(const ExperimentRequest& request, const Cell& cell, std::uint32_t run,
                   evolve::Checkpoint* kept, Progress& progress) {
  const double start = thread_seconds() - (kept == nullptr ? 0 : kept->seconds());
  const std::string spec = cell.row->spec;
  const Problem problem =
      make_collective(std::make_shared<NodeGraph>(make_network(spec)), kPatterns[cell.pattern]);
  const bool longer = spec == kNeedsLonger && cell.pattern == 0;
  const Search search{.generations = request.parameters.number("generations"),
                      .stall = kStall,
                      .seed = request.seed + run,
                      .checkpoint = kept};
  const Solution found = find_steps(problem, cell.steps, longer ? kLonger : 0, search, progress);
  return {found.conflicts == 0, found.evaluations, thread_seconds() - start};
}

void run_cells(const ExperimentRequest& request, std::vector<Cell>& cells, Progress& progress) {
  const auto key = [&](const Cell& cell, std::uint32_t run) {
    return fmt::format("{} | {} generations, stall {}, greedy {} | seed {} search {}", cell.label(),
                       request.parameters.number("generations"), kStall, kGreedy, request.seed + run,
                       kSearchVersion);
  };
  keep_long_runs(cells, request, progress, key,
                 [&](const Cell& cell, std::uint32_t run, evolve::Checkpoint* kept, Progress& inner) {
                   return run_cell(request, cell, run, kept, inner);
                 });
}

ReproducedRow row_of(const Cell& cell, const std::string& why) {
  const Quantity published = printed(cell.row->seconds[cell.pattern]);
  ReproducedRow row;
  if (cell.successes() == 0) {
    row = claim(cell.label(), published.text, fmt::format("found by none of {} runs", cell.runs.size()),
                false, "", why);
    row.wanted = Wanted::lower;
  } else {
    const double seconds = cell.mean(&Cell::Run::seconds);
    row = compare(cell.label(), published, {fmt::format("{:.2g}s", seconds), seconds, seconds}, Wanted::lower,
                  0, {.why = why});
  }
  row.timed = true;
  return row;
}

/// What no run has found, said before the table; "" where each problem was solved.
std::string missed_text(const std::vector<Cell>& cells) {
  std::string list;
  std::size_t missed = 0;
  for (const Cell& cell : cells) {
    if (cell.successes() > 0) continue;
    list += fmt::format("{}{} on {} in {} steps", list.empty() ? "" : "; ", kPatterns[cell.pattern],
                        cell.row->spec, cell.steps);
    ++missed;
  }
  if (missed == 0) return "";
  return fmt::format(
      "Of the {} problems here {} {} not solved: none of the {} runs found a schedule for {}. {} no time of "
      "ours.",
      cells.size(), missed, missed == 1 ? "was" : "were", cells.front().runs.size(), list,
      missed == 1 ? "It has" : "They have");
}

Reproduction run_jaros_times(const ExperimentRequest& request, Progress& progress) {
  Reproduction result;
  result.title = "Seconds that UMDA takes to find a schedule";
  const Parameters& p = request.parameters;
  result.text = {
      fmt::format(
          "Mean CPU seconds of the successful ones of {} runs, each for the number of steps that the thesis "
          "reached on that network (Tables 8.1 to 8.12), with population 100, mutation 0.9, half of the "
          "mutations to the step with the fewest conflicts, and at most {} generations; a population that "
          "has found nothing better for {} begins anew. First among schedules that are alike under the "
          "largest group of automorphisms that is found, then its subgroups, and last among all, with "
          "this many generations each; the seconds are those of all. The thesis averages five successful "
          "runs "
          "on a machine of 2008 (Opteron 275), and "
          "does not say how many failed.",
          p.number("runs"), p.number("generations"), kStall),
      "OAS on Kautz-36 in 12 steps takes paths one hop longer than shortest ones, all else shortest paths. "
      "Problems of more messages than the parameter `messages` are left out."};
  std::vector<Cell> cells = chosen_cells(p);
  run_cells(request, cells, progress);
  if (std::string missed = missed_text(cells); !missed.empty()) result.text.push_back(std::move(missed));
  const std::string why = fmt::format(
      "Within {} generations of each group. UMDA's population becomes copies of one schedule, from which "
      "only mutation "
      "leads away: AAS and AAB that leave hardly a channel idle take long, as in Tables 7.2 and 7.4. The "
      "thesis ran for up to days.",
      p.number("generations"));
  ReproducedTable table{.title = "Evaluations that a success needed, mean",
                        .headings = {"case", "successes", "evaluations"},
                        .lines = {}};
  for (const Cell& cell : cells) {
    result.rows.push_back(row_of(cell, why));
    table.lines.push_back(
        {cell.label(), fmt::format("{} of {}", cell.successes(), cell.runs.size()),
         cell.successes() == 0 ? "" : fmt::format("{:.0f}", cell.mean(&Cell::Run::evaluations))});
  }
  result.tables.push_back(std::move(table));
  return result;
}

}  // namespace

Experiment jaros_times_experiment() {
  return {
      .name = "collectives-times",
      .summary = "how long UMDA takes to reach the thesis's numbers of steps",
      .paper = kThesis,
      .place = "Table 8.23",
      .typical_seconds = 7200,
      .quick = "runs=2,generations=100,messages=14",
      .parameters = {{.name = "runs", .help = "of each cell", .fallback = "5", .min = 1, .max = 1000},
                     {.name = "generations", .help = "of a run at most", .fallback = "20000", .min = 1},
                     {.name = "messages", .help = "of the largest problem", .fallback = "2000", .min = 7}},
      .resumable = true,
      .run = run_jaros_times};
}

}  // namespace unknot
