// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "unknot/collective/model/catalogue.hpp"
#include "unknot/collective/solvers/solver.hpp"
#include "unknot/reproduce/compare.hpp"
#include "unknot/reproduce/experiments.hpp"
#include "unknot/reproduce/jaros/paper.hpp"
#include "unknot/reproduce/jaros/tools.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

using namespace jaros_paper;

constexpr std::uint32_t kSizes = 5;  // hypercubes of 8 to 128 nodes

/// One of Tables 7.1 to 7.4: percentages of ten runs by tool and size; 0 stands for a dash.
struct SuccessTable {
  const char* number;
  const char* collective;
  std::array<std::uint32_t, kSizes> steps;  ///< the fewest that the thesis aims at
  std::array<std::array<std::uint32_t, kSizes>, 3> rate;
};
constexpr std::array<SuccessTable, 4> kTables{
    {{"7.1",
      "OAS",
      {3, 4, 7, 11, 19},
      {{{100, 80, 70, 70, 70}, {100, 100, 100, 90, 80}, {100, 100, 100, 100, 90}}}},
     {"7.2", "AAS", {4, 9, 16, 32, 64}, {{{10, 0, 0, 0, 0}, {60, 30, 10, 0, 0}, {100, 40, 10, 0, 0}}}},
     {"7.3",
      "OAB",
      {2, 2, 2, 3, 3},
      {{{100, 100, 50, 50, 30}, {100, 100, 100, 70, 50}, {100, 100, 100, 90, 60}}}},
     {"7.4", "AAB", {3, 4, 7, 11, 19}, {{{70, 20, 0, 0, 0}, {100, 50, 10, 0, 0}, {100, 80, 40, 10, 0}}}}}};

/// Evaluations that a success of UMDA needed, where the text of section 7.4 says so.
struct Needed {
  const char* collective;
  std::uint32_t size;
  double evaluations;
};
constexpr std::array<Needed, 5> kNeeded{
    {{"AAS", 1, 2.2e6}, {"AAS", 2, 82e6}, {"AAB", 1, 1.85e6}, {"AAB", 2, 160e3}, {"AAB", 3, 64.6e6}}};

/// Generations without anything better after which a population begins anew. The thesis says nothing of it: a
/// population whose members have become copies of each other would wait for a mutation of many genes at once.
constexpr std::uint32_t kSuccessStall = 10'000;

/// All runs of one cell of a table.
struct Cell {
  std::uint32_t table = 0, tool = 0, size = 0;
  bool alike = false;  ///< one node's messages have genes, those of the others are their images
  std::vector<Tried> runs;
  [[nodiscard]] std::uint32_t successes() const {
    std::uint32_t count = 0;
    for (const Tried& run : runs) count += run.conflicts == 0 ? 1 : 0;
    return count;
  }
  [[nodiscard]] double rate() const { return 100.0 * successes() / static_cast<double>(runs.size()); }
  /// Mean over the runs that found a schedule.
  [[nodiscard]] double needed() const {
    double sum = 0;
    for (const Tried& run : runs) sum += run.conflicts == 0 ? static_cast<double>(run.evaluations) : 0;
    return sum / successes();
  }
  /// Standard error of that mean; 0 for one run.
  [[nodiscard]] double needed_error() const {
    const double mean = needed(), n = successes();
    double sum = 0;
    for (const Tried& run : runs) {
      const double off = static_cast<double>(run.evaluations) - mean;
      sum += run.conflicts == 0 ? off * off : 0;
    }
    return n < 2 ? 0 : std::sqrt(sum / (n - 1) / n);
  }
};

std::uint32_t nodes_of(std::uint32_t size) {
  return 8U << size;
}

/// The thesis aims at 9 for AAS on 16 nodes; the bound is 8.
std::uint32_t steps_of(const Cell& cell) {
  const SuccessTable& table = kTables[cell.table];
  const bool loose = std::string_view(table.collective) == "AAS" && nodes_of(cell.size) == 16;
  return table.steps[cell.size] - (loose && cell.alike ? 1 : 0);
}

std::string success_label(const Cell& cell) {
  const SuccessTable& table = kTables[cell.table];
  return fmt::format("Table {}: {}, {} nodes, {} steps, {}{}", table.number, table.collective,
                     nodes_of(cell.size), steps_of(cell), kTools[cell.tool], cell.alike ? ", alike" : "");
}

