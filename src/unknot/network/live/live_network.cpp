// SPDX-License-Identifier: Apache-2.0
#include "unknot/network/live/live_network.hpp"

#include <algorithm>
#include <stdexcept>

#include "unknot/support/error.hpp"

namespace unknot {

void require_whole_cables(const Network& network, const LiveChange& change) {
  for (const auto* list : {&change.dead_channels, &change.back_channels}) {
    std::vector<ChannelId> sorted = *list;
    std::sort(sorted.begin(), sorted.end());
    for (const ChannelId c : *list) {
      if (c.value >= network.channel_count()) throw std::out_of_range("no such channel");
      const ChannelId other = network.reverse(c);
      if (!other.valid() || !std::binary_search(sorted.begin(), sorted.end(), other)) {
        throw InputError("a cable dies or comes back with both its channels, and " + network.channel_name(c) +
                         " is named alone");
      }
    }
  }
}

LiveNetwork::LiveNetwork(const Network& network)
    : network_(&network),
      live_(network.channel_count()),
      dead_router_(network.router_count(), 0),
      dead_channel_(network.channel_count(), 0),
      alive_(network.channel_count(), 1) {
  out_.reserve(network.channel_count());
  degree_.reserve(network.router_count());
  for (const ChannelId c : network.channels()) out_.push_back(c);
  for (const RouterId r : network.routers()) degree_.push_back(network.out(r).size());
}

LiveNetwork::LiveNetwork(const Network& network, const Faults& dead) : LiveNetwork(network) {
  LiveChange change;
  change.dead_routers = dead.routers;
  change.dead_channels = dead.channels;
  apply(change);
}

void LiveNetwork::list(RouterId r) {
  const IdRange<ChannelId> all = network_->out(r);
  std::uint32_t next = all.first();
  for (const ChannelId c : all) {
    if (alive(c)) out_[next++] = c;
  }
  degree_[r.value] = next - all.first();
}

LiveEvent LiveNetwork::apply(const LiveChange& change) {
  for (const auto* routers : {&change.dead_routers, &change.back_routers}) {
    for (const RouterId r : *routers) (void)dead_router_.at(r.value);
  }
  for (const auto* channels : {&change.dead_channels, &change.back_channels}) {
    for (const ChannelId c : *channels) (void)dead_channel_.at(c.value);
  }
  LiveEvent event;
  std::vector<ChannelId> touched;
  for (const auto* channels : {&change.dead_channels, &change.back_channels}) {
    for (const ChannelId c : *channels) {
      dead_channel_[c.value] = channels == &change.dead_channels ? 1 : 0;
      touched.push_back(c);
    }
  }
  std::vector<RouterId> named = change.dead_routers;
  named.insert(named.end(), change.back_routers.begin(), change.back_routers.end());
  std::sort(named.begin(), named.end());
  named.erase(std::unique(named.begin(), named.end()), named.end());
  std::vector<RouterId> back = change.back_routers;
  std::sort(back.begin(), back.end());
  for (const RouterId r : named) {
    const bool lives = std::binary_search(back.begin(), back.end(), r);
    if (lives == alive(r)) continue;
    dead_router_[r.value] = lives ? 0 : 1;
    event.routers.push_back(r);
    for (const ChannelId c : network_->out(r)) touched.push_back(c);
    for (const ChannelId c : network_->in(r)) touched.push_back(c);
  }
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  for (const ChannelId c : touched) {
    const bool lives = dead_channel_[c.value] == 0 && alive(source(c)) && alive(target(c));
    if (lives == alive(c)) continue;
    alive_[c.value] = lives ? 1 : 0;
    live_ = lives ? live_ + 1 : live_ - 1;
    event.channels.push_back(c);
  }
  for (std::size_t i = 0; i < event.channels.size(); ++i) {
    const RouterId from = source(event.channels[i]);
    if (i == 0 || from != source(event.channels[i - 1])) list(from);
  }
  return event;
}

Faults LiveNetwork::faults() const {
  Faults faults;
  for (const RouterId r : routers()) {
    if (!alive(r)) faults.routers.push_back(r);
  }
  for (const ChannelId c : network_->channels()) {
    if (dead_channel_[c.value] != 0) faults.channels.push_back(c);
  }
  return faults;
}

}  // namespace unknot
