// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/multicast/group_walk.hpp"

#include <cstddef>

namespace unknot {

GroupWalk::GroupWalk(const Network& network, const LaneFunction& lanes)
    : network_(&network), lanes_(&lanes), first_hop_(network.router_count() + std::size_t{1}, 0) {}

void GroupWalk::run(const MulticastGroup& group) {
  for (const Place& place : places_)
    index_[std::size_t{place.lane} * network_->channel_count() + place.channel.value] = kNoPlace;
  group_ = &group;
  places_.clear();
  arcs_.clear();
  list_hops();
  begin_at_terminals();
  follow();
  sort();
}

void GroupWalk::list_hops() {
  hops_.clear();
  dead_ports_ = 0;
  for (const RouterId r : network_->routers()) {
    first_hop_[r.value] = static_cast<std::uint32_t>(hops_.size());
    for (const std::uint16_t port : group_->ports(r)) {
      const Hop hop{port, port == 0 ? ChannelId() : network_->channel_at(r, port),
                    network_->terminal_at(r, port)};
      if (hop.channel.valid() || hop.terminal.valid()) {
        hops_.push_back(hop);
      } else if (port !=
                 0) {  // port 0 is the switch itself, which a network without management does not have
        ++dead_ports_;
      }
    }
  }
  first_hop_.back() = static_cast<std::uint32_t>(hops_.size());
}

std::uint32_t GroupWalk::place_of(ChannelId channel, std::uint8_t lane, TerminalId source) {
  const std::size_t at = std::size_t{lane} * network_->channel_count() + channel.value;
  if (at >= index_.size()) index_.resize((lane + std::size_t{1}) * network_->channel_count(), kNoPlace);
  if (index_[at] == kNoPlace) {
    index_[at] = static_cast<std::uint32_t>(places_.size());
    places_.push_back({channel, lane, source});
  }
  return index_[at];
}

void GroupWalk::begin_at_terminals() {
  for (const RouterId r : group_->routers()) {
    for (const TerminalId source : network_->terminals_at(r)) {
      if (!carries(lanes_->injected(group_->level(), source))) continue;
      const std::uint16_t in_port = network_->terminal_port(source);
      for (const Hop& hop : hops(r)) {
        if (!hop.channel.valid() || hop.port == in_port) continue;
        const std::uint8_t on = lane(r, in_port, hop);
        if (carries(on)) place_of(hop.channel, on, source);
      }
    }
  }
}

void GroupWalk::follow() {
  for (std::uint32_t p = 0; p < places_.size(); ++p) {
    const Place from = places_[p];
    const RouterId r = network_->target(from.channel);
    const std::uint16_t in_port = network_->target_port(from.channel);
    for (const Hop& hop : hops(r)) {
      if (!hop.channel.valid() || hop.port == in_port) continue;
      const std::uint8_t on = lane(r, in_port, hop);
      if (carries(on)) arcs_.emplace_back(p, place_of(hop.channel, on, from.source));
    }
  }
}

void GroupWalk::sort() {
  waits_for_.assign(places_.size(), 0);
  for (const auto& [from, to] : arcs_) ++waits_for_[to];
  order_.clear();
  for (std::uint32_t p = 0; p < places_.size(); ++p) {
    if (waits_for_[p] == 0) order_.push_back(p);
  }
  // Arcs come by their tails, as follow() made them.
  std::vector<std::uint32_t>& first = first_arc_;
  first.assign(places_.size() + std::size_t{1}, 0);
  for (const auto& [from, to] : arcs_) ++first[from + std::size_t{1}];
  for (std::size_t p = 0; p < places_.size(); ++p) first[p + 1] += first[p];
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const std::uint32_t p = order_[i];
    for (std::uint32_t a = first[p]; a < first[p + std::size_t{1}]; ++a) {
      if (--waits_for_[arcs_[a].second] == 0) order_.push_back(arcs_[a].second);
    }
  }
}

}  // namespace unknot
