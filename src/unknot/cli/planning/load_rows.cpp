// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/planning/load_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/output/text_table.hpp"

namespace unknot::cli {

void add_sample(const Network& network, const ChannelCapacities& capacities, const Exchange& exchange,
                PatternLoads loads, std::uint32_t samples, LoadRow& row) {
  double max = 0;
  for (std::size_t c = 0; c < loads.load.size(); ++c) loads.load[c] /= capacities.at(c);
  if (!loads.load.empty()) {
    const auto most = std::max_element(loads.load.begin(), loads.load.end());
    max = *most;
    if (row.busiest.empty() && max > 0)
      row.busiest = network.channel_name(ChannelId(static_cast<std::uint32_t>(most - loads.load.begin())));
    row.max += max / samples;
    row.min += *std::min_element(loads.load.begin(), loads.load.end()) / samples;
    double sum = 0;
    for (const double load : loads.load) sum += load;
    row.mean += sum / static_cast<double>(loads.load.size()) / samples;
  }
  const FluidLimit limit =
      loads.left ? fluid_limit(network, exchange, *loads.left, max) : fluid_limit(network, exchange, max);
  row.time += limit.time / samples;
  row.saturation += limit.saturation / samples;
  row.worst_saturation = std::min(row.worst_saturation, limit.saturation);
  row.throughput += limit.effective_throughput / samples;
  row.lost += loads.left ? loads.left->lost_flows : 0;
  row.delivered += (loads.left && exchange.total > 0 ? loads.left->total / exchange.total : 1) / samples;
}

Json load_row_json(const LoadRow& row) {
  return {{"routing", row.routing},
          {"max_load", row.max},
          {"min_load", row.min},
          {"mean_load", row.mean},
          {"saturation", row.saturation},
          {"worst_saturation", row.worst_saturation},
          {"time", std::isfinite(row.time) ? Json(row.time) : Json()},
          {"effective_throughput", row.throughput},
          {"busiest_channel", row.busiest.empty() ? Json() : Json(row.busiest)},
          {"lost", row.lost},
          {"delivered", row.delivered}};
}

std::string load_rows_text(const std::vector<LoadRow>& rows) {
  if (rows.empty()) return "";
  TextTable table({{"routing", Align::left},
                   {"max load"},
                   {"mean"},
                   {"min"},
                   {"saturation"},
                   {"time"},
                   {"effective throughput"},
                   {"busiest channel", Align::left}});
  for (const LoadRow& row : rows) {
    table.add({row.routing, fmt::format("{:.6f}", row.max), fmt::format("{:.6f}", row.mean),
               fmt::format("{:.6f}", row.min), fmt::format("{:.6f}", row.saturation),
               std::isfinite(row.time) ? fmt::format("{:.6g}", row.time) : "never",
               fmt::format("{:.4f}", row.throughput), row.busiest});
  }
  std::string text = table.text();
  for (const LoadRow& row : rows) {
    if (row.lost == 0) continue;
    if (row.routing == LoadRow::kAtRandom) {
      text += fmt::format(
          "\n{}: {} flow{} whose packets may be lost, {:.2f} % of what is sent arrives whole; the loads "
          "and the effective throughput are of that, and nothing is said of a split at will\n",
          row.routing, grouped(row.lost), row.lost == 1 ? "" : "s", 100 * row.delivered);
      continue;
    }
    text += fmt::format(
        "\n{}: {} flow{} without a path, {:.2f} % of what is sent has one; the loads and the effective "
        "throughput are of that\n",
        row.routing, grouped(row.lost), row.lost == 1 ? "" : "s", 100 * row.delivered);
  }
  return text;
}

}  // namespace unknot::cli
