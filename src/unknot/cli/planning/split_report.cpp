// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/planning/split_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "unknot/bounds/adversary/channel_shares.hpp"
#include "unknot/bounds/delivered.hpp"
#include "unknot/bounds/path_split.hpp"
#include "unknot/cli/output/text_table.hpp"

namespace unknot::cli {
namespace {

/// Up to here the linear program takes less than a second and is solved without being asked for.
constexpr std::size_t kQuickProgram = 4'000;
/// Channels times pairs of routers, up to which UGAL's load is bounded from above.
constexpr double kMostUgalLooks = 2e10;

/// A whole number, as far as a double tells it from its neighbours.
nlohmann::ordered_json paths_json(double paths) {
  if (paths < 0x1.0p53) return static_cast<std::uint64_t>(paths);
  return paths;
}

}  // namespace

SplitRow split_over(const Network& network, const Exchange& exchange, const std::string& set,
                    const PathLists& lists, const SplitOptions& options, Progress& progress) {
  const bool program = options.exact || lists.path_count() <= kQuickProgram;
  // a load that the cables of the terminals have anyway need not be lowered
  const double terminals = std::max(exchange.peak_injection, exchange.peak_ejection);
  const PathSplit split =
      program ? split_by_program(network, lists)
              : split_by_potential(network, lists, options.gap, terminals, options.rounds, progress);
  const double any_load = 1 / length_bound({network, exchange.between}, split.length);
  return {set,
          lists.pairs().size(),
          static_cast<double>(lists.path_count()),
          flow_limits(network, exchange, check_split(network, lists, split), program, split.rounds),
          any_load,
          fluid_limit(network, exchange, any_load).saturation};
}

SplitRow split_by_next_hops(const Network& network, const Exchange& exchange, FlowWays ways,
                            const std::string& set, const PathCount& count, const SplitOptions& options,
                            std::uint32_t threads, Progress& progress) {
  const double terminals = std::max(exchange.peak_injection, exchange.peak_ejection);
  const FlowProblem problem{network, exchange.between, ways};
  const ConcurrentFlow flow =
      options.exact ? flow_by_program(problem)
                    : flow_by_potential(problem, {options.gap, terminals, options.rounds, threads}, progress);
  const FlowCheck check = check_flow(problem, flow);
  const double any_load = 1 / length_bound({network, exchange.between}, flow.length);
  return {set,         count.pairs,
          count.paths, flow_limits(network, exchange, check, options.exact, flow.rounds),
          any_load,    fluid_limit(network, exchange, any_load).saturation};
}

std::optional<UgalLimit> ugal_limit(const Network& network, const Exchange& exchange, std::uint32_t indirect,
                                    std::uint32_t threads) {
  const double routers = exchange.between.endpoints().count();
  if (network.channel_count() * routers * routers > kMostUgalLooks ||
      lost_pairs(network, arrivals(network, ObliviousPaths::minimal)) > 0)
    return std::nullopt;
  const std::vector<double> load =
      shared_load(network, *ugal_shares(network, indirect, threads), exchange.between, threads);
  UgalLimit limit{indirect, 0, 1, {}};
  const auto most = std::max_element(load.begin(), load.end());
  if (most != load.end() && *most > 0) {
    limit.max_load = *most;
    limit.channel = ChannelId(static_cast<std::uint32_t>(most - load.begin()));
  }
  limit.saturation = fluid_limit(network, exchange, limit.max_load).saturation;
  return limit;
}

nlohmann::ordered_json split_json(const Network& network, const SplitRow& row) {
  nlohmann::ordered_json json = {{"set", row.set}, {"pairs", row.pairs}, {"paths", paths_json(row.paths)}};
  json.update(flow_limits_json(row.limits));
  json["any_paths"] = {{"max_load", row.any_load}, {"saturation", row.any_saturation}};
  json["ugal"] = nullptr;
  if (row.ugal) {
    json["ugal"] = {{"indirect", row.ugal->indirect},
                    {"max_load", {{"lower", 1 / row.limits.check.upper}, {"upper", row.ugal->max_load}}},
                    {"saturation", {{"lower", row.ugal->saturation}, {"upper", row.limits.upper.saturation}}},
                    {"channel", row.ugal->channel.valid()
                                    ? nlohmann::ordered_json(network.channel_name(row.ugal->channel))
                                    : nlohmann::ordered_json()}};
  }
  return json;
}

std::string split_text(const Network& network, const std::vector<SplitRow>& rows) {
  TextTable table({{"split at will over", Align::left},
                   {"pairs"},
                   {"paths"},
                   {"max load reached"},
                   {"cannot be passed"},
                   {"saturation reached"},
                   {"at most"},
                   {"any paths at most"},
                   {"by", Align::left}});
  for (const SplitRow& row : rows) {
    const FlowLimits& limits = row.limits;
    table.add(
        {row.set, grouped(row.pairs),
         row.paths < 1e12 ? grouped(static_cast<std::uint64_t>(row.paths)) : fmt::format("{:.3g}", row.paths),
         fmt::format("{:.6f}", 1 / limits.check.lower), fmt::format("{:.6f}", 1 / limits.check.upper),
         fmt::format("{:.6f}", limits.lower.saturation), fmt::format("{:.6f}", limits.upper.saturation),
         fmt::format("{:.6f}", row.any_saturation),
         limits.program ? "linear program" : fmt::format("{} rounds", limits.rounds)});
  }
  std::string text = table.text();
  for (const SplitRow& row : rows) {
    if (!row.ugal) continue;
    text += fmt::format(
        "\n{}: queues decide, of {} indirect paths a packet; the busiest channel carries {:.6f} at least and "
        "{:.6f} "
        "at most{}; saturation {:.6f} to {:.6f}\n",
        row.set, row.ugal->indirect, 1 / row.limits.check.upper, row.ugal->max_load,
        row.ugal->channel.valid() ? " (" + network.channel_name(row.ugal->channel) + ")" : "",
        row.ugal->saturation, row.limits.upper.saturation);
  }
  return text;
}

}  // namespace unknot::cli
