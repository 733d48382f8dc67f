// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "unknot/bounds/adversary/adversary.hpp"
#include "unknot/bounds/adversary/channel_shares.hpp"
#include "unknot/oblivious/oblivious_load.hpp"
#include "unknot/reproduce/compare.hpp"
#include "unknot/reproduce/diameter2/paper.hpp"
#include "unknot/reproduce/experiments.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"

namespace unknot {
namespace {

struct Case {
  const char* label;
  const char* full;               ///< as simulated in the paper
  const char* quick;              ///< a small one of the family
  std::uint32_t terminals_share;  ///< the worst case loads a channel with this many terminals: 2p, h or k
  std::uint32_t quick_share;
  const char* formula;
  double published_worst;    ///< accepted load under the worst case, minimal routing
  double published_uniform;  ///< simulated saturation, minimal routing
};
constexpr Case kCases[] = {
    {"Slim Fly, rounded down", "slimfly:q=13,p=9", "slimfly:q=5,p=3", 18, 6, "1/(2p)", 0.05, 0.96},
    {"Slim Fly, rounded up", "slimfly:q=13,p=10", "slimfly:q=5,p=4", 20, 8, "1/(2p)", 0.05, 0.87},
    {"MLFM", "mlfm:15", "mlfm:4", 15, 4, "1/h", 0.066, 0.96},
    {"OFT", "oft:12", "oft:4", 12, 4, "1/k", 0.083, 0.96},
};

Reproduction run_diameter2_worst_cases(const ExperimentRequest& request, Progress& progress) {
  const bool small = request.parameters.flag("small");
  Reproduction result;
  result.title = "Worst-case traffic";
  result.text = {
      "Largest accepted load by channel loads, all shortest paths evenly used, and Valiant's routing. The "
      "worst case is "
      "the pattern `worst-case`: for the MLFM and the OFT each router to the next one; for the Slim Fly "
      "disjoint "
      "paths A-B-C-D of routers, A and C, B and D exchanging, each pair with a single common neighbour. "
      "Beside it what "
      "no permutation goes beyond: maximum-weight matchings for the channels, with their duals (`unknot "
      "adversary`).",
      "The paper's uniform figures come from its simulator; a bound by channel loads must not be below "
      "them."};
  ReproducedTable table{.title = "Saturation by channel loads",
                        .headings = {"network", "uniform, minimal", "uniform, Valiant", "worst case, minimal",
                                     "worst case, Valiant"},
                        .lines = {}};
  progress.begin("networks", std::size(kCases));
  for (std::size_t i = 0; i < std::size(kCases); ++i) {
    const Case& one = kCases[i];
    const std::string spec = small ? one.quick : one.full;
    const double wanted = 1.0 / (small ? one.quick_share : one.terminals_share);
    const Network network = make_network(spec);
    const RouterDemand uniform = RouterDemand::uniform(network);
    const RouterDemand worst =
        RouterDemand::of_pattern(network, make_pattern(network, "worst-case"), request.seed);
    const auto saturation = [&](ObliviousPaths paths, const RouterDemand& demand) {
      return oblivious_load(network, paths, demand, request.threads, progress).saturation;
    };
    const double minimal = saturation(ObliviousPaths::minimal, uniform);
    const double minimal_worst = saturation(ObliviousPaths::minimal, worst);
    const auto shares = oblivious_shares(network, ObliviousPaths::minimal, request.threads);
    AdversaryOptions options;
    options.seed = request.seed;
    options.threads = request.threads;
    const Adversary adversary = find_adversary(network, *shares, options, progress);
    result.rows.push_back(
        compare(fmt::format("{}, {}: worst case, minimal, {}", one.label, spec, one.formula),
                small ? Quantity::number(wanted, 4).derived() : Quantity::number(one.published_worst, 3),
                Quantity::number(minimal_worst, 4), Wanted::same, 0.006));
    result.rows.push_back(
        claim(fmt::format("{}, {}: no permutation is worse", one.label, spec),
              fmt::format("{} a channel at most", one.formula),
              fmt::format("a channel carries {:.0f} terminals, at most {:.0f} under any permutation",
                          1 / minimal_worst, adversary.upper),
              adversary.exact() && adversary.upper <= 1 / minimal_worst * (1 + 1e-9), ""));
    if (!small) {
      result.rows.push_back(claim(fmt::format("{}, {}: uniform, minimal", one.label, spec),
                                  fmt::format("{:.2f} simulated", one.published_uniform),
                                  fmt::format("at most {:.4f}", minimal), minimal >= one.published_uniform,
                                  "no less"));
    }
    table.lines.push_back({spec, fmt::format("{:.4f}", minimal),
                           fmt::format("{:.4f}", saturation(ObliviousPaths::valiant, uniform)),
                           fmt::format("{:.4f}", minimal_worst),
                           fmt::format("{:.4f}", saturation(ObliviousPaths::valiant, worst))});
    progress.update(i + 1);
  }
  result.tables.push_back(std::move(table));
  return result;
}

}  // namespace

Experiment diameter2_worst_cases_experiment() {
  return {.name = "diameter2-worst-cases",
          .summary = "saturation under uniform and worst-case traffic by channel loads, worst cases proven",
          .paper = diameter2_paper::kPaper,
          .place = "sections 4.2 and 4.3",
          .typical_seconds = 5,
          .quick = "small",
          .parameters = {{.name = "small",
                          .kind = ParameterKind::flag,
                          .help = "networks of about a hundred endpoints",
                          .fallback = "0"}},
          .run = run_diameter2_worst_cases};
}

}  // namespace unknot