/// Genes of a chromosome.
std::uint64_t genes(std::uint32_t table, std::uint32_t size) {
  const bool all = kTables[table].collective[0] == 'A';
  return std::uint64_t{all ? nodes_of(size) : 1U} * (nodes_of(size) - 1);
}

std::vector<Cell> chosen_cells(const Parameters& p) {
  std::vector<Cell> cells;
  for (std::uint32_t table = 0; table < kTables.size(); ++table) {
    for (std::uint32_t size = 0; size < kSizes; ++size) {
      for (std::uint32_t tool = 0; tool < kTools.size(); ++tool) {
        const std::uint64_t all = p.number("genes");
        if (genes(table, size) > (tool == kMboa ? std::min(all, p.number("mboa")) : all)) continue;
        cells.push_back({table, tool, size, false, std::vector<Tried>(p.number("runs"))});
      }
    }
  }
  for (std::uint32_t table = 0; table < kTables.size(); ++table) {
    if (kTables[table].collective[0] != 'A') continue;
    for (std::uint32_t size = 0; size < kSizes; ++size) {
      for (std::uint32_t tool = 0; tool < kTools.size(); ++tool) {
        if (nodes_of(size) - 1 > (tool == kMboa ? p.number("mboa") : p.number("genes"))) continue;
        cells.push_back({table, tool, size, true, std::vector<Tried>(p.number("runs"))});
      }
    }
  }
  return cells;
}

/// The solver that a run of the cell calls.
std::string solver_of(const ExperimentRequest& request, const Cell& cell) {
  // Two thirds of the population are new in each generation, the first one apart.
  const std::uint64_t generations = std::max<std::uint64_t>(1, request.parameters.number("evaluations") / 67);
  std::string spec = tool_spec({.tool = cell.tool, .stall = kSuccessStall}, generations);
  if (cell.alike) spec += fmt::format(",symmetry={},greedy={}", nodes_of(cell.size), kGreedy);
  return spec;
}

Tried run_cell(const ExperimentRequest& request, const Cell& cell, std::uint32_t run,
               evolve::Checkpoint* kept, Progress& progress) {
  const SuccessTable& table = kTables[cell.table];
  const auto graph = std::make_shared<NodeGraph>(make_network(fmt::format("hypercube:{}", 3 + cell.size)));
  SolveOptions options;
  options.steps = steps_of(cell);
  options.seed = request.seed + run;
  options.threads = 1;
  options.checkpoint = kept;
  const Solution found =
      solve(make_collective(graph, table.collective), solver_of(request, cell), options, progress);
  return {found.conflicts, found.evaluations};
}

void run_cells(const ExperimentRequest& request, std::vector<Cell>& cells, Progress& progress) {
  const auto key = [&](const Cell& cell, std::uint32_t run) {
    return fmt::format("{} | {} | seed {} search {}", success_label(cell), solver_of(request, cell),
                       request.seed + run, kSearchVersion);
  };
  keep_long_runs(cells, request, progress, key,
                 [&](const Cell& cell, std::uint32_t run, evolve::Checkpoint* kept, Progress& inner) {
                   return run_cell(request, cell, run, kept, inner);
                 });
}

/// A panel of Figures 7.6 (scatters) and 7.7: evaluations over nodes, and what the text prints for UMDA.
Plot needed_plot(const std::vector<Cell>& cells, std::uint32_t table) {
  const std::string collective = kTables[table].collective;
  const bool scatter = collective.back() == 'S';
  Plot plot{.name = fmt::format("7-{}-{}", scatter ? 6 : 7, lower_case(collective)),
            .title = fmt::format("Figure 7.{}: {} on hypercubes", scatter ? 6 : 7, collective),
            .x_label = "nodes",
            .y_label = "evaluations that a success needed, mean",
            .log_x = true,
            .log_y = true};
  for (std::uint32_t tool = 0; tool < kTools.size(); ++tool) {
    Series series{kTools[tool], {}};
    for (const Cell& cell : cells) {
      if (cell.table == table && cell.tool == tool && !cell.alike && cell.successes() > 0)
        series.points.push_back({static_cast<double>(nodes_of(cell.size)), cell.needed(), {}, {}});
    }
    if (!series.points.empty()) plot.series.push_back(std::move(series));
  }
  Series alike{"umda, alike", {}};
  for (const Cell& cell : cells) {
    if (cell.table == table && cell.tool == kUmda && cell.alike && cell.successes() > 0)
      alike.points.push_back({static_cast<double>(nodes_of(cell.size)), cell.needed(), {}, {}});
  }
  if (!alike.points.empty()) plot.series.push_back(std::move(alike));
  Series printed{"umda, the thesis", {}};
  for (const Needed& needed : kNeeded) {
    if (needed.collective == collective)
      printed.points.push_back({static_cast<double>(nodes_of(needed.size)), needed.evaluations, {}, {}});
  }
  if (!printed.points.empty() && !plot.series.empty()) plot.series.push_back(std::move(printed));
  return plot;
}

