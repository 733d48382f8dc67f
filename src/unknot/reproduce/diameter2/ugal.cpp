// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "unknot/reproduce/compare.hpp"
#include "unknot/reproduce/diameter2/paper.hpp"
#include "unknot/reproduce/diameter2/simulated.hpp"
#include "unknot/reproduce/experiments.hpp"

namespace unknot {
namespace {

using namespace diameter2_paper;

constexpr double kThreshold = 0.10;
const std::vector<double> kUniform = {0.3, 0.5, 0.7, 0.8, 0.9, 1.0};
const std::vector<double> kWorst = {0.05, 0.1, 0.3, 0.45, 0.5, 1.0};

/// A configuration of UGAL: candidates n_I and penalty c or c_SF.
struct Configuration {
  std::uint32_t indirect;
  double penalty;
};
/// The middling one is first.
constexpr std::array<Configuration, 5> kSlimFly = {{{4, 1}, {1, 1}, {8, 1}, {4, 0.5}, {4, 2}}};
constexpr std::array<Configuration, 5> kOthers = {{{4, 2}, {1, 2}, {8, 2}, {4, 1}, {4, 4}}};
constexpr std::size_t kConfigurations = kSlimFly.size();

struct Study {
  const SimulatedNetwork* network;
  std::array<Configuration, kConfigurations> configurations;
  std::vector<LoadCurve> curves;  ///< by configuration: plain uniform, plain worst, threshold uniform, worst

