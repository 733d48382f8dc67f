// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "unknot/formats/tables/lid_map.hpp"
#include "unknot/formats/tables/transition_file.hpp"

namespace unknot {
namespace {

using Json = nlohmann::ordered_json;

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

nlohmann::ordered_json transition_steps(const Network& network, const ServiceLevels& in_force,
                                        std::span<const TransitionStep> list) {
  const std::vector<Json> rows = senders(network, in_force);
  const LidMap lids = LidMap::of(network);
  Json steps = Json::array();
  for (const TransitionStep& step : list) {
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
  return steps;
}

}  // namespace unknot