/// What section 7.4 says about the tools in Figures 7.6a and 7.7a: evaluations of one as a share of those of
/// another, over the sizes that both solved.
void compare_tools(const std::vector<Cell>& cells, Reproduction& result) {
  const auto needed = [&](std::uint32_t table, std::uint32_t tool, std::uint32_t size) {
    for (const Cell& cell : cells) {
      if (cell.table == table && cell.tool == tool && cell.size == size && !cell.alike &&
          cell.successes() > 0)
        return cell.needed();
    }
    return 0.0;
  };
  const auto add = [&](const char* label, const char* printed, double published, std::uint32_t table,
                       std::uint32_t tool) {
    double sum = 0;
    std::uint32_t sizes = 0;
    for (std::uint32_t size = 0; size < kSizes; ++size) {
      const double ours = needed(table, tool, size), mboa = needed(table, kMboa, size);
      if (ours == 0 || mboa == 0) continue;
      sum += ours / mboa;
      ++sizes;
    }
    if (sizes == 0) return;
    result.rows.push_back(compare(
        label, Quantity{printed, published, published}, Quantity::number(sum / sizes, 2), Wanted::lower, 0,
        {.why =
             "On the small hypercubes that MBOA, which is slow, was run on, a schedule is often in the first "
             "population or near it: there the tools hardly differ."}));
  };
  add("Figure 7.6: evaluations of OAS by sga, beside mboa", "half (derived)", 0.5, 0, kSga);
  add("Figure 7.7: evaluations of OAB by umda, beside mboa", "a third (derived)", 1.0 / 3, 2, kUmda);
}

/// Which of the printed cells have no row, and why.
std::string left_out_text(const Parameters& p) {
  constexpr std::uint32_t kAab64 = 3;  // the size of the largest success that the thesis prints
  std::string text = fmt::format(
      "Left out are chromosomes of more than {} genes, and of more than {} for MBOA, which is slow.",
      p.number("genes"), p.number("mboa"));
  if (genes(3, kAab64) > p.number("genes")) {
    text += fmt::format(
        " So AAB on 64 nodes by plain UMDA as printed, one run in ten after 64.6 million evaluations, is in "
        "no row: with {} genes an evaluation takes some 0.17 ms of a processor, a run that long three hours "
        "and ten of them thirty. One was made, by `unknot schedule hypercube:6 --collective AAB --steps 11 "
        "--solver umda:population=100,mutation=0.9,stall=10000,tries=970149,generations=970149 --seed 1`: "
        "65,002,783 evaluations found no schedule. Of its populations, some 28 "
        "that began anew, the best was left with 1,146 conflicts. The row of that problem is the one with "
        "schedules that are alike; `collectives-success:genes={},evaluations=65000000` makes ten runs as "
        "printed.",
        genes(3, kAab64), genes(3, kAab64));
  }
  return text;
}

