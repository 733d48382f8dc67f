// SPDX-License-Identifier: Apache-2.0
// Figures 12 and 13: measurements on Deimos, by the congestion model.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "unknot/engines/catalogue.hpp"
#include "unknot/load/congestion.hpp"
#include "unknot/reproduce/compare.hpp"
#include "unknot/reproduce/dfsssp/jobs.hpp"
#include "unknot/reproduce/dfsssp/paper.hpp"
#include "unknot/reproduce/experiments.hpp"
#include "unknot/reproduce/network_set.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

using namespace dfsssp_paper;

constexpr std::array<const char*, 3> kNames = {"MinHop", "LASH", "DFSSSP"};
constexpr std::size_t kMinHop = 0;
constexpr std::size_t kDfsssp = 2;

constexpr const char* kModelled =
    "The print has measurements on the machine; ours is the congestion model for the same pattern on a "
    "network like Deimos: every flow takes its one path, a cable is shared equally by the flows on it, and "
    "carries 946 MiB/s. Node allocations were not printed: nodes are drawn at random, the mean over the "
    "allocations is given.";

constexpr const char* kWhy =
    "The gain in print is MinHop's imbalance on the cables between the switches of the real machine, which "
    "unprinted cabling and node numbering decide. In the model it follows the reading: with 10 cables "
    "together it grows with the job as printed, at a third to a fifth of the size; where MinHop's counters "
    "happen to spread destinations as evenly as DFSSSP it vanishes. The model leaves out head-of-line "
    "blocking, which punishes imbalance further.";

Routing routed(const Network& network, std::size_t algorithm, std::uint64_t seed, Progress& progress) {
  const std::array<std::string, 3> engines = {"minhop", kLash, as_published("weakest")};
  EngineRequest request;
  request.virtual_lanes = kMaxLanes;
  request.seed = seed;
  request.threads = 1;
  return route(network, engines.at(algorithm), request, progress);
}

/// A random half of a job's processes sends to the other, each to one.
std::vector<Step> random_bisections(std::uint32_t processes, std::uint32_t samples, std::uint64_t seed) {
  std::vector<Step> steps(samples);
  std::vector<std::uint32_t> order(processes);
  for (std::uint32_t s = 0; s < samples; ++s) {
    for (std::uint32_t p = 0; p < processes; ++p) order[p] = p;
    Random random(seed, s);
    random.shuffle(order);
    for (std::uint32_t p = 0; p < processes / 2; ++p)
      steps[s].emplace_back(order[p], order[processes / 2 + p]);
  }
  return steps;
}

struct Scale {
  std::uint32_t cores, nodes;
  double gain;  // of DFSSSP over MinHop in the print, percent; 0: not printed
};
constexpr std::array<Scale, 4> kScales = {{{128, 128, 27}, {256, 256, 47}, {512, 512, 100}, {1024, 250, 0}}};

/// Mean over allocations of `measure(network, routing, job)`, by [reading][scale][algorithm].
template <std::size_t kCount, class Measure>
std::vector<std::array<std::array<double, 3>, kCount>> over_allocations(
    const std::array<Scale, kCount>& scales, const ExperimentRequest& request, Progress& progress,
    const Measure& measure) {
  const std::uint32_t allocations = request.parameters.number32("allocations");
  const auto readings = static_cast<std::uint32_t>(deimos_readings().size());
  std::vector<double> values(std::size_t{readings} * allocations * kCount * 3);
  for_each_case(readings * allocations, request.threads, "allocations", progress,
                [&](std::uint32_t i, Progress& inner) {
                  const Network network = make_network(deimos_readings()[i / allocations].spec);
                  for (std::size_t a = 0; a < kNames.size(); ++a) {
                    const Routing routing = routed(network, a, request.seed, inner);
                    for (std::size_t s = 0; s < kCount; ++s) {
                      const auto job = random_job(network, scales[s].cores, scales[s].nodes,
                                                  request.seed + i % allocations);
                      values[(std::size_t{i} * kCount + s) * 3 + a] = measure(network, routing, job, inner);
                    }
                  }
                });
  std::vector<std::array<std::array<double, 3>, kCount>> means(readings);
  for (std::uint32_t i = 0; i < readings * allocations; ++i) {
    for (std::size_t s = 0; s < kCount; ++s) {
      for (std::size_t a = 0; a < 3; ++a) {
        means[i / allocations][s][a] += values[(std::size_t{i} * kCount + s) * 3 + a] / allocations;
      }
    }
  }
  return means;
}

