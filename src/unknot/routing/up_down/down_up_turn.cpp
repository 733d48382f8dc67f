// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/up_down/down_up_turn.hpp"

namespace unknot {

std::optional<DownUpTurn> find_down_up_turn(const Network& network, const ForwardingTable& table,
                                            const std::vector<std::uint32_t>& place) {
  const auto goes_up = [&](ChannelId c) {
    return place[network.target(c).value] < place[network.source(c).value];
  };
  for (const RouterId r : network.routers()) {
    for (const TerminalId t : network.terminals()) {
      const ChannelId first = table.next(network, r, t);
      if (!first.valid() || goes_up(first)) continue;
      const ChannelId second = table.next(network, network.target(first), t);
      if (second.valid() && goes_up(second)) return DownUpTurn{t, first, second};
    }
  }
  return std::nullopt;
}

}  // namespace unknot
