// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "unknot/evolve/run.hpp"
#include "unknot/reproduce/compare.hpp"
#include "unknot/reproduce/experiments.hpp"
#include "unknot/reproduce/jaros/paper.hpp"
#include "unknot/reproduce/jaros/tools.hpp"
#include "unknot/reproduce/kept_points.hpp"
#include "unknot/support/thread_clock.hpp"

namespace unknot {
namespace {

using namespace jaros_paper;

/// A bar of Figure 7.5.
struct Bar {
  Setting setting;
  struct Run {
    double milliseconds = 0;  ///< of a generation

    /// Calls visit(name, value) for every part as it stands in a file of finished points.
    template <class Result, class Visit>
    static void each_part(Result& result, Visit visit) {
      visit("milliseconds", result.milliseconds);
    }
  };
  std::vector<Run> runs;

  [[nodiscard]] double mean() const {
    double sum = 0;
    for (const Run& run : runs) sum += run.milliseconds;
    return sum / static_cast<double>(runs.size());
  }
  /// The least and the most.
  [[nodiscard]] std::pair<double, double> range() const {
    const auto [low, high] = std::minmax_element(
        runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.milliseconds < b.milliseconds; });
    return {low->milliseconds, high->milliseconds};
  }
};

std::vector<Bar> bars(const Parameters& p) {
  std::vector<Bar> all;
  for (std::uint32_t benchmark = 0; benchmark < kBenchmarks.size(); ++benchmark) {
    for (std::uint32_t tool = 0; tool < kTools.size(); ++tool) {
      if (tool == kMboa && p.number("mboa") == 0) continue;
      for (const std::uint32_t population : kPopulations) {
        all.push_back({{.benchmark = benchmark, .tool = tool, .population = population},
                       std::vector<Bar::Run>(p.number("runs"))});
      }
    }
  }
  return all;
}

std::uint64_t generations_of(const Bar& bar, const Parameters& p) {
  return p.number(bar.setting.tool == kMboa ? "mboa" : "generations");
}

Bar::Run time_run(const ExperimentRequest& request, const Bar& bar, std::uint32_t run, Progress& progress) {
  const double start = thread_seconds();
  const Tried found =
      run_setting(bar.setting, generations_of(bar, request.parameters), request.seed + run, progress);
  const double seconds = thread_seconds() - start;
  // A run that leaves no conflict ends before its generations do: those it made are counted.
  const std::uint32_t population = bar.setting.population;
  const std::uint32_t children = evolve::children_of({.population = population});
  const double made = static_cast<double>(found.evaluations - population) / children;
  constexpr double kMilli = 1e3;
  return {kMilli * seconds / std::max(1.0, made)};
}

void time_runs(const ExperimentRequest& request, std::vector<Bar>& all, Progress& progress) {
  keep_runs(
      all, request, progress,
      [&](const Bar& bar, std::uint32_t run) {
        const Benchmark& benchmark = kBenchmarks.at(bar.setting.benchmark);
        return fmt::format("time of {} in {} steps | {} | seed {} search {}", benchmark.collective,
                           benchmark.steps, tool_spec(bar.setting, generations_of(bar, request.parameters)),
                           request.seed + run, kSearchVersion);
      },
      [&](const Bar& bar, std::uint32_t run, Progress& inner) { return time_run(request, bar, run, inner); });
}

Plot time_plot(const std::vector<Bar>& all, std::uint32_t benchmark) {
  const bool scatter = benchmark == kAas;
  Plot plot{.name = scatter ? "7-5-aas" : "7-5-aab",
            .title = fmt::format("Figure 7.5: one generation of {}", kBenchmarks[benchmark].collective),
            .x_label = "population",
            .y_label = "milliseconds",
            .log_y = true,
            .timed = true};
  for (const std::uint32_t population : kPopulations) plot.groups.push_back(std::to_string(population));
  for (std::uint32_t tool = 0; tool < kTools.size(); ++tool) {
    Series series{kTools[tool], {}};
    for (const Bar& bar : all) {
      if (bar.setting.benchmark != benchmark || bar.setting.tool != tool) continue;
      const auto [low, high] = bar.range();
      series.points.push_back({static_cast<double>(series.points.size()), bar.mean(), low, high});
    }
    if (!series.points.empty()) plot.series.push_back(std::move(series));
  }
  return plot;
}

Reproduction run_jaros_speed(const ExperimentRequest& request, Progress& progress) {
  Reproduction result;
  result.title = "Time of one generation of three optimisers";
  const Parameters& p = request.parameters;
  result.text = {
      fmt::format("CPU milliseconds of a generation on the benchmarks of Figures 7.1 to 7.4 (hypercube of 16 "
                  "nodes, AAS in 8 and AAB in 3 steps), mutation 0.9, crossover 0.9: mean of {} runs of {} "
                  "generations (MBOA: {}), what is made before the first generation included. The thesis "
                  "measured 500,000 generations on a machine of 2008 (Opteron 275). Ours evaluates what "
                  "differs from the schedule before, so that generations become quicker when a population "
                  "agrees.",
                  p.number("runs"), p.number("generations"), p.number("mboa"))};
  std::vector<Bar> all = bars(p);
  time_runs(request, all, progress);
  const auto mean = [&](std::uint32_t benchmark, std::uint32_t tool, std::uint32_t population) {
    const auto it = std::find_if(all.begin(), all.end(), [&](const Bar& bar) {
      return bar.setting.benchmark == benchmark && bar.setting.tool == tool &&
             bar.setting.population == population;
    });
    if (it == all.end()) throw std::logic_error("a bar that was not measured");
    return it->mean();
  };
  constexpr std::uint32_t kUsual = 100;
  const std::string why =
      "Another program and machine. MBOA is timed over fewer generations, the first ones: while the members "
      "of a population differ its trees are large, and a generation takes longer than later on.";
  result.rows.push_back(
      compare("Equation 7.1: generation of AAB by umda, population 100", Quantity::number(8.4, 1, " ms"),
              Quantity::number(mean(kAab, kUmda, kUsual), 3, " ms"), Wanted::lower, 0, {.why = why}));
  const double sga = mean(kAas, kSga, kUsual), umda = mean(kAas, kUmda, kUsual);
  result.rows.push_back(
      compare("Figure 7.5: AAS by sga takes less than by umda", Quantity::range(30, 40, 0, " %"),
              Quantity::number(100 * (1 - sga / umda), 0, " %"), Wanted::higher, 0, {.why = why}));
  if (p.number("mboa") > 0) {
    result.rows.push_back(
        compare("Figure 7.5: AAS by mboa, times that by umda", Quantity{"nearly 100", 90, 100},
                Quantity::number(mean(kAas, kMboa, kUsual) / umda, 1), Wanted::lower, 0, {.why = why}));
  }
  result.rows.push_back(claim("Figure 7.5: AAB takes longer than AAS", "marked growth",
                              fmt::format("{:.2f} times by sga, {:.2f} times by umda",
                                          mean(kAab, kSga, kUsual) / sga, mean(kAab, kUmda, kUsual) / umda),
                              mean(kAab, kSga, kUsual) > sga && mean(kAab, kUmda, kUsual) > umda,
                              "longer by both", why));
  for (ReproducedRow& row : result.rows) row.timed = true;
  ReproducedTable table{.title = "Milliseconds of a generation",
                        .headings = {"pattern", "tool", "population", "mean", "least", "most"},
                        .lines = {},
                        .timed = true};
  for (const Bar& bar : all) {
    const auto [low, high] = bar.range();
    table.lines.push_back({kBenchmarks[bar.setting.benchmark].collective, kTools[bar.setting.tool],
                           std::to_string(bar.setting.population), fmt::format("{:.3f}", bar.mean()),
                           fmt::format("{:.3f}", low), fmt::format("{:.3f}", high)});
  }
  result.tables.push_back(std::move(table));
  for (std::uint32_t benchmark = 0; benchmark < kBenchmarks.size(); ++benchmark)
    result.plots.push_back(time_plot(all, benchmark));
  return result;
}

}  // namespace

Experiment jaros_speed_experiment() {
  return {.name = "collectives-speed",
          .summary = "time of a generation of SGA, MBOA and UMDA on a hypercube of 16 nodes",
          .paper = kThesis,
          .place = "Figure 7.5",
          .typical_seconds = 900,
          .quick = "runs=1,generations=2,mboa=0",
          .parameters = {{.name = "runs", .help = "of each bar", .fallback = "30", .min = 1, .max = 1000},
                         {.name = "generations", .help = "of a run", .fallback = "2000", .min = 1},
                         {.name = "mboa", .help = "the same for MBOA; 0: without it", .fallback = "100"}},
          .resumable = true,
          .run = run_jaros_speed};
}

}  // namespace unknot