ReproducedRow modelled(ReproducedRow row) {
  row.modelled = true;
  return row;
}

Reproduction run_netgauge(const ExperimentRequest& request, Progress& progress) {
  const std::uint32_t samples = request.parameters.number32("samples");
  const auto means = over_allocations(
      kScales, request, progress,
      [&](const Network& network, const Routing& routing, const std::vector<TerminalId>& job,
          Progress& inner) {
        const TrafficPattern pattern = job_pattern(
            job, random_bisections(static_cast<std::uint32_t>(job.size()), samples, request.seed));
        return kPeakMib * congestion(network, routing, pattern, samples, request.seed, 1, inner)
                              .effective_bisection_bandwidth;
      });
  Reproduction result;
  result.title = "Effective bisection bandwidth measured on Deimos, modelled";
  result.text = {
      kModelled,
      fmt::format(
          "Netgauge: processes in random halves, matched at random, {} matchings for each of {} allocations. "
          "Up to 512 cores one core a node, 1024 on 250 nodes. Printed are gains of DFSSSP over MinHop and "
          "their absolute size, 69.7 to 79.3 MiB/s for a pair for 128 to 512 cores.",
          samples, request.parameters.number("allocations"))};
  for (std::size_t d = 0; d < means.size(); ++d) {
    const char* name = deimos_readings()[d].name;
    ReproducedTable table{
        fmt::format("{}: MiB/s for a pair", name), {"cores", "MinHop", "LASH", "DFSSSP"}, {}};
    Plot plot{.name = fmt::format("netgauge-{}", d + 1),
              .title = name,
              .x_label = "cores",
              .y_label = "MiB/s for a pair (modelled)",
              .log_x = true};
    for (const char* algorithm : kNames) plot.series.push_back({algorithm, {}});
    for (std::size_t s = 0; s < kScales.size(); ++s) {
      const auto& rate = means[d][s];
      table.lines.push_back({std::to_string(kScales[s].cores), fmt::format("{:.1f}", rate[0]),
                             fmt::format("{:.1f}", rate[1]), fmt::format("{:.1f}", rate[2])});
      for (std::size_t a = 0; a < 3; ++a) {
        plot.series[a].points.push_back({static_cast<double>(kScales[s].cores), rate[a], {}, {}});
      }
      if (kScales[s].gain == 0) continue;
      constexpr double kTolerance = 10;
      result.rows.push_back(
          modelled(compare(fmt::format("{} cores, DFSSSP over MinHop; {}", kScales[s].cores, name),
                           Quantity::number(kScales[s].gain, 0, "%"),
                           Quantity::number(100 * (rate[kDfsssp] / rate[kMinHop] - 1), 1, "%"),
                           Wanted::higher, kTolerance, {.why = kWhy, .low = -5, .high = 100})));
    }
    for (std::size_t a = 0; a < 3; ++a) {
      result.rows.push_back(modelled(
          claim(fmt::format("{} from 128 to 512 cores; {}", kNames.at(a), name), "bandwidth decreases",
                fmt::format("{:.0f}, {:.0f}, {:.0f} MiB/s", means[d][0][a], means[d][1][a], means[d][2][a]),
                means[d][0][a] > means[d][1][a] && means[d][1][a] > means[d][2][a], "less at each size")));
    }
    result.tables.push_back(std::move(table));
    result.plots.push_back(std::move(plot));
  }
  return result;
}

constexpr std::array<Scale, 1> kAllToAll = {{{128, 128, 0}}};

