// SPDX-License-Identifier: Apache-2.0
#include "unknot/slurm/topology/next_channels.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace unknot::slurm {

NextChannels next_by_rule(const Network& network, const ForwardingRule& rule) {
  std::vector<std::uint32_t> first;  // by router: its first channel
  first.reserve(network.router_count());
  for (const RouterId r : network.routers()) first.push_back(network.out(r).first());
  return [&network, &rule, first = std::move(first)](TerminalId destination, std::span<ChannelId> next) {
    thread_local std::vector<std::uint16_t> position;
    position.resize(first.size());
    rule.column(destination, position);
    for (std::size_t r = 0; r < first.size(); ++r) next[r] = ChannelId(first[r] + position[r]);
    next[network.router_of(destination).value] = ChannelId();  // where the rule says anything
  };
}

NextChannels next_by_tables(const Network& network, const ForwardingTable& table) {
  return [&network, &table](TerminalId destination, std::span<ChannelId> next) {
    for (const RouterId r : network.routers()) next[r.value] = table.next(network, r, destination);
  };
}

}  // namespace unknot::slurm
