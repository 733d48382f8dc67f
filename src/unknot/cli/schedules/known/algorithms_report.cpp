// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/schedules/known/algorithms_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/output/text_table.hpp"

namespace unknot::cli {
namespace {

using simulate::RankTrial;

/// Number of the trial of a size that is the quickest, by what was simulated or by the model.
std::optional<std::size_t> quickest(const AlgorithmsFindings& found, std::size_t size, bool simulated) {
  const std::size_t count = found.contest.contenders.size();
  std::optional<std::size_t> best;
  for (std::size_t i = size * count; i < (size + 1) * count; ++i) {
    const RankTrial& trial = found.trials[i];
    if (simulated && !trial.simulated) continue;
    const auto time = [&](const RankTrial& t) { return simulated ? *t.simulated : t.predicted; };
    if (!best || time(trial) < time(found.trials[*best])) best = i;
  }
  return best;
}

Json contention_json(const Contention& c, const PlacedRanks& placed, std::uint32_t group_routers) {
  Json json = {{"contention_free", c.free()},
               {"shared_rounds", c.shared_rounds},
               {"shared_channels", c.shared_channels},
               {"most_flows", c.most_flows},
               {"port_flows", c.port_flows},
               {"bytes_sent", c.sent},
               {"channel_bytes", c.channels},
               {"group_bytes", group_routers > 0 ? Json(c.between) : Json()},
               {"worst", Json()}};
  if (c.free()) return json;
  Json flows = Json::array();
  for (const auto& [from, to] : c.flows) flows.push_back({from, to});
  json["worst"] = {
      {"round", c.round + 1}, {"channel", placed.line_name(c.line)}, {"flows", std::move(flows)}};
  return json;
}

Json trial_json(const RankTrial& trial) {
  return {{"bytes", trial.bytes},
          {"chunks", trial.chunks > 0 ? Json(trial.chunks) : Json()},
          {"predicted", trial.predicted},
          {"predicted_alone", trial.alone},
          {"simulated", trial.simulated ? Json(*trial.simulated) : Json()},
          {"error", trial.simulated ? Json(trial.error()) : Json()},
          {"deadlock", trial.deadlocked}};
}

std::string contention_table(const AlgorithmsFindings& found, const PlacedRanks& placed) {
  std::vector<TextTable::Column> columns = {{"algorithm", Align::left}, {"rounds"},    {"sharing"},
                                            {"most on a channel"},      {"at a host"}, {"sent"},
                                            {"over channels"}};
  if (found.group_routers > 0) columns.push_back({"between groups"});
  columns.push_back({"free of contention", Align::left});
  TextTable table(std::move(columns));
  for (const Contender& contender : found.contest.contenders) {
    const Contention& c = contender.contention;
    std::vector<std::string> row = {contender.name,
                                    grouped(c.rounds),
                                    grouped(c.shared_rounds),
                                    grouped(c.most_flows),
                                    grouped(c.port_flows),
                                    fmt::format("{:.2f}", c.sent / placed.ranks()),
                                    fmt::format("{:.2f}", c.channels / placed.ranks())};
    if (found.group_routers > 0) row.push_back(fmt::format("{:.2f}", c.between / placed.ranks()));
    row.push_back(c.free() ? "yes" : "NO, " + meeting_text(c, placed));
    table.add(std::move(row));
  }
  return table.text();
}

std::string time_table(const AlgorithmsFindings& found) {
  TextTable table({{"bytes"},
                   {"algorithm", Align::left},
                   {"predicted us"},
                   {"if alone"},
                   {"simulated us"},
                   {"error %"},
                   {"", Align::left}});
  const std::size_t count = found.contest.contenders.size();
  for (std::size_t size = 0; size < found.sizes.size(); ++size) {
    const auto predicted = quickest(found, size, false), simulated = quickest(found, size, true);
    for (std::size_t i = size * count; i < (size + 1) * count; ++i) {
      const RankTrial& trial = found.trials[i];
      std::string name = found.contest.contenders[trial.contender].name;
      if (trial.chunks > 0) name += fmt::format(", {} chunk{}", trial.chunks, trial.chunks == 1 ? "" : "s");
      std::string best;
      if (simulated == i) best = "best";
      if (predicted == i && simulated != i) best = simulated ? "best predicted" : "best";
      table.add({i == size * count ? grouped(trial.bytes) : "", name,
                 fmt::format("{:.2f}", trial.predicted * 1e6), fmt::format("{:.2f}", trial.alone * 1e6),
                 trial.simulated    ? fmt::format("{:.2f}", *trial.simulated * 1e6)
                 : trial.deadlocked ? "DEADLOCK"
                                    : "-",
                 trial.simulated ? fmt::format("{:+.1f}", trial.error() * 100) : "-", best});
    }
  }
  return table.text();
}

}  // namespace

Json algorithms_json(const AlgorithmsFindings& found, const PlacedRanks& placed) {
  Json document;
  add_fabric(document, found.fabric, placed.network());
  document["routing"] = found.routing;
  document["lanes"] = found.lanes.empty() ? Json() : Json(found.lanes);
  document["collective"] = name_of(found.which.collective);
  document["ranks"] = found.which.ranks;
  if (found.which.collective == RankCollective::broadcast) document["root"] = found.which.root;
  document["order"] = found.order;
  Json hosts = Json::array();
  for (const TerminalId host : placed.hosts()) hosts.push_back(placed.network().terminal_name(host));
  document["hosts"] = std::move(hosts);
  document["alpha"] = found.pace.alpha;
  document["rounds_apart"] = found.pace.apart;
  document["byte_seconds"] = found.byte;
  document["hop_seconds"] = found.hop;
  Json algorithms = Json::array();
  const std::size_t count = found.contest.contenders.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Contender& contender = found.contest.contenders[i];
    Json row = {{"name", contender.name},
                {"note", contender.note.empty() ? Json() : Json(contender.note)},
                {"rounds", contender.contention.rounds},
                {"messages", contender.variants.front().schedule.message_count()}};
    row.update(contention_json(contender.contention, placed, found.group_routers));
    Json sizes = Json::array();
    for (std::size_t size = 0; size < found.sizes.size(); ++size)
      sizes.push_back(trial_json(found.trials[size * count + i]));
    row["sizes"] = std::move(sizes);
    algorithms.push_back(std::move(row));
  }
  document["algorithms"] = std::move(algorithms);
  Json best = Json::array();
  for (std::size_t size = 0; size < found.sizes.size(); ++size) {
    const auto predicted = quickest(found, size, false), simulated = quickest(found, size, true);
    const auto name = [&](const std::optional<std::size_t>& trial) {
      return trial ? Json(found.contest.contenders[found.trials[*trial].contender].name) : Json();
    };
    best.push_back(
        {{"bytes", found.sizes[size]}, {"predicted", name(predicted)}, {"simulated", name(simulated)}});
  }
  document["best"] = std::move(best);
  Json ranges = Json::array();
  for (const CostRange& range : found.ranges)
    ranges.push_back({{"from", range.from}, {"algorithm", found.contest.contenders[range.best].name}});
  document["ranges"] = std::move(ranges);
  Json refused = Json::array();
  for (const auto& [name, why] : found.contest.refused) refused.push_back({{"name", name}, {"why", why}});
  document["refused"] = std::move(refused);
  document["seconds"] = found.seconds;
  return document;
}

