// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/live/difference_text.hpp"

#include <fmt/format.h>

#include "unknot/formats/tables/lid_map.hpp"

namespace unknot {

DifferenceText::DifferenceText(const Network& network) : network_(&network) {
  routers_.reserve(network.router_count());
  for (const RouterId r : network.routers())
    routers_.push_back(fmt::format("\n  {{\"router\": \"0x{:016x}\", \"lid\": ", network.router_guid(r)));
  const LidMap lids = LidMap::of(network);
  lids_.reserve(network.terminal_count());
  for (const TerminalId t : network.terminals()) lids_.push_back(lids.of(t));
}

std::string DifferenceText::text(std::span<const EntryChange> entries) const {
  std::string text = "{\"steps\": [{\"what\": \"new entries\", \"entries\": [";
  text.reserve(text.size() + entries.size() * 64 + 20);
  const char* separator = "";
  for (const EntryChange& change : entries) {
    const IdRange<ChannelId> out = network_->out(change.router);
    std::uint32_t port = 0;
    if (change.after < out.size()) port = network_->source_port(out[change.after]);
    if (change.after == ForwardingTable::kHere) port = network_->terminal_port(change.destination);
    text += separator;
    text += routers_[change.router.value];
    text += fmt::format_int(lids_[change.destination.value]).c_str();
    text += ", \"port\": ";
    if (port == 0) {
      text += "null}";
    } else {
      text += fmt::format_int(port).c_str();
      text += '}';
    }
    separator = ",";
  }
  return text + "], \"levels\": []}]}\n";
}

}  // namespace unknot
