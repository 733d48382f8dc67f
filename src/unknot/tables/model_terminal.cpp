// SPDX-License-Identifier: Apache-2.0
#include "unknot/tables/model_terminal.hpp"

namespace unknot {

TerminalId model_terminal(const Network& network, const ForwardingTable& table, RouterId router) {
  TerminalId best;
  std::uint32_t fewest = 0;
  for (const TerminalId t : network.terminals_at(router)) {
    std::uint32_t missing = 0;
    for (const RouterId r : network.routers()) {
      const std::uint32_t entry = table.get(r, t);
      if (entry == ForwardingTable::kNone || entry == ForwardingTable::kStray) ++missing;
    }
    if (!best.valid() || missing < fewest) {
      best = t;
      fewest = missing;
    }
    if (fewest == 0) break;
  }
  return best;
}

std::vector<TerminalId> model_terminals(const Network& network, const ForwardingTable& table) {
  std::vector<std::uint32_t> missing(network.terminal_count(), 0);
  table.with_entry_type([&]<class Entry>(Entry) {
    const Entry* row = table.entries<Entry>().data();
    for (std::uint32_t r = 0; r < network.router_count(); ++r, row += missing.size()) {
      for (std::size_t t = 0; t < missing.size(); ++t) {
        const bool none = row[t] == ForwardingTable::none<Entry> || row[t] == ForwardingTable::stray<Entry>;
        missing[t] += none ? 1 : 0;
      }
    }
  });
  std::vector<TerminalId> models(network.router_count());
  for (const RouterId r : network.routers()) {
    for (const TerminalId t : network.terminals_at(r)) {
      TerminalId& best = models[r.value];
      if (!best.valid() || missing[t.value] < missing[best.value]) best = t;
    }
  }
  return models;
}

}  // namespace unknot
