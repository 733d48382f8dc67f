// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "unknot/angara/sssp.hpp"
#include "unknot/reproduce/angara/paper.hpp"
#include "unknot/reproduce/compare.hpp"
#include "unknot/reproduce/experiments.hpp"
#include "unknot/reproduce/network_set.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

using namespace angara_paper;

struct Calls {
  std::uint32_t nodes = 0;
  std::uint64_t grouped = 0;  ///< sort and group alone
  std::uint64_t unique = 0;   ///< unique routes first
};

/// Mean over the systems of each number of nodes.
Series by_nodes(const std::string& name, const std::vector<Calls>& all, std::uint64_t Calls::*which) {
  std::map<std::uint32_t, std::pair<double, double>> sums;
  for (const Calls& one : all) {
    sums[one.nodes].first += static_cast<double>(one.*which);
    sums[one.nodes].second += 1;
  }
  Series series{name, {}};
  for (const auto& [nodes, sum] : sums)
    series.points.push_back({static_cast<double>(nodes), sum.first / sum.second, {}, {}});
  return series;
}

Reproduction run_angara_calls(const ExperimentRequest& request, Progress& progress) {
  const std::uint32_t most = request.parameters.number32("systems");
  Reproduction result;
  result.title = "Calls of BUILD_SSSP";
  result.text = {
      "How often the SSSP algorithm searches from a source, with its second stage alone (sort and group) and "
      "with "
      "unique routes applied first. The paper draws the counts and names no number; its two statements are "
      "compared. "
      "Tori of sizes 2 to 8 of at most 447 nodes."};
  for (const std::uint32_t dimensions : {2U, 3U, 4U}) {
    const std::vector<Dimensions> tori = paper_tori(dimensions, most, request.parameters.number32("nodes"));
    std::vector<Calls> calls(tori.size());
    for_each_case(static_cast<std::uint32_t>(tori.size()), request.threads, "tori", progress,
                  [&](std::uint32_t i, Progress& inner) {
                    const Network network = make_network(torus_spec(tori[i]));
                    const angara::System system(network, angara::Augmentation::direction_sets);
                    const angara::RouteChoices choices(system.graph, 1, inner);
                    calls[i] = {nodes_of(tori[i]), angara::sssp(system, choices, inner, false).calls,
                                angara::sssp(system, choices, inner).calls};
                  });
    std::size_t between = 0;
    double grouped = 0;
    double unique = 0;
    for (const Calls& one : calls) {
      const std::uint64_t nodes = one.nodes;
      between += one.grouped >= nodes && one.grouped <= nodes * nodes ? 1U : 0U;
      grouped += static_cast<double>(one.grouped);
      unique += static_cast<double>(one.unique);
    }
    result.rows.push_back(claim(fmt::format("{} dimensions, sort and group alone", dimensions),
                                "between |N| and |N|^2 calls",
                                fmt::format("so on {} of {} systems", between, calls.size()),
                                between == calls.size(), "on every system"));
    result.rows.push_back(
        claim(fmt::format("{} dimensions, with unique routes first", dimensions), "significantly fewer calls",
              fmt::format("{:.0f} % fewer over all systems", 100 * (1 - unique / grouped)),
              unique < 0.9 * grouped, "more than a tenth fewer",
              unique < grouped ? "Fewer, but by less than a tenth: most pairs of these systems have "
                                 "several routes, and these are what rounds are spent on."
                               : ""));
    result.plots.push_back({.name = fmt::format("calls-{}d", dimensions),
                            .title = fmt::format("Calls of BUILD_SSSP, {} dimensions", dimensions),
                            .x_label = "nodes",
                            .y_label = "calls",
                            .log_x = true,
                            .log_y = true,
                            .series = {by_nodes("sort and group", calls, &Calls::grouped),
                                       by_nodes("unique routes first", calls, &Calls::unique)}});
  }
  return result;
}

}  // namespace

Experiment angara_calls_experiment() {
  return {.name = "angara-calls",
          .summary = "calls of BUILD_SSSP with and without unique routes first",
          .paper = angara_paper::kPaper,
          .place = "Figure 4",
          .typical_seconds = 60,
          .quick = "systems=8,nodes=100",
          .parameters = {systems_parameter(), nodes_parameter()},
          .run = run_angara_calls};
}

}  // namespace unknot