std::string algorithms_text(const AlgorithmsFindings& found, const PlacedRanks& placed) {
  std::vector<std::pair<std::string, std::string>> lines = {{"routing", found.routing}};
  if (!found.lanes.empty()) lines.emplace_back("lanes", found.lanes);
  lines.emplace_back(
      "collective", fmt::format("{} among {} ranks{}, {}", name_of(found.which.collective), found.which.ranks,
                                found.which.collective == RankCollective::broadcast
                                    ? fmt::format(" from rank {}", found.which.root)
                                    : "",
                                found.order));
  lines.emplace_back("cost",
                     fmt::format("a message {:.3g} s, a byte {:.3g} s, a hop {:.3g} s{}", found.pace.alpha,
                                 found.byte, found.hop, found.pace.apart ? "; rounds kept apart" : ""));
  lines.emplace_back("valid", "yes, as executed: every algorithm below");
  for (const Contender& contender : found.contest.contenders) {
    if (!contender.note.empty()) lines.emplace_back(contender.name, contender.note);
  }
  std::string text =
      fabric_line(found.fabric, placed.network()) + "\n" + key_values(lines) + "\n" +
      contention_table(found, placed) +
      "\nSharing: rounds in which messages meet on a channel between routers. Sent and over channels: "
      "bytes of a rank, for each byte of the call.\n";
  if (!found.sizes.empty()) text += "\n" + time_table(found);
  if (!found.ranges.empty()) {
    TextTable changes({{"from bytes"}, {"best by the model", Align::left}});
    for (const CostRange& range : found.ranges)
      changes.add({grouped(range.from), found.contest.contenders[range.best].name});
    text += "\n" + changes.text();
  }
  for (const auto& [name, why] : found.contest.refused) text += fmt::format("\nleft out: {}: {}", name, why);
  if (!found.contest.refused.empty()) text += "\n";
  return text;
}

}  // namespace unknot::cli