Reproduction run_all_to_all(const ExperimentRequest& request, Progress& progress) {
  constexpr double kMessageMib = 4096.0 * 4 / (1024 * 1024);  // floats for each partner
  const auto means =
      over_allocations(kAllToAll, request, progress,
                       [&](const Network& network, const Routing& routing, const std::vector<TerminalId>& job,
                           Progress& inner) {
                         const auto processes = static_cast<std::uint32_t>(job.size());
                         const Congestion steps =
                             congestion(network, routing, job_pattern(job, pairwise_all_to_all(processes)),
                                        processes - 1, request.seed, 1, inner);
                         return 1e3 * steps.max_congestion * steps.samples * kMessageMib / kPeakMib;
                       });
  Reproduction result;
  result.title = "MPI all-to-all measured on Deimos, modelled";
  result.text = {kModelled, kReadingsText,
                 fmt::format("BenchIT's all-to-all on 128 cores, one on a node, 4096 floats for each partner "
                             "(254 MiB in all): 127 steps, in step s process i sends to i + s, each step as "
                             "long as its busiest cable needs; {} allocations.",
                             request.parameters.number("allocations"))};
  ReproducedTable table{"Time of one all-to-all", {"network", "MinHop", "LASH", "DFSSSP"}, {}};
  Plot plot{.name = "all-to-all",
            .title = "All-to-all, 128 processes, 4096 floats (modelled)",
            .x_label = "",
            .y_label = "milliseconds"};
  for (const char* algorithm : kNames) plot.series.push_back({algorithm, {}});
  for (std::size_t d = 0; d < means.size(); ++d) {
    const char* name = deimos_readings()[d].name;
    const auto& time = means[d][0];
    constexpr double kTolerance = 0.3;
    const auto add = [&](std::size_t algorithm, double printed) {
      result.rows.push_back(modelled(
          compare(fmt::format("{}; {}", kNames.at(algorithm), name), Quantity::number(printed, 2, " ms"),
                  Quantity::number(time[algorithm], 2, " ms"), Wanted::same, kTolerance * printed,
                  {.why = "More than 30% from the measured time: cabling and allocation decide how many "
                          "messages meet on the cables between the switches; for MinHop see the gain below.",
                   .low = printed / 4,
                   .high = printed * 4})));
    };
    add(kMinHop, 18.88);
    add(kDfsssp, 10.06);
    result.rows.push_back(
        modelled(compare(fmt::format("time that DFSSSP saves; {}", name), Quantity::number(46.7, 1, "%"),
                         Quantity::number(100 * (1 - time[kDfsssp] / time[kMinHop]), 1, "%"), Wanted::higher,
                         10, {.why = kWhy, .low = -20, .high = 46.7})));
    plot.groups.emplace_back(name);
    for (std::size_t a = 0; a < 3; ++a)
      plot.series[a].points.push_back({static_cast<double>(d), time[a], {}, {}});
    table.lines.push_back({name, fmt::format("{:.2f} ms", time[0]), fmt::format("{:.2f} ms", time[1]),
                           fmt::format("{:.2f} ms", time[2])});
  }
  result.tables.push_back(std::move(table));
  result.plots.push_back(std::move(plot));
  return result;
}

Parameter allocations_parameter(const char* fallback) {
  return {.name = "allocations",
          .help = "random sets of nodes, of which the mean is given",
          .fallback = fallback,
          .min = 1,
          .max = 100000};
}

}  // namespace

Experiment dfsssp_figure12_experiment() {
  Parameter samples = samples_parameter();
  samples.fallback = "100";
  samples.help = "random matchings for each allocation";
  return {.name = "dfsssp-figure12",
          .summary = "Netgauge's bandwidth on Deimos, 128 to 1024 cores, modelled",
          .paper = dfsssp_paper::kPaper,
          .place = "figure 12",
          .typical_seconds = 10,
          .quick = "allocations=2,samples=10",
          .parameters = {allocations_parameter("20"), samples},
          .run = run_netgauge};
}

Experiment dfsssp_figure13_experiment() {
  return {.name = "dfsssp-figure13",
          .summary = "time of an all-to-all on 128 cores of Deimos, modelled",
          .paper = dfsssp_paper::kPaper,
          .place = "figure 13",
          .typical_seconds = 5,
          .quick = "allocations=2",
          .parameters = {allocations_parameter("50")},
          .run = run_all_to_all};
}

}  // namespace unknot
