// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "unknot/network/cuts/bisection.hpp"
#include "unknot/network/cuts/spectrum.hpp"
#include "unknot/reproduce/compare.hpp"
#include "unknot/reproduce/diameter2/paper.hpp"
#include "unknot/reproduce/experiments.hpp"
#include "unknot/reproduce/network_set.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

struct Cut {
  std::string family, spec;
  std::uint32_t terminals = 0;
  double upper = 0;              ///< best cut found, per endpoint
  std::optional<double> lower;   ///< proven
  double metis = 0, scotch = 0;  ///< what the libraries led to
};

void measure_bisection(Cut& cut, std::uint64_t seed) {
  const Network network = make_network(cut.spec);
  const auto found = bisection_upper_bound(network, {.threads = 1, .seed = seed});
  const auto bound = spectral_cut_bound(network, {.seed = seed});
  cut.terminals = network.terminal_count();
  cut.upper = found->per_terminal;
  if (bound) cut.lower = bound->per_terminal;
  const double half = cut.terminals / 2.0;
  cut.metis = found->by_metis / half;
  cut.scotch = found->by_scotch / half;
}

std::vector<Cut> all_cuts(std::uint32_t largest) {
  std::vector<Cut> cuts;
  const auto add = [&](const char* family, const std::string& spec) {
    if (network_size(spec).terminals > largest) return;
    Cut cut;
    cut.family = family;
    cut.spec = spec;
    cuts.push_back(std::move(cut));
  };
  for (const std::uint32_t q : {5U, 7U, 8U, 9U, 11U, 13U, 17U, 19U, 23U}) {
    add("SF, rounded down", fmt::format("slimfly:q={},p=floor", q));
    add("SF, rounded up", fmt::format("slimfly:q={},p=ceil", q));
  }
  for (const std::uint32_t h : {5U, 9U, 15U, 21U, 31U}) add("MLFM", fmt::format("mlfm:{}", h));
  for (const std::uint32_t k : {4U, 6U, 12U, 18U, 24U, 32U, 48U, 62U}) add("OFT", fmt::format("oft:{}", k));
  return cuts;
}

const Cut* last_of(const std::vector<Cut>& cuts, const std::string& family) {
  const Cut* last = nullptr;
  for (const Cut& cut : cuts) {
    if (cut.family == family) last = &cut;
  }
  return last;
}

const Cut* find(const std::vector<Cut>& cuts, const std::string& spec) {
  for (const Cut& cut : cuts) {
    if (cut.spec == spec) return &cut;
  }
  return nullptr;
}

/// Rows beside a published value, for networks that this run has.
void add_row(const std::string& label, const Cut* cut, double published, double tolerance,
             const Explained& why, std::vector<ReproducedRow>& rows) {
  if (cut == nullptr) return;
  rows.push_back(compare(fmt::format("{}, {} ({} endpoints)", label, cut->spec, cut->terminals),
                         Quantity::number(published, 2), Quantity::number(cut->upper, 3), Wanted::same,
                         tolerance, why));
}

/// The plot's series of that name, added where it is not there.
Series& series_of(Plot& plot, const std::string& name) {
  for (Series& series : plot.series) {
    if (series.name == name) return series;
  }
  return plot.series.emplace_back(Series{name, {}});
}

Reproduction run_diameter2_bisection(const ExperimentRequest& request, Progress& progress) {
  Reproduction result;
  result.title = "Bisection per endpoint";
  result.text = {
      "Cables between two halves of the endpoints, over the endpoints of one half. The paper takes what "
      "METIS finds, an "
      "upper bound of the bisection; here the least cut of METIS, Scotch and our own search, all evened out, "
      "and beside it "
      "a proven lower bound from the spectrum.",
      "The OFT's value grows slowly with its size: no cut of a k-OFT is below 1 - sqrt(k-1)/k, which tends "
      "to 1, and cuts "
      "are found a hundredth above that. The paper's 0.89 is not reached by k = 62 with 470 thousand "
      "endpoints (0.883 cut, "
      "0.874 proven), and is passed for certain from k = 83 on. At the size that the paper simulates, k = "
      "12, the value is "
      "0.74."};
  std::vector<Cut> cuts = all_cuts(request.parameters.number32("endpoints"));
  for_each_case(static_cast<std::uint32_t>(cuts.size()), request.threads, "networks", progress,
                [&](std::uint32_t i, Progress&) { measure_bisection(cuts[i], request.seed); });
  auto& rows = result.rows;
  add_row("Slim Fly, rounded down", find(cuts, "slimfly:q=13,p=floor"), 0.71, 0.02, {}, rows);
  add_row("Slim Fly, rounded up", find(cuts, "slimfly:q=13,p=ceil"), 0.67, 0.02, {}, rows);
  add_row("MLFM, largest here", last_of(cuts, "MLFM"), 0.5, 0.02,
          {.why = "Half the columns: 0.5 (1 + 1/h), more for smaller networks."}, rows);
  add_row("OFT, small", find(cuts, "oft:24"), 0.81, 0.02, {}, rows);
  add_row("OFT", last_of(cuts, "OFT"), 0.89, 0.01,
          {.why = "0.89 is the value of far larger networks, see above; this one has a smaller cut, which is "
                  "exhibited.",
           .low = 0.55,
           .high = 0.89},
          rows);
  add_row("OFT as simulated", find(cuts, "oft:12"), 0.89, 0.01,
          {.why = "0.89 is the value of far larger networks, see above; this one has a smaller cut, which is "
                  "exhibited.",
           .low = 0.72,
           .high = 0.75},
          rows);

  ReproducedTable table{.title = "Least cut known and proven lower bound, per endpoint",
                        .headings = {"family", "network", "endpoints", "cut", "at least", "METIS", "Scotch"},
                        .lines = {}};
  Plot plot{.name = "bisection",
            .title = "Bisection per endpoint",
            .x_label = "endpoints",
            .y_label = "cables cut / endpoints of a half",
            .log_x = true};
  for (const Cut& cut : cuts) {
    table.lines.push_back({cut.family, cut.spec, std::to_string(cut.terminals),
                           fmt::format("{:.4f}", cut.upper),
                           cut.lower ? fmt::format("{:.4f}", *cut.lower) : "",
                           fmt::format("{:.4f}", cut.metis), fmt::format("{:.4f}", cut.scotch)});
    series_of(plot, cut.family).points.push_back({static_cast<double>(cut.terminals), cut.upper, {}, {}});
  }
  result.tables.push_back(std::move(table));
  result.plots.push_back(std::move(plot));
  return result;
}

}  // namespace

Experiment diameter2_bisection_experiment() {
  return {.name = "diameter2-bisection",
          .summary = "bisection per endpoint of Slim Fly, MLFM and OFT, with lower bounds",
          .paper = diameter2_paper::kPaper,
          .place = "Figure 4",
          .typical_seconds = 120,
          .quick = "endpoints=400",
          .parameters =
              {{.name = "endpoints", .help = "of the largest network", .fallback = "480000", .min = 100}},
          .run = run_diameter2_bisection};
}

}  // namespace unknot
