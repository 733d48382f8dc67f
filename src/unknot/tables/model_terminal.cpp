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

}  // namespace unknot
