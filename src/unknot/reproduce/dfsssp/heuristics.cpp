// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>

#include "unknot/reproduce/compare.hpp"
#include "unknot/reproduce/dfsssp/paper.hpp"
#include "unknot/reproduce/experiments.hpp"
#include "unknot/reproduce/network_set.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

using namespace dfsssp_paper;

struct Rule {
  const char* name;
  const char* said;  // in the paper
  double low, high;  // lanes, as printed
};
constexpr std::array<Rule, 4> kRules = {
    {{"weakest", "weakest edge", 3, 5},
     {"first", "first discovered edge, the first on the stack", 4, 8},
     {"closing", "first discovered edge, the one that closes the cycle", 4, 8},
     {"heaviest", "heaviest edge", 4, 16}}};

struct Reading {
  const char* name;
  std::uint32_t terminals;
  bool published;  // rule alone; else our default around it
};
constexpr std::array<Reading, 3> kReadings = {{{"a tree for each endpoint", 1024, true},
                                               {"a tree for each switch", 64, true},
                                               {"a tree for each endpoint, unknot's default", 1024, false}}};

std::string engine_of(const Reading& reading, const Rule& rule) {
  return reading.published ? as_published(rule.name) : fmt::format("dfsssp:rule={}", rule.name);
}

Reproduction run_dfsssp_heuristics(const ExperimentRequest& request, Progress& progress) {
  const std::uint32_t networks = request.parameters.number32("networks");
  constexpr std::size_t kCases = kReadings.size() * kRules.size();
  std::array<std::vector<std::uint32_t>, kCases> lanes;
  for (auto& counts : lanes) counts.resize(networks);
  for_each_case(networks, request.threads, "networks", progress, [&](std::uint32_t i, Progress& inner) {
    for (std::size_t r = 0; r < kReadings.size(); ++r) {
      const Network network = make_network(fmt::format("random:switches=64,links=128,terminals={},seed={}",
                                                       kReadings[r].terminals, request.seed + i));
      for (std::size_t k = 0; k < kRules.size(); ++k) {
        lanes[r * kRules.size() + k][i] =
            lanes_needed(network, engine_of(kReadings[r], kRules[k]), request.seed, inner);
      }
    }
  });

  Reproduction result;
  result.title = "Virtual lanes by heuristic, random networks of 64 switches";
  result.text = {
      fmt::format("64 switches, 1024 endpoints (16 a switch), 128 cables, {} networks: "
                  "`random:switches=64,links=128,terminals=1024,seed={}..{}`. Lanes needed before any are "
                  "used for balance.",
                  networks, request.seed, request.seed + networks - 1),
      "The paper says neither how it drew its networks nor whether it grows a tree for each endpoint (as "
      "OpenSM does) or for each switch. Both are computed; a tree for each switch is one endpoint a switch "
      "(`terminals=64`). The default of `unknot` also moves paths out of the last lanes and rebuilds half of "
      "the trees. \"First discovered edge of a cycle\" can be read in two ways; both are computed."};
  Plot plot{.name = "lanes",
            .title = "Lanes needed, 64 switches, 128 cables (bars: least to greatest)",
            .x_label = "",
            .y_label = "virtual lanes"};
  for (const Rule& rule : kRules) plot.groups.emplace_back(rule.name);
  Series printed{"paper (middle of its range)", {}};
  for (std::size_t k = 0; k < kRules.size(); ++k) {
    printed.points.push_back(
        {static_cast<double>(k), (kRules[k].low + kRules[k].high) / 2, kRules[k].low, kRules[k].high});
  }
  plot.series.push_back(std::move(printed));
  for (std::size_t r = 0; r < kReadings.size(); ++r) {
    Series series{kReadings[r].name, {}};
    std::array<double, kRules.size()> mean{};
    for (std::size_t k = 0; k < kRules.size(); ++k) {
      const Spread spread = spread_of(lanes[r * kRules.size() + k]);
      mean[k] = spread.mean;
      series.points.push_back({static_cast<double>(k), spread.mean, spread.least, spread.greatest});
      result.rows.push_back(compare(
          fmt::format("{}, {}", kRules[k].said, kReadings[r].name),
          Quantity::range(kRules[k].low, kRules[k].high), spread.quantity(), Wanted::lower, 0,
          {.why = "One lane more than the paper's range. Its minimum of 3 was not met on any network of any "
                  "generator tried; with a tree for each switch, which the paper may mean, the range is met.",
           .low = kRules[k].low,
           .high = kRules[k].high + 1}));
    }
    result.rows.push_back(
        claim(fmt::format("ranking of the means, {}", kReadings[r].name), "weakest < first < heaviest",
              fmt::format("{:.2f}, {:.2f} and {:.2f}, {:.2f}", mean[0], mean[1], mean[2], mean[3]),
              mean[0] < mean[1] && mean[1] < mean[3], "weakest < first on the stack < heaviest"));
    plot.series.push_back(std::move(series));
  }
  result.plots.push_back(std::move(plot));
  return result;
}

}  // namespace

Experiment dfsssp_heuristics_experiment() {
  return {.name = "dfsssp-heuristics",
          .summary = "virtual lanes by the rule that breaks cycles, random networks of 64 switches",
          .paper = dfsssp_paper::kPaper,
          .place = "section IV",
          .typical_seconds = 10,
          .quick = "networks=8",
          .parameters = {networks_parameter("100")},
          .run = run_dfsssp_heuristics};
}

}  // namespace unknot
