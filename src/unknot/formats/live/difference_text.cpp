// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/live/difference_text.hpp"

#include <fmt/format.h>

#include "unknot/formats/tables/lid_map.hpp"

namespace unknot {

DifferenceText::DifferenceText(const Network& network) : network_(&network) {
  routers_.reserve(network.router_count());
  for (const RouterId r : network.routers()) {
    routers_.push_back(fmt::format("\n  {{\"router\": \"0x{:016x}\", \"lid\": ", network.router_guid(r)));
    if (!network.terminals_at(r).empty()) router_of_row_.push_back(r);
  }
  const LidMap lids = LidMap::of(network);
  lids_.reserve(network.terminal_count());
  for (const TerminalId t : network.terminals()) lids_.push_back(lids.of(t));
}

void DifferenceText::add_place(RouterId router, TerminalId destination, const char*& separator,
                               std::string& text) const {
  text += separator;
  text += routers_[router.value];
  text += fmt::format_int(lids_[destination.value]).c_str();
  separator = ",";
}

std::string DifferenceText::text(std::span<const EntryChange> entries,
                                 std::span<const LevelChange> levels) const {
  std::string text = levels.empty() ? "{\"steps\": [{\"what\": \"new entries\", \"entries\": ["
                                    : "{\"steps\": [{\"what\": \"new entries and levels\", \"entries\": [";
  text.reserve(text.size() + (entries.size() + levels.size()) * 64 + 20);
  const char* separator = "";
  for (const EntryChange& change : entries) {
    const IdRange<ChannelId> out = network_->out(change.router);
    std::uint32_t port = 0;
    if (change.after < out.size()) port = network_->source_port(out[change.after]);
    if (change.after == ForwardingTable::kHere) port = network_->terminal_port(change.destination);
    add_place(change.router, change.destination, separator, text);
    text += ", \"port\": ";
    if (port == 0) {
      text += "null}";
    } else {
      text += fmt::format_int(port).c_str();
      text += '}';
    }
  }
  text += "], \"levels\": [";
  separator = "";
  for (const LevelChange& change : levels) {
    add_place(router_of_row_[change.row], change.destination, separator, text);
    text += ", \"level\": ";
    text += fmt::format_int(change.after).c_str();
    text += '}';
  }
  return text + "]}]}\n";
}

}  // namespace unknot
