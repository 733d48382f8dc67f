// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "unknot/reproduce/compare.hpp"
#include "unknot/reproduce/diameter2/paper.hpp"
#include "unknot/reproduce/diameter2/simulated.hpp"
#include "unknot/reproduce/experiments.hpp"

namespace unknot {
namespace {

using namespace diameter2_paper;

const std::vector<double> kUniformMinimal = {0.2, 0.5, 0.8, 0.86, 0.88, 0.90, 0.92, 0.94, 0.96, 0.98, 1.0};
const std::vector<double> kIndirect = {0.1, 0.3, 0.42, 0.44, 0.46, 0.48, 0.50, 0.7, 1.0};
const std::vector<double> kWorstMinimal = {0.02, 0.04, 0.045, 0.05, 0.055, 0.06, 0.065,
                                           0.07, 0.08, 0.085, 0.1,  0.3,   1.0};

enum ObliviousRun : std::size_t { kUniMin, kUniInr, kWorstMin, kWorstInr, kKinds };

/// The paper's own time where throughput is read off: 200 us at full load.
constexpr double kPaperMeasure = 200;
constexpr std::size_t kMlfm = 2;  // in kSimulatedNetworks

struct Curves {
  std::vector<LoadCurve> all;  ///< kKinds of each network

  [[nodiscard]] const LoadCurve& of(std::size_t network, ObliviousRun which) const {
    return all[network * kKinds + which];
  }
  [[nodiscard]] std::vector<LoadCurve> with(const char* pattern) const {
    std::vector<LoadCurve> some;
    std::copy_if(all.begin(), all.end(), std::back_inserter(some),
                 [&](const LoadCurve& curve) { return curve.point.traffic == pattern; });
    return some;
  }
};

Curves make_curves(const ExperimentRequest& request) {
  const bool small = request.parameters.flag("small");
  const std::uint32_t every = request.parameters.number32("every");
  Curves curves;
  for (const SimulatedNetwork& network : kSimulatedNetworks) {
    const auto add = [&](const char* routing, const simulate::AdaptiveChoice& choice, const char* pattern,
                         const std::vector<double>& loads) {
      curves.all.push_back({.name = fmt::format("{} {}", network.label, routing),
                            .point = {.network = network.spec(small),
                                      .choice = choice,
                                      .traffic = pattern,
                                      .assignments = time_settings(request.parameters),
                                      .seed = request.seed},
                            .loads = thinned(loads, every)});
    };
    add("MIN", minimal_choice(network), "uniform", kUniformMinimal);
    add("INR", valiant_choice(network), "uniform", kIndirect);
    add("MIN", minimal_choice(network), "worst-case", kWorstMinimal);
    add("INR", valiant_choice(network), "worst-case", kIndirect);
  }
  return curves;
}

/// The four uniform plateaus once more, as long as the paper measured; then that of the MLFM without speedup.
std::vector<PointResult> headlines(const ExperimentRequest& request, Progress& progress) {
  std::vector<SimulatedPoint> points;
  for (const LoadCurve& curve : make_curves(request).with("uniform")) {
    if (curve.point.choice.kind != simulate::RoutePlan::Kind::minimal) continue;
    points.push_back(curve.point);
    points.back().load = 1;
    points.back().assignments = time_settings(request.parameters, kPaperMeasure);
  }
  points.push_back(points[kMlfm]);
  points.back().assignments = time_settings(request.parameters);
  points.back().assignments.emplace_back("speedup=1");
  return simulate_points(points, request, progress);
}

const char* const kTenWhy =
    "Uniform traffic loads the busiest channels of this network 1.095 times as much as a terminal, so that "
    "no "
    "routing by shortest paths accepts more than 0.9132 in the long run; this one comes that far. The "
    "printed 87 % is "
    "the last load with a steady state, in the next row: where latency begins to grow, not what is accepted "
    "beyond.";

const char* const kFullWhy =
    "Switches with speedup 2 lose next to nothing at full load in 200 us. The printed 96 % are, as for p = "
    "10, "
    "the last load with a steady state, in the next row.";

void add_network_rows(const SimulatedNetwork& network, std::size_t index, const Curves& curves,
                      double plateau_long, std::vector<ReproducedRow>& rows) {
  const bool ten = network.uniform_bound < 1;
  const auto label = [&](const char* what) { return fmt::format("{}: {}", network.label, what); };
  const Quantity published = ten ? Quantity::number(0.87, 2) : Quantity::range(0.96, 0.98, 2);
  const double half_low = ten ? 0.435 : 0.48;
  const double half_high = ten ? 0.435 : 0.49;
  rows.push_back(compare(label("uniform, MIN, accepted at full load"), published,
                         Quantity::number(plateau_long, 3), Wanted::same, 0.015,
                         {ten ? kTenWhy : kFullWhy, ten ? 0.88 : 0.96, network.uniform_bound}));
  const LoadCurve& minimal = curves.of(index, kUniMin);
  rows.push_back(compare(label("uniform, MIN, last steady load"), published,
                         Quantity::number(last_steady_load(minimal), 2), Wanted::same, 0.02));
  const Quantity half = Quantity::range(half_low, half_high, 3).derived();
  const char* const inr_why =
      "Half of what shortest paths accept at full load is what this run comes to; the paper's half is of its "
      "own, "
      "smaller value.";
  const Explained inr_explained{ten ? inr_why : "", 0.44, 0.4566};
  rows.push_back(compare(label("uniform, INR, accepted at full load"), half,
                         Quantity::number(plateau(curves.of(index, kUniInr)), 3), Wanted::same, 0.015,
                         inr_explained));
  rows.push_back(compare(label("worst case, INR, accepted at full load"), half,
                         Quantity::number(plateau(curves.of(index, kWorstInr)), 3), Wanted::same, 0.015,
                         inr_explained));
  for (const ObliviousRun which : {kUniInr, kWorstInr}) {
    rows.push_back(compare(
        label(which == kUniInr ? "uniform, INR, last steady load" : "worst case, INR, last steady load"),
        half, Quantity::number(last_steady_load(curves.of(index, which)), 2), Wanted::same, 0.02));
  }
  const double worst = network.worst_bound(false);
  rows.push_back(
      compare(label(fmt::format("worst case, MIN, accepted at full load, {}", network.worst_formula).c_str()),
              Quantity::number(worst, 4).derived(), Quantity::number(plateau(curves.of(index, kWorstMin)), 4),
              Wanted::same, 0.001));
  const PointResult& direct = *result_at(minimal, minimal.loads.front());
  const PointResult& detour = curves.of(index, kUniInr).results.front();
  constexpr double kMore = 1.4;
  rows.push_back(claim(label("latency at the lowest load, INR beside MIN"), "increases accordingly",
                       fmt::format("{:.0f} ns beside {:.0f} ns ({:.2f} times)", detour.latency,
                                   direct.latency, detour.latency / direct.latency),
                       detour.latency > kMore * direct.latency, fmt::format("more than {:g} times", kMore)));
}

Reproduction run_diameter2_oblivious(const ExperimentRequest& request, Progress& progress) {
  const bool small = request.parameters.flag("small");
  Reproduction result;
  result.title = "Oblivious routing, simulated";
  result.text = {model_text(), fmt::format("Each point: {:g} us of warm-up, {:g} us measured; the full load "
                                           "of uniform traffic under MIN once more "
                                           "with the paper's {:g} us. *Accepted* is what arrives while "
                                           "measuring, as a share of the link rate, mean of "
                                           "all terminals. The paper does not say what its saturation point "
                                           "is. Here stand both the accepted load where "
                                           "terminals send all the time, as the paper's do, and the last "
                                           "load of the sweep up to which there is "
                                           "a steady state: latency and packets in flight neither grow by "
                                           "more than 10 % while measuring, nor are more "
                                           "than 5 % of the packets left over. At full load every output is "
                                           "offered exactly what it can take, and queues "
                                           "grow with the square root of time: what is accepted rises from "
                                           "0.994 in 30 us to 0.998 in 200 on the first network.",
                                           request.parameters.real("warmup"),
                                           request.parameters.real("measure"), kPaperMeasure)};
  Curves curves = make_curves(request);
  simulate_curves(curves.all, request, progress);
  const std::vector<PointResult> full = small ? std::vector<PointResult>() : headlines(request, progress);
  for (std::size_t n = 0; n < kSimulatedNetworks.size(); ++n) {
    const SimulatedNetwork& network = kSimulatedNetworks[n];
    if (!small) {
      add_network_rows(network, n, curves, full[n].accepted, result.rows);
      continue;
    }
    for (const std::size_t which : {kUniMin, kUniInr, kWorstMin, kWorstInr}) {
      const LoadCurve& curve = curves.of(n, static_cast<ObliviousRun>(which));
      result.rows.push_back(
          shown(fmt::format("{}, {}: accepted at full load", curve.name, curve.point.traffic),
                Quantity::number(plateau(curve), 3)));
    }
  }
  if (!small) {
    result.rows.push_back(shown(
        "MLFM: uniform, MIN, accepted at full load, speedup 1", Quantity::number(full.back().accepted, 3),
        "A queue in order of arrival that crosses no faster than its link: head-of-line blocking (2 - "
        "sqrt(2) = "
        "0.586 for a large switch, Karol et al. 1987). The paper's switch was not like that."));
  }
  result.rows.push_back(deadlock_row(curves.all));
  const std::vector<LoadCurve> uniform = curves.with("uniform");
  const std::vector<LoadCurve> worst = curves.with("worst-case");
  result.tables.push_back(curve_table("Uniform traffic", uniform));
  result.tables.push_back(curve_table("Worst-case traffic", worst));
  result.plots.push_back(throughput_plot("uniform", "Figure 6a: uniform traffic", uniform));
  result.plots.push_back(latency_plot("uniform-latency", "Uniform traffic", uniform));
  result.plots.push_back(throughput_plot("worst-case", "Figure 6b: worst-case traffic", worst));
  result.plots.push_back(latency_plot("worst-case-latency", "Worst-case traffic", worst));
  return result;
}

}  // namespace

Experiment diameter2_oblivious_experiment() {
  return {.name = "diameter2-oblivious",
          .summary = "MIN and INR under uniform and worst-case traffic, simulated packet by packet",
          .paper = diameter2_paper::kPaper,
          .place = "Figure 6",
          .typical_seconds = 600,
          .quick = "small,warmup=1,measure=2,every=6",
          .parameters = simulated_parameters("30"),
          .resumable = true,
          .run = run_diameter2_oblivious};
}

}  // namespace unknot
