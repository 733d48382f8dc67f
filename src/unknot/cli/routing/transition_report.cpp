// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/routing/transition_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "unknot/cli/output/text_table.hpp"
#include "unknot/formats/tables/lid_map.hpp"

namespace unknot::cli {
namespace {

std::string guid_text(std::uint64_t guid) {
  return fmt::format("0x{:016x}", guid);
}

/// Who sends with the levels of each row: a router's terminals, or one terminal.
std::vector<Json> senders(const Network& network, const ServiceLevels& levels) {
  std::vector<Json> rows(levels.row_count());
  if (levels.empty()) return rows;
  for (const TerminalId t : network.terminals()) {
    if (levels.rows() == ServiceLevels::Rows::by_router) {
      rows[levels.row_of(t)] = {{"router", guid_text(network.router_guid(network.router_of(t)))}};
    } else {
      rows[levels.row_of(t)] = {{"terminal", guid_text(network.terminal_port_guid(t))}};
    }
  }
  return rows;
}

}  // namespace

std::string step_text(const TransitionStep& step) {
  return (step.wait ? "after a packet's lifetime: " : "") + step.what;
}

Json transition_json(const Network& network, const Transition& transition) {
  const std::vector<Json> rows = senders(network, transition.before.service_levels);
  const LidMap lids = LidMap::of(network);
  Json steps = Json::array();
  for (const TransitionStep& step : transition.steps) {
    Json entries = Json::array();
    for (const EntryChange& change : step.entries) {
      const IdRange<ChannelId> out = network.out(change.router);
      Json port;
      if (change.after < out.size()) port = network.source_port(out[change.after]);
      if (change.after == ForwardingTable::kHere) port = network.terminal_port(change.destination);
      entries.push_back({{"router", guid_text(network.router_guid(change.router))},
                         {"lid", lids.of(change.destination)},
                         {"port", std::move(port)}});
    }
    Json levels = Json::array();
    for (const LevelChange& change : step.levels) {
      Json one = rows[change.row];
      one["lid"] = lids.of(change.destination);
      one["level"] = change.after == ServiceLevels::kMissing ? Json() : Json(change.after);
      levels.push_back(std::move(one));
    }
    steps.push_back({{"what", step.what}, {"entries", std::move(entries)}, {"levels", std::move(levels)}});
    if (step.wait) steps.back()["wait"] = true;
  }
  return {{"steps", std::move(steps)},
          {"drained_paths", transition.drained},
          {"drained_paths_alive", transition.drained_alive}};
}

Json transition_summary(const Transition& transition) {
  Json steps = Json::array();
  for (const TransitionStep& step : transition.steps) {
    steps.push_back({{"what", step.what}, {"entries", step.entries.size()}, {"levels", step.levels.size()}});
    if (step.wait) steps.back()["wait"] = true;
  }
  return {{"steps", std::move(steps)},
          {"drained_paths", transition.drained},
          {"drained_paths_alive", transition.drained_alive},
          {"proven", true}};
}

std::string transition_text(const Transition& transition) {
  std::string text = fmt::format("safe transition, every step proven: {} step{}\n", transition.steps.size(),
                                 transition.steps.size() == 1 ? "" : "s");
  for (std::size_t i = 0; i < transition.steps.size(); ++i) {
    const TransitionStep& step = transition.steps[i];
    text += fmt::format("  {}. {}: {} entries, {} levels\n", i + 1, step_text(step),
                        grouped(step.entries.size()), grouped(step.levels.size()));
  }
  if (transition.drained > 0) {
    text += fmt::format("  {} paths are drained meanwhile, {} of which the old tables still deliver\n",
                        grouped(transition.drained), grouped(transition.drained_alive));
  }
  return text;
}

}  // namespace unknot::cli
