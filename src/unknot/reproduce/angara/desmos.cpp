// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "unknot/reproduce/angara/node_orders.hpp"
#include "unknot/reproduce/angara/paper.hpp"
#include "unknot/reproduce/compare.hpp"
#include "unknot/reproduce/experiments.hpp"

namespace unknot {
namespace {

using namespace angara_paper;

constexpr std::array<const char*, 4> kDesmosEngines = {"angara-bfs", kGeneticEngine, "angara-sssp",
                                                       "angara-opt"};
constexpr std::array<const char*, 4> kEngineNames = {"BFS", "genetic", "SSSP", "opt"};
enum DesmosRun : std::size_t { kBfs, kGenetic, kSssp, kOpt };

struct DesmosCase {
  const char* name;
  const char* pattern;  ///< "": all-to-all
  DesmosRun engine;     ///< whose gain over BFS is published
  double published;     ///< percent
  bool at_most;         ///< "up to" so much
  bool sssp_better;     ///< SSSP is said to gain on BFS, without a number
};
constexpr std::array<DesmosCase, 4> kDesmosCases = {
    {{"Transpose", "bit-transpose", kGenetic, -3.9, false, true},
     {"Neighbor", "shift:1", kSssp, 11.6, true, false},
     {"Tornado", "tornado", kSssp, 52.9, true, false},
     {"Alltoall", "", kSssp, 11.1, false, false}}};
/// Of Alltoall also: by how much the genetic tables are better than those of SSSP.
constexpr double kGeneticOnSssp = 1.1;

std::string traffic_of(const DesmosCase& one, std::uint32_t kb) {
  const std::uint64_t bytes = std::uint64_t{kb} * 1024;
  return one.pattern[0] == '\0' ? fmt::format("all-to-all:bytes={},order=shift,at_once=1", bytes)
                                : fmt::format("flows:bytes={},{}", bytes, one.pattern);
}

std::string gains_in_words(const OrderGains& gains) {
  return fmt::format("{:+.1f} % in order, {:+.1f} % on the mean of random orders ({:+.1f} to {:+.1f})",
                     gains.in_order, gains.mean, gains.least, gains.most);
}

/// A printed gain: some order of the ranks has it; "up to" so much: the mean is a gain, and no larger.
ReproducedRow printed_gain(const std::string& label, double published, bool at_most,
                           const OrderGains& gains) {
  constexpr double kRounding = 0.5;
  const bool holds = at_most ? gains.mean > 0 && gains.mean <= published
                             : published >= gains.least - kRounding && published <= gains.most + kRounding;
  return claim(
      label, fmt::format("{:+.1f} %{}", published, at_most ? " at most" : ""), gains_in_words(gains), holds,
      at_most ? "a gain on the mean, and no larger one"
              : fmt::format("among the orders, +-{:g} %", kRounding),
      "No order of the ranks that was tried gives the printed gain. The paper's BFS and SSSP tables on "
      "Desmos are its own (the order in which its BFS finds channels is not printed), its nodes had an "
      "unknown order, and a run on the machine has costs besides the network's.");
}

/// "Better", without a number.
ReproducedRow said_to_gain(const std::string& label, const OrderGains& gains) {
  return claim(label, "better", gains_in_words(gains), gains.mean > 0, "a gain on the mean",
               "On the mean over rank orders the exchange takes longer with these tables; the paper's order "
               "of ranks is not known.");
}

void add_desmos_rows(const DesmosCase& one, const OrderTimes& times, std::vector<ReproducedRow>& rows) {
  rows.push_back(printed_gain(fmt::format("{}: {} beside BFS", one.name, kEngineNames[one.engine]),
                              one.published, one.at_most, gains_of(times, one.engine, kBfs)));
  if (one.pattern[0] == '\0') {
    rows.push_back(printed_gain(fmt::format("{}: genetic beside SSSP", one.name), kGeneticOnSssp, false,
                                gains_of(times, kGenetic, kSssp)));
  }
  for (const DesmosRun engine : {kGenetic, kSssp, kOpt}) {
    if (engine == one.engine) continue;
    const std::string label = fmt::format("{}: {} beside BFS", one.name, kEngineNames[engine]);
    const OrderGains other = gains_of(times, engine, kBfs);
    if (engine == kSssp && one.sssp_better) {
      rows.push_back(said_to_gain(label, other));
      continue;
    }
    rows.push_back(shown(
        label, Quantity::words(fmt::format("{:+.1f} % in order, {:+.1f} % on the mean ({:+.1f} to {:+.1f})",
                                           other.in_order, other.mean, other.least, other.most))));
  }
}

Reproduction run_angara_desmos(const ExperimentRequest& request, Progress& progress) {
  const std::uint32_t orders = request.parameters.number32("orders");
  const std::uint32_t all_orders = std::min(orders, request.parameters.number32("all-orders"));
  const std::uint32_t kb = request.parameters.number32("kb");
  std::vector<std::uint32_t> orders_of;
  orders_of.reserve(kDesmosCases.size());
  for (const DesmosCase& one : kDesmosCases)
    orders_of.push_back(one.pattern[0] == '\0' ? all_orders : orders);
  const auto traffic = [&](std::size_t c) { return traffic_of(kDesmosCases[c], kb); };
  const auto [times, complete] = simulate_orders(orders_of, kDesmosEngines, traffic, request, progress);
  Reproduction result;
  result.title = "Communication patterns on the Desmos cluster, simulated";
  result.text = {
      fmt::format(
          "{} KB from each sender to each of its receivers on the 4x2x2x2 torus, by the source routes of "
          "each "
          "engine, in packets of 256 bytes through routers with one lane, bubble flow control, 16 packets of "
          "buffer for each port and links of two packet times. The paper says neither speed nor latency nor "
          "buffers; gains are ratios of completion times, in which the speed cancels out.",
          kb),
      "The patterns are those of [angara-patterns](angara-patterns.md), where the busiest channel counts: "
      "Transpose "
      "exchanges the halves of a rank's bits, Neighbor sends to the next rank, Tornado to the rank nearly "
      "half way "
      "round, and Alltoall goes to ranks t + 1, t + 2, ... in turn. Neither the definitions nor the nodes' "
      "order are in "
      "the paper; so ranks are put on the nodes in order and in random orders, and the published gain "
      "counts as met where it lies among those.",
      "Gains are time with BFS tables over time with the others, minus one. For the three permutations that "
      "is a weak test: with one flow a node the busiest channel has one, two or three flows by chance, and a "
      "single order "
      "gives any gain from -50 to +70 % or more; the mean over orders is what tables as such are worth."};
  Plot plot{.name = "gains",
            .title = "Gain on BFS, mean over random orders of the ranks; bars from the least to the greatest",
            .x_label = "pattern",
            .y_label = "percent"};
  for (const DesmosRun engine : {kGenetic, kSssp, kOpt}) plot.series.push_back({kEngineNames[engine], {}});
  ReproducedTable table{
      .title = "Completion, thousands of packet times, nodes in order and mean of random orders",
      .headings = {"pattern", "ranks", "BFS", "genetic", "SSSP", "opt"},
      .lines = {}};
  for (std::size_t c = 0; c < kDesmosCases.size(); ++c) {
    add_desmos_rows(kDesmosCases[c], times[c], result.rows);
    plot.groups.emplace_back(kDesmosCases[c].name);
    for (const DesmosRun engine : {kGenetic, kSssp, kOpt}) {
      const OrderGains gains = gains_of(times[c], engine, kBfs);
      plot.series[engine - 1].points.push_back({static_cast<double>(c), gains.mean, gains.least, gains.most});
    }
    add_order_lines(table, kDesmosCases[c].name, times[c]);
  }
  result.rows.push_back(expected("exchanges that do not end", complete ? "0" : "some", complete, "none"));
  result.tables.push_back(std::move(table));
  result.plots.push_back(std::move(plot));
  return result;
}

}  // namespace

Experiment angara_desmos_experiment() {
  return {.name = "angara-desmos",
          .summary = "Transpose, Neighbor, Tornado and Alltoall on 32 nodes, simulated packet by packet",
          .paper = angara_paper::kPaper,
          .place = "Figure 6",
          .typical_seconds = 120,
          .quick = "orders=2,all-orders=1,kb=4",
          .parameters = {{.name = "orders",
                          .help = "random orders of the ranks",
                          .fallback = "24",
                          .min = 1,
                          .max = 100'000},
                         {.name = "all-orders",
                          .help = "of them for Alltoall, which takes longest",
                          .fallback = "2",
                          .min = 1,
                          .max = 100'000},
                         {.name = "kb",
                          .help = "KB of 1024 bytes from a rank to another; 1024 in the paper",
                          .fallback = "1024",
                          .min = 1,
                          .max = 1'000'000}},
          .resumable = true,
          .run = run_angara_desmos};
}

}  // namespace unknot
