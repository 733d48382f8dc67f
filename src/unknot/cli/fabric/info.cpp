// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/output/interrupt.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/network/cuts/properties.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot::cli {
namespace {

struct InfoOptions {
  std::string fabric;
};

/// How many channels state which capacity, the widest first. Empty where none does; else those that state
/// none are of capacity 0.
std::map<std::uint32_t, std::size_t, std::greater<>> stated_channels(const Network& network) {
  std::map<std::uint32_t, std::size_t, std::greater<>> counts;
  for (const std::uint32_t megabits : network.labels().channel_capacity) ++counts[megabits];
  return counts;
}

/// "3600 Gb/s: 32 channels, 400 Gb/s: 32 channels, none stated: 2 channels"
std::string capacity_text(const Network& network) {
  constexpr std::size_t kMostShown = 6;
  const auto counts = stated_channels(network);
  std::string text;
  std::size_t shown_ones = 0;
  for (const auto& [megabits, channels] : counts) {
    if (++shown_ones > kMostShown) return text + ", ...";
    text += fmt::format("{}{}: {} channel{}", text.empty() ? "" : ", ",
                        megabits == 0 ? "none stated" : gigabits_text(megabits) + " Gb/s", grouped(channels),
                        channels == 1 ? "" : "s");
  }
  return text;
}

Json info_json_report(const std::string& fabric, const Network& network, const Properties& p,
                      std::optional<double> known) {
  Json document;
  add_fabric(document, fabric, network);
  document["cables"] = p.cables;
  document["radix"] = p.radix;
  document["degree"] = {{"min", p.min_degree}, {"max", p.max_degree}, {"mean", p.mean_degree}};
  document["diameter"] = p.distances.diameter;
  document["router_diameter"] = p.distances.router_diameter;
  document["mean_distance"] = p.distances.mean_distance;
  document["mean_hops"] = p.distances.mean_hops;
  document["distances_exact"] = p.distances.exact;
  document["bisection_per_terminal"] = p.bisection ? Json(p.bisection->per_terminal) : Json();
  document["bisection_cut"] = p.bisection ? Json(p.bisection->cut) : Json();
  if (p.bisection) {
    const auto cut = [](double value) { return value > 0 ? Json(value) : Json(); };
    document["bisection_cuts"] = {{"search", cut(p.bisection->by_search)},
                                  {"metis", cut(p.bisection->by_metis)},
                                  {"scotch", cut(p.bisection->by_scotch)}};
  }
  document["bisection_known_cut"] = known ? Json(*known) : Json();
  document["bisection_bound_per_terminal"] =
      p.bisection_bound ? Json(p.bisection_bound->per_terminal) : Json();
  document["bisection_bound_cut"] = p.bisection_bound ? Json(p.bisection_bound->cut) : Json();
  document["adjacency_spectrum"] = p.spectrum ? Json{{"largest", p.spectrum->largest},
                                                     {"second", p.spectrum->second},
                                                     {"smallest", p.spectrum->smallest},
                                                     {"gap", p.spectrum->gap()}}
                                              : Json();
  document["moore_ratio"] = p.moore_ratio;
  document["ports_per_terminal"] = p.ports_per_terminal;
  document["links_per_terminal"] = p.links_per_terminal;
  Json bins = Json::array();
  for (const PathDiversity::Bin& bin : p.distances.paths.bins) {
    bins.push_back({{"first", bin.first}, {"last", bin.last}, {"pairs", bin.pairs}});
  }
  document["path_diversity"] = {{"min", p.distances.paths.min},
                                {"max", p.distances.paths.max},
                                {"mean", p.distances.paths.mean},
                                {"bins", std::move(bins)}};
  if (const auto counts = stated_channels(network); !counts.empty()) {
    Json capacities = Json::array();
    for (const auto& [megabits, channels] : counts)
      capacities.push_back({{"megabits", megabits}, {"channels", channels}});
    document["capacities"] = std::move(capacities);
  }
  document["service_nodes"] = network.labels().service_nodes.size();
  return document;
}

std::string range(std::uint32_t min, std::uint32_t max) {
  return min == max ? std::to_string(min) : fmt::format("{} to {}", min, max);
}

/// "3: 1,014 (1.8 %), 1: ...": the bins that hold most pairs, ascending.
std::string diversity_text(const PathDiversity& paths) {
  constexpr std::size_t kMostBins = 6;
  std::uint64_t all = 0;
  for (const PathDiversity::Bin& bin : paths.bins) all += bin.pairs;
  std::vector<PathDiversity::Bin> bins = paths.bins;
  if (bins.size() > kMostBins) {
    std::nth_element(
        bins.begin(), bins.begin() + kMostBins, bins.end(),
        [](const PathDiversity::Bin& a, const PathDiversity::Bin& b) { return a.pairs > b.pairs; });
    bins.resize(kMostBins);
    std::sort(bins.begin(), bins.end(),
              [](const PathDiversity::Bin& a, const PathDiversity::Bin& b) { return a.first < b.first; });
  }
  std::string text;
  for (const PathDiversity::Bin& bin : bins) {
    const std::string number = bin.first == bin.last ? fmt::format("{:.0f}", bin.first)
                                                     : fmt::format("{:.0f}-{:.0f}", bin.first, bin.last);
    text += fmt::format("{}{}: {:.1f} %", text.empty() ? "" : ", ", number,
                        100.0 * static_cast<double>(bin.pairs) / static_cast<double>(all));
  }
  return bins.size() < paths.bins.size() ? text + ", ..." : text;
}

constexpr const char* kOneRouter = "none, there is one router";

std::string bisection_text(const Network& network, const Properties& p, std::optional<double> known) {
  if (network.router_count() == 1) return kOneRouter;
  std::string text =
      p.bisection ? fmt::format("at most {:.4f} ({} cables cut)", p.bisection->per_terminal, p.bisection->cut)
                  : std::string("not searched, the network is too large");
  if (known) text += fmt::format(", by construction {}", *known);
  if (p.bisection_bound) {
    text += fmt::format(", at least {:.4f} ({}, spectral)", p.bisection_bound->per_terminal,
                        p.bisection_bound->cut);
  }
  return text;
}

std::string spectrum_text(const Network& network, const Properties& p) {
  if (network.router_count() == 1) return kOneRouter;
  if (!p.spectrum) return "not known";
  return fmt::format("{:.4f} (eigenvalues {:.4f}, {:.4f}, ..., {:.4f})", p.spectrum->gap(),
                     p.spectrum->largest, p.spectrum->second, p.spectrum->smallest);
}

std::string info_text_report(const std::string& fabric, const Network& network, const Properties& p,
                             std::optional<double> known) {
  // what sampling leaves unknown is said, not hidden
  const char* about = p.distances.exact ? "" : " (sampled)";
  std::vector<std::pair<std::string, std::string>> rows = {
      {"cables between routers", grouped(p.cables)},
      {"radix", std::to_string(p.radix)},
      {"channels a router", fmt::format("{}, mean {:.2f}", range(p.min_degree, p.max_degree), p.mean_degree)},
      {"terminals a router", range(p.min_terminals, p.max_terminals)},
      {"diameter", p.distances.diameter == p.distances.router_diameter
                       ? fmt::format("{}{}", p.distances.diameter, about)
                       : fmt::format("{}{}, over all routers {}", p.distances.diameter, about,
                                     p.distances.router_diameter)},
      {"mean distance", fmt::format("{:.4f}{}", p.distances.mean_distance, about)},
      {"mean hops of a pair", fmt::format("{:.4f}{}", p.distances.mean_hops, about)},
  };
  if (const PathDiversity& paths = p.distances.paths; !paths.bins.empty()) {
    rows.emplace_back("shortest paths a pair", fmt::format("{:.0f} to {:.0f}, mean {:.2f}{}", paths.min,
                                                           paths.max, paths.mean, about));
    rows.emplace_back("pairs by their number", diversity_text(paths));
  }
  rows.insert(rows.end(), {
                              {"bisection per terminal", bisection_text(network, p, known)},
                              {"Moore ratio", fmt::format("{:.4f}", p.moore_ratio)},
                              {"spectral gap", spectrum_text(network, p)},
                              {"ports per terminal", fmt::format("{:.3f}", p.ports_per_terminal)},
                              {"links per terminal", fmt::format("{:.3f}", p.links_per_terminal)},
                          });
  if (!network.labels().channel_capacity.empty())
    rows.emplace_back("capacities, as stated", capacity_text(network));
  if (const std::size_t others = network.labels().service_nodes.size(); others > 0) {
    rows.emplace_back("devices without traffic", fmt::format("{} (aggregation nodes and the like)", others));
  }
  return fabric_line(fabric, network) + "\n" + key_values(rows);
}

Answer info(const InfoOptions& options, const Common& common) {
  const Network network = load_routers(options.fabric);
  stop_if_interrupted();
  PropertiesOptions how;
  how.distances.threads = how.bisection.threads = common.threads;
  how.distances.seed = how.bisection.seed = how.spectrum.seed = common.seed;
  const Properties p = properties(network, how);
  stop_if_interrupted();
  const std::optional<double> known = is_spec(options.fabric) ? known_cut(options.fabric) : std::nullopt;
  if (common.json) {
    return {kYes, info_json_report(options.fabric, network, p, known), {}};
  }
  return {kYes, {}, info_text_report(options.fabric, network, p, known)};
}

Action declare_info(CLI::App& app, const Common& common) {
  const auto options = std::make_shared<InfoOptions>();
  add_fabric_argument(app, options->fabric);
  return [options, &common] { return info(*options, common); };
}

}  // namespace

Command info_row() {
  return {
      .name = "info",
      .summary = "Structure and cost of a network: distances, bisection, ports and links for each terminal",
      .details = "",
      .examples = {"unknot info kautz:b=3,n=3,p=4"},
      .declare = declare_info};
}

}  // namespace unknot::cli
