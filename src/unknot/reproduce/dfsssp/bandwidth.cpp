// SPDX-License-Identifier: Apache-2.0
#include "unknot/reproduce/dfsssp/bandwidth.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "unknot/engines/catalogue.hpp"
#include "unknot/load/congestion.hpp"
#include "unknot/reproduce/dfsssp/paper.hpp"
#include "unknot/reproduce/network_set.hpp"
#include "unknot/traffic/catalogue.hpp"

namespace unknot::dfsssp_paper {

const std::vector<Algorithm>& algorithms() {
  static const std::vector<Algorithm> rows = {{"MinHop", "minhop"},
                                              {"Up*/Down*", "updn"},
                                              {"FatTree", "ftree"},
                                              {"DOR", "minhop:paths=first"},
                                              {"LASH", kLash},
                                              {"SSSP", "sssp"},
                                              {"DFSSSP", as_published("weakest")}};
  return rows;
}

std::size_t index_of(const std::string& name) {
  for (std::size_t i = 0; i < algorithms().size(); ++i) {
    if (algorithms()[i].name == name) return i;
  }
  throw std::logic_error("no such algorithm in the paper: " + name);
}

Bandwidths measure_bandwidths(const std::vector<NamedNetwork>& networks, std::uint32_t samples,
                              const ExperimentRequest& request, Progress& progress) {
  const std::size_t columns = algorithms().size();
  Bandwidths result;
  result.rate.assign(networks.size(), std::vector<std::optional<double>>(columns));
  for_each_case(static_cast<std::uint32_t>(networks.size() * columns), request.threads, "bandwidth", progress,
                [&](std::uint32_t i, Progress& inner) {
                  // the largest networks come last and first into work
                  const std::size_t n = networks.size() - 1 - i / columns;
                  const std::size_t a = i % columns;
                  const Network& network = networks[n].network;
                  EngineRequest engine;
                  engine.virtual_lanes = kMaxLanes;
                  engine.seed = request.seed;
                  engine.threads = 1;
                  try {
                    const Routing routing = route(network, algorithms()[a].engine, engine, inner);
                    result.rate[n][a] = congestion(network, routing, make_pattern(network, "bisection"),
                                                   samples, request.seed, 1, inner)
                                            .effective_bisection_bandwidth;
                  } catch (const RoutingFailure&) {
                    // a missing bar, as in the paper
                  }
                });
  return result;
}

ReproducedTable bandwidth_table(const std::string& title, const std::vector<NamedNetwork>& networks,
                                const Bandwidths& bandwidths) {
  ReproducedTable table{title, {"network"}, {}};
  for (const Algorithm& algorithm : algorithms()) table.headings.push_back(algorithm.name);
  for (std::size_t n = 0; n < networks.size(); ++n) {
    std::vector<std::string> line = {networks[n].name};
    for (const std::optional<double>& rate : bandwidths.rate[n]) {
      line.push_back(rate ? fmt::format("{:.4f}", *rate) : "-");
    }
    table.lines.push_back(std::move(line));
  }
  return table;
}

Plot bandwidth_plot(const std::string& name, const std::string& title,
                    const std::vector<NamedNetwork>& networks, const Bandwidths& bandwidths) {
  Plot plot{.name = name, .title = title, .x_label = "", .y_label = "effective bisection bandwidth"};
  for (const NamedNetwork& network : networks) plot.groups.push_back(network.name);
  for (std::size_t a = 0; a < algorithms().size(); ++a) {
    Series series{algorithms()[a].name, {}};
    for (std::size_t n = 0; n < networks.size(); ++n) {
      if (const auto& rate = bandwidths.rate[n][a]) {
        series.points.push_back({static_cast<double>(n), *rate, {}, {}});
      }
    }
    if (!series.points.empty()) plot.series.push_back(std::move(series));
  }
  return plot;
}

std::string algorithms_text(std::uint32_t samples) {
  std::string text = fmt::format(
      "Effective bisection bandwidth: mean over {} random matchings of the mean rate of a flow, 1 where it "
      "shares no channel, as ORCS measures it; all engines see the same matchings. A dash where an engine "
      "gives no tables.",
      samples);
  for (std::size_t i = 0; i < algorithms().size(); ++i) {
    text +=
        fmt::format("{}{}: `{}`", i == 0 ? " Engines: " : ", ", algorithms()[i].name, algorithms()[i].engine);
  }
  return text +
         ". LASH and DOR take the paths that OpenSM's engines take here, where there are no dimensions for "
         "DOR: without any balance. What OpenSM 3.3.23's own tables give on the same networks: "
         "[dfsssp-opensm.md](dfsssp-opensm.md).";
}

}  // namespace unknot::dfsssp_paper