Reproduction run_jaros_success(const ExperimentRequest& request, Progress& progress) {
  Reproduction result;
  result.title = "Success rates of three optimisers on hypercubes";
  const std::uint64_t limit = request.parameters.number("evaluations");
  result.text = {
      fmt::format(
          "Each cell of Tables 7.1 to 7.4: the share of runs that find a schedule without conflict in the "
          "fewest steps the thesis aims at, with its settings (population 100, mutation 0.9, crossover 0.9, "
          "two thirds of the population replaced). {} runs, each of at most {} evaluations; the thesis ran "
          "ten, and does not say when it gave up. A population that has found nothing better for {} "
          "generations begins anew within its run. Every schedule found was checked.",
          request.parameters.number("runs"), limit, kSuccessStall),
      "The steps are those of the lower bound, but for AAS on 16 nodes, where the thesis takes 9 steps (its "
      "Table 8.1); the bound is 8.",
      fmt::format(
          "Beside these, the same tools on chromosomes in which the messages of one node alone have genes "
          "(\"alike\"): the others send what translations of the hypercube make of them, in the same steps, "
          "and "
          "channels are shared by orbit. The translations are found as automorphisms of the network, not "
          "told; {} of the mutations take the step with the fewest conflicts. AAS on 16 nodes is sought in 8 "
          "steps there.",
          kGreedy),
      left_out_text(request.parameters)};
  std::vector<Cell> cells = chosen_cells(request.parameters);
  run_cells(request, cells, progress);
  ReproducedTable table{
      .title = "Evaluations that a success needed, mean",
      .headings = {"pattern", "nodes", "tool", "successes", "evaluations", "standard error", "the thesis"},
      .lines = {}};
  const std::string within = fmt::format("Within {} evaluations a run.", limit);
  for (const Cell& cell : cells) {
    const SuccessTable& published = kTables[cell.table];
    const bool full =
        std::string_view(published.collective) == "AAS" && nodes_of(cell.size) >= 32 && !cell.alike;
    const std::string why =
        within +
        (full ? " In so few steps no channel is ever idle: a schedule with a handful of conflicts has "
                "hardly a change left that makes it better. The thesis's one run in ten took 82 "
                "million evaluations; see the row with schedules that are alike."
              : "");
    result.rows.push_back(compare(success_label(cell),
                                  Quantity::number(published.rate[cell.tool][cell.size], 0, "%"),
                                  Quantity::number(cell.rate(), 0, "%"), Wanted::higher, 0, {.why = why}));
    std::string thesis;
    for (const Needed& needed : kNeeded) {
      if (needed.size == cell.size && std::string_view(needed.collective) == published.collective &&
          cell.tool == kUmda) {
        thesis = fmt::format("{:.0f}", needed.evaluations);
        if (cell.successes() > 0) {
          result.rows.push_back(
              compare(fmt::format("Section 7.4: evaluations of {} on {} nodes, umda{}", published.collective,
                                  nodes_of(cell.size), cell.alike ? ", alike" : ""),
                      Quantity::number(needed.evaluations), Quantity::number(std::round(cell.needed())),
                      Wanted::lower, 2 * std::round(cell.needed_error()), {.why = why}));
        }
      }
    }
    table.lines.push_back({published.collective, std::to_string(nodes_of(cell.size)),
                           std::string(kTools[cell.tool]) + (cell.alike ? ", alike" : ""),
                           fmt::format("{} of {}", cell.successes(), cell.runs.size()),
                           cell.successes() == 0 ? "" : fmt::format("{:.0f}", cell.needed()),
                           cell.successes() < 2 ? "" : fmt::format("{:.0f}", cell.needed_error()), thesis});
  }
  result.tables.push_back(std::move(table));
  for (std::uint32_t i = 0; i < kTables.size(); ++i) {
    Plot plot = needed_plot(cells, i);
    if (!plot.series.empty()) result.plots.push_back(std::move(plot));
  }
  compare_tools(cells, result);
  return result;
}

}  // namespace

Experiment jaros_success_experiment() {
  return {
      .name = "collectives-success",
      .summary = "how often SGA, MBOA and UMDA find the fewest steps on hypercubes",
      .paper = kThesis,
      .place = "Tables 7.1 to 7.4, Figures 7.6 and 7.7",
      .typical_seconds = 1800,
      .quick = "runs=2,evaluations=20000,genes=15,mboa=15",
      .parameters = {{.name = "runs", .help = "of each cell", .fallback = "10", .min = 1, .max = 1000},
                     {.name = "evaluations", .help = "of a run at most", .fallback = "2000000", .min = 100},
                     {.name = "genes", .help = "of the largest chromosome", .fallback = "992", .min = 7},
                     {.name = "mboa", .help = "the same for MBOA, which is slow", .fallback = "15"}},
      .resumable = true,
      .run = run_jaros_success};
}

}  // namespace unknot