  enum UgalRun : std::size_t { kPlainUniform, kPlainWorst, kThresholdUniform, kThresholdWorst, kKinds };
  [[nodiscard]] const LoadCurve& of(std::size_t configuration, UgalRun which) const {
    return curves[configuration * kKinds + which];
  }
  [[nodiscard]] std::vector<LoadCurve> all(UgalRun which) const {
    std::vector<LoadCurve> some;
    for (std::size_t c = 0; c < kConfigurations; ++c) some.push_back(of(c, which));
    return some;
  }
};
using UgalRun = Study::UgalRun;

std::string ugal_name(const SimulatedNetwork& network, const Configuration& configuration, bool threshold) {
  return fmt::format("n_I={} {}={:g}{}", configuration.indirect, network.slim_fly ? "c_SF" : "c",
                     configuration.penalty, threshold ? " T=10%" : "");
}

Study make_study(const SimulatedNetwork& network, const ExperimentRequest& request) {
  Study study{&network, network.slim_fly ? kSlimFly : kOthers, {}};
  const std::uint32_t every = request.parameters.number32("every");
  for (const Configuration& configuration : study.configurations) {
    for (const bool threshold : {false, true}) {
      for (const bool worst : {false, true}) {
        study.curves.push_back(
            {.name = ugal_name(network, configuration, threshold) + (worst ? " WC" : " UNI"),
             .point = {.network = network.spec(request.parameters.flag("small")),
                       .choice = ugal_choice(network, configuration.indirect, configuration.penalty,
                                             threshold ? kThreshold : 0),
                       .traffic = worst ? "worst-case" : "uniform",
                       .assignments = time_settings(request.parameters),
                       .seed = request.seed},
             .loads = thinned(worst ? kWorst : kUniform, every)});
      }
    }
  }
  return study;
}

double best_plateau(const Study& study, UgalRun which) {
  double best = 0;
  for (std::size_t c = 0; c < kConfigurations; ++c) best = std::max(best, plateau(study.of(c, which)));
  return best;
}

/// Accepted loads at full load, of each configuration.
std::string plateaus(const Study& study, UgalRun which) {
  std::string text;
  for (std::size_t c = 0; c < kConfigurations; ++c) {
    text += fmt::format("{}{:.3f}", c == 0 ? "" : ", ", plateau(study.of(c, which)));
  }
  return text;
}

constexpr double kHigh = 0.8;  // a load that the text calls high
constexpr double kLow = 0.1;   // and one that it calls low

double latency_at(const LoadCurve& curve, double load) {
  const PointResult* const result = result_at(curve, load);
  return result == nullptr ? 0 : result->latency;
}

std::string latencies(const Study& study, UgalRun which, double load) {
  std::string text;
  for (std::size_t c = 0; c < kConfigurations; ++c) {
    text += fmt::format("{}{:.0f}", c == 0 ? "" : ", ", latency_at(study.of(c, which), load));
  }
  return text + " ns";
}

void add_ugal_rows(const Study& study, const PointResult& minimal, const PointResult& indirect,
                   std::string_view family, std::vector<ReproducedRow>& rows) {
  const auto label = [&](const char* what) { return fmt::format("{}: {}", family, what); };
  const double uniform = best_plateau(study, UgalRun::kPlainUniform);
  const double worst = best_plateau(study, UgalRun::kPlainWorst);
  rows.push_back(
      claim(label("uniform, accepted at full load, best beside MIN"), "matches minimal routing",
            fmt::format("{:.3f} beside {:.3f}", uniform, minimal.accepted), uniform > 0.98 * minimal.accepted,
            "more than 0.98 of MIN",
            "No configuration here comes as far as MIN at full load: part of the packets takes the longer "
            "way as soon as queues build up."));
  rows.push_back(
      claim(label("worst case, accepted at full load, best beside INR"),
            study.network->slim_fly ? "exceeds INR" : "the level of INR",
            fmt::format("{:.3f} beside {:.3f}", worst, indirect.accepted),
            study.network->slim_fly ? worst > indirect.accepted : worst > 0.95 * indirect.accepted,
            study.network->slim_fly ? "more than INR" : "more than 0.95 of INR",
            "UGAL with local queues loses some of the worst case to minimal paths whose congestion "
            "it sees late."));
  const auto plain_worst = [&](std::size_t c) { return plateau(study.of(c, UgalRun::kPlainWorst)); };
  // Configurations 1, 0, 2 have n_I = 1, 4, 8; 3, 0, 4 have a rising penalty.
  if (study.network->slim_fly) {
    rows.push_back(
        claim(label("worst case, more candidates (n_I = 1, 4, 8)"), "slightly more throughput",
              fmt::format("{:.3f}, {:.3f}, {:.3f}", plain_worst(1), plain_worst(0), plain_worst(2)),
              plain_worst(2) > plain_worst(1) && plain_worst(0) > plain_worst(1), "4 and 8 more than 1",
              "Within what a short measurement tells apart, more candidates change nothing here."));
  } else {
    double least = 1;
    for (std::size_t c = 0; c < kConfigurations; ++c) least = std::min(least, plain_worst(c));
    rows.push_back(claim(
        label("worst case, all configurations"), "reaches the level of INR",
        plateaus(study, UgalRun::kPlainWorst), least > 0.9 * indirect.accepted, "each more than 0.9 of INR",
        family.substr(0, 4) == "MLFM"
            ? "With one candidate it does. An intermediate router of the source's own column is "
              "reached by any of h outputs, so that the shortest of their queues mostly beats every "
              "other candidate's; from there the packet goes by the router in between that the "
              "minimal path takes too. One candidate in 17 is such a router at h = 15; of four, at "
              "least one is with probability 0.21, which alone limits the load to 1/(15 * 0.21) = "
              "0.32, of eight with 0.38. How the paper draws candidates is not printed."
            : "Not all of these configurations do."));
  }
  const auto uniform_latency = [&](std::size_t c) {
    return latency_at(study.of(c, UgalRun::kPlainUniform), kHigh);
  };
  if (uniform_latency(0) > 0) {
    rows.push_back(claim(
        label("uniform at 0.8, latency with a rising penalty"), "falls with the penalty",
        fmt::format("{:.0f}, {:.0f}, {:.0f} ns", uniform_latency(3), uniform_latency(0), uniform_latency(4)),
        uniform_latency(3) >= uniform_latency(0) && uniform_latency(0) >= uniform_latency(4), "no rise",
        "The order is not kept by all of these configurations."));
    const std::string candidates = label("uniform at 0.8, latency with more candidates (n_I = 1, 4, 8)");
    const std::string latencies =
        fmt::format("{:.0f}, {:.0f}, {:.0f} ns", uniform_latency(1), uniform_latency(0), uniform_latency(2));
    const bool mlfm = family.substr(0, 4) == "MLFM";
    if (study.network->slim_fly) {
      rows.push_back(shown(candidates, Quantity::words(latencies)));
    } else {
      rows.push_back(
          claim(candidates, mlfm ? "falls with n_I" : "lowest with few candidates", latencies,
                mlfm ? uniform_latency(2) < uniform_latency(1) : uniform_latency(1) < uniform_latency(2),
                mlfm ? "less with 8 than with 1" : "less with 1 than with 8",
                "With more candidates the best of them is more often empty, and is taken more often: that "
                "holds on every network here. What the paper saw on the MLFM is the opposite of what "
                "it saw on the OFT."));
    }
    double plain = 0, threshold = 0;
    for (std::size_t c = 0; c < kConfigurations; ++c) {
      plain = std::max(plain, uniform_latency(c));
      threshold = std::max(threshold, latency_at(study.of(c, UgalRun::kThresholdUniform), kHigh));
    }
    rows.push_back(claim(
        label("uniform at 0.8, worst latency of all, with and without threshold"),
        "the threshold keeps it low",
        fmt::format("{:.0f} ns with, {:.0f} ns without, MIN {:.0f} ns", threshold, plain, minimal.latency),
        threshold <= plain, "no higher than without"));
  }
  const double low_plain = latency_at(study.of(0, UgalRun::kPlainWorst), kLow);
  const double low_threshold = latency_at(study.of(0, UgalRun::kThresholdWorst), kLow);
  if (low_plain > 0) {
    rows.push_back(claim(
        label("worst case at 0.1, latency with and without threshold"), "higher with the threshold",
        fmt::format("{:.0f} ns with, {:.0f} ns without", low_threshold, low_plain), low_threshold > low_plain,
        "higher", "At this load the minimal queues stay below the threshold."));
  }
}

/// Shows what the configurations do, without a verdict.
void show_rows(const Study& study, std::string_view family, std::vector<ReproducedRow>& rows) {
  const auto row = [&](const char* what, UgalRun which) {
    rows.push_back(shown(fmt::format("{}: {}", family, what), Quantity::words(plateaus(study, which))));
  };
  row("uniform, accepted at full load", UgalRun::kPlainUniform);
  row("worst case, accepted at full load", UgalRun::kPlainWorst);
  row("uniform, accepted at full load, threshold", UgalRun::kThresholdUniform);
  row("worst case, accepted at full load, threshold", UgalRun::kThresholdWorst);
}

/// MIN under uniform traffic at full and at high load, and INR under the worst case at full load.
std::vector<PointResult> references(const SimulatedNetwork& network, const ExperimentRequest& request,
                                    Progress& progress) {
  std::vector<SimulatedPoint> points;
  const auto add = [&](const simulate::AdaptiveChoice& choice, const char* traffic, double load) {
    points.push_back({.network = network.spec(request.parameters.flag("small")),
                      .choice = choice,
                      .traffic = traffic,
                      .load = load,
                      .assignments = time_settings(request.parameters),
                      .seed = request.seed});
  };
  add(minimal_choice(network), "uniform", 1);
  add(minimal_choice(network), "uniform", kHigh);
  add(valiant_choice(network), "worst-case", 1);
  return simulate_points(points, request, progress);
}

Reproduction run(std::size_t index, const char* family, const ExperimentRequest& request,
                 Progress& progress) {
  const SimulatedNetwork& network = kSimulatedNetworks[index];
  Study study = make_study(network, request);
  std::vector<PointResult> known = references(network, request, progress);
  simulate_curves(study.curves, request, progress);
  Reproduction result;
  result.title = fmt::format("Adaptive routing on the {}, simulated", network.slim_fly ? "Slim Fly" : family);
  result.text = {
      model_text(),
      fmt::format(
          "{0}-A is UGAL-L: of the minimal path and n_I random indirect ones that with the smallest queue at "
          "its "
          "first output, those of indirect paths times {1}. {0}-ATh goes minimally as long as at most 10 % "
          "of "
          "the output buffer is in use. The paper's text has no values of n_I and {2}; the sweep here is our "
          "choice. Each point: {3:g} us of warm-up, {4:g} us measured.",
          network.slim_fly ? "SF" : family, network.slim_fly ? "c_SF and the ratio of the lengths" : "c",
          network.slim_fly ? "c_SF" : "c", request.parameters.real("warmup"),
          request.parameters.real("measure")),
      "Lists in the rows are in the order " +
          [&] {
            std::string names;
            for (const Configuration& one : study.configurations) {
              names += (names.empty() ? "" : "; ") + ugal_name(network, one, false);
            }
            return names;
          }() +
          "."};
  if (request.parameters.flag("small")) {
    show_rows(study, family, result.rows);
  } else {
    // The latency of MIN stands beside those at high load.
    known[0].latency = known[1].latency;
    add_ugal_rows(study, known[0], known[2], family, result.rows);
    show_rows(study, family, result.rows);
    result.rows.push_back(shown(fmt::format("{}: uniform at 0.8, latency", family),
                                Quantity::words(latencies(study, UgalRun::kPlainUniform, kHigh))));
  }
  result.rows.push_back(deadlock_row(study.curves));
  const std::array<std::pair<const char*, UgalRun>, 4> parts = {
      {{"uniform", UgalRun::kPlainUniform},
       {"worst-case", UgalRun::kPlainWorst},
       {"uniform-threshold", UgalRun::kThresholdUniform},
       {"worst-case-threshold", UgalRun::kThresholdWorst}}};
  for (const auto& [name, which] : parts) {
    const std::vector<LoadCurve> curves = study.all(which);
    const std::string title = fmt::format("{}: {}", family, name);
    result.tables.push_back(curve_table(title, curves));
    result.plots.push_back(throughput_plot(name, title, curves));
    result.plots.push_back(latency_plot(fmt::format("{}-latency", name), title, curves));
  }
  return result;
}

Experiment make_experiment(const char* name, std::size_t index, const char* family, const char* place) {
  return {.name = name,
          .summary = fmt::format(
              "{}-A and {}-ATh under uniform and worst-case traffic, simulated: UGAL's parameters", family,
              family),
          .paper = diameter2_paper::kPaper,
          .place = place,
          .typical_seconds = 700,
          .quick = "small,warmup=1,measure=1,every=5",
          .parameters = simulated_parameters("20"),
          .resumable = true,
          .run = [index, family](const ExperimentRequest& request, Progress& progress) {
            return run(index, family, request, progress);
          }};
}

}  // namespace

Experiment diameter2_ugal_sf_experiment() {
  return make_experiment("diameter2-ugal-sf", 0, "SF", "Figures 7 and 8");
}
Experiment diameter2_ugal_mlfm_experiment() {
  return make_experiment("diameter2-ugal-mlfm", 2, "MLFM", "Figures 9 and 11");
}
Experiment diameter2_ugal_oft_experiment() {
  return make_experiment("diameter2-ugal-oft", 3, "OFT", "Figures 10 and 12");
}

}  // namespace unknot
