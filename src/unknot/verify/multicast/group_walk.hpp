// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/lane_function.hpp"
#include "unknot/tables/multicast_tables.hpp"

namespace unknot {

/// Follows the packets of one multicast group after another, from every terminal that may send. A place is a
/// channel on a lane that some copy takes. A copy at a place is copied to the places next to it, as soon as
/// each has room for the whole packet, and gives its own place up when the last has left.
class GroupWalk {
 public:
  struct Place {
    ChannelId channel;
    std::uint8_t lane = 0;
    TerminalId source;  ///< a terminal whose packets come here
  };

  GroupWalk(const Network& network, const LaneFunction& lanes);

  /// Finds the places of the group. O(ports of its routers squared, and terminals there).
  void run(const MulticastGroup& group);

  [[nodiscard]] std::span<const Place> places() const { return places_; }
  /// (from, to) as indices of places(), each pair once.
  [[nodiscard]] std::span<const std::pair<std::uint32_t, std::uint32_t>> arcs() const { return arcs_; }
  /// Entries of the group that name a port where nothing is plugged in.
  [[nodiscard]] std::uint64_t dead_ports() const { return dead_ports_; }
  /// The places, each before those it is copied to; without those of loops and beyond.
  [[nodiscard]] std::span<const std::uint32_t> order() const { return order_; }

  /// Calls visit(terminal, copies) for each terminal that gets what `source` sends, itself aside; copies are
  /// 1 or 2, which stands for more. To be called where order() has all places. O(places and their terminals).
  template <class Visit>
  void deliver(TerminalId source, const Visit& visit);

 private:
  /// A port of the group: the channel or the terminal behind it.
  struct Hop {
    std::uint16_t port = 0;
    ChannelId channel;
    TerminalId terminal;
  };
  static constexpr std::uint32_t kNoPlace = 0xFFFFFFFFU;

  void list_hops();
  void begin_at_terminals();
  void follow();
  void sort();
  [[nodiscard]] std::span<const Hop> hops(RouterId r) const {
    return {hops_.data() + first_hop_[r.value], hops_.data() + first_hop_[r.value + std::size_t{1}]};
  }
  [[nodiscard]] std::uint8_t lane(RouterId at, std::uint16_t in_port, const Hop& hop) const {
    return lanes_->lane(group_->level(), at, in_port, hop.port);
  }
  [[nodiscard]] bool carries(std::uint8_t lane) const { return lane < lanes_->lanes(); }
  std::uint32_t place_of(ChannelId channel, std::uint8_t lane, TerminalId source);
  template <class Visit>
  void leave(RouterId at, std::uint16_t in_port, std::uint8_t copies, const Visit& visit);

  const Network* network_;
  const LaneFunction* lanes_;
  const MulticastGroup* group_ = nullptr;
  std::vector<std::uint32_t> first_hop_;  // by router, one more at the end
  std::vector<Hop> hops_;
  std::vector<std::uint32_t> index_;  // by lane * channels + channel: its place
  std::vector<Place> places_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> arcs_;
  std::vector<std::uint32_t> waits_for_, first_arc_, order_;
  std::vector<std::uint8_t> copies_;  // by place
  std::uint64_t dead_ports_ = 0;
};

template <class Visit>
void GroupWalk::leave(RouterId at, std::uint16_t in_port, std::uint8_t copies, const Visit& visit) {
  for (const Hop& hop : hops(at)) {
    if (hop.port == in_port) continue;
    const std::uint8_t on = lane(at, in_port, hop);
    if (!carries(on)) continue;
    if (hop.channel.valid()) {
      std::uint8_t& there = copies_[index_[std::size_t{on} * network_->channel_count() + hop.channel.value]];
      there = static_cast<std::uint8_t>(there + copies > 2 ? 2 : there + copies);
    } else {
      visit(hop.terminal, copies);
    }
  }
}

template <class Visit>
void GroupWalk::deliver(TerminalId source, const Visit& visit) {
  if (!carries(lanes_->injected(group_->level(), source))) return;
  copies_.assign(places_.size(), 0);
  leave(network_->router_of(source), network_->terminal_port(source), 1, visit);
  for (const std::uint32_t p : order_) {
    if (copies_[p] == 0) continue;
    const ChannelId c = places_[p].channel;
    leave(network_->target(c), network_->target_port(c), copies_[p], visit);
  }
}

}  // namespace unknot
