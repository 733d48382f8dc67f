// SPDX-License-Identifier: Apache-2.0
#include "unknot/tables/forwarding_tree.hpp"

#include <algorithm>

namespace unknot {

ForwardingTree::ForwardingTree(const Network& network)
    : network_(&network),
      channel_(network.router_count()),
      waiting_(network.router_count()),
      hops_(network.router_count()),
      fate_(network.router_count()) {
  order_.reserve(network.router_count());
}

void ForwardingTree::build(const ForwardingTable& table, TerminalId destination, const std::uint16_t* entries,
                           std::uint32_t stride) {
  const Network& net = *network_;
  order_.clear();
  loops_.clear();
  loop_ends_.clear();
  std::fill(waiting_.begin(), waiting_.end(), 0);
  std::fill(hops_.begin(), hops_.end(), 0);
  for (const RouterId r : net.routers()) {
    const std::uint32_t position = entries[static_cast<std::size_t>(r.value) * stride];
    const IdRange<ChannelId> out = net.out(r);
    channel_[r.value] = position < out.size() ? out[position] : ChannelId();
    if (channel_[r.value].valid()) ++waiting_[net.target(channel_[r.value]).value];
  }
  for (std::uint32_t r = 0; r < net.router_count(); ++r) {
    if (waiting_[r] == 0) order_.push_back(r);
  }
  for (std::size_t next = 0; next < order_.size(); ++next) {
    const ChannelId c = channel_[order_[next]];
    if (!c.valid()) continue;
    const std::uint32_t to = net.target(c).value;
    if (--waiting_[to] == 0) order_.push_back(to);
  }
  if (order_.size() < net.router_count()) {
    for (std::uint32_t r = 0; r < net.router_count(); ++r) {
      if (waiting_[r] == 0) continue;
      for (std::uint32_t at = r; waiting_[at] != 0; at = net.target(channel_[at]).value) {
        waiting_[at] = 0;
        fate_[at] = Fate::loop;
        loops_.push_back(at);
      }
      loop_ends_.push_back(static_cast<std::uint32_t>(loops_.size()));
    }
  }
  for (std::size_t i = order_.size(); i-- > 0;) {
    const std::uint32_t r = order_[i];
    if (channel_[r].valid()) {
      const std::uint32_t to = net.target(channel_[r]).value;
      fate_[r] = fate_[to];
      hops_[r] = hops_[to] + 1;
      continue;
    }
    const std::uint32_t mark = table.get(RouterId(r), destination);
    if (mark == ForwardingTable::kHere && net.router_of(destination).value == r) {
      fate_[r] = Fate::delivered;
    } else {
      fate_[r] = mark == ForwardingTable::kNone ? Fate::none : Fate::stray;
    }
  }
}

}  // namespace unknot
