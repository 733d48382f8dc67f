// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/management/switch_trees.hpp"

#include <bit>
#include <optional>
#include <utility>

namespace unknot {
namespace {

constexpr std::uint32_t kLost = 0xFFFFFFFFU;  // hops of a router whose data entries do not deliver

}  // namespace

SwitchTrees::SwitchTrees(const ManagedNetwork& managed, Routing& routing, const DependencySlots& slots,
                         std::span<const std::uint16_t> uses, std::vector<LaneSequence> sequences)
    : managed_(&managed),
      routing_(&routing),
      slots_(&slots),
      uses_(uses),
      sequences_(std::move(sequences)),
      all_lanes_(static_cast<std::uint16_t>((1U << sequences_.size()) - 1)) {}

SwitchTrees::Scratch SwitchTrees::scratch() const {
  const std::uint32_t routers = managed_->network.router_count();
  Scratch s;
  s.stamp.assign(routers, 0);
  s.hops.resize(routers);
  s.lanes.resize(routers);
  s.entry.resize(routers);
  s.stays.resize(routers);
  s.open.assign(routers, false);
  return s;
}

std::vector<RouterId> SwitchTrees::grow(TerminalId destination, Scratch& s) {
  const Network& network = managed_->network;
  const RouterId home = network.router_of(destination);
  const bool from_all = !has_hosts(home);  // no row of data leads there
  begin(home, s);
  if (!from_all) keep_data(destination, s);
  keep_entries(destination, from_all, s);
  const auto missing = [&] {
    std::uint32_t count = 0;
    for (const RouterId r : network.routers()) count += seeks(r, from_all, s) ? 1 : 0;
    return count;
  };
  const auto grow_nearest_ways = [&] {
    for (const Turns turns : {Turns::of_data, Turns::in_sequence}) {
      if (missing() > 0) grow_nearest(home, from_all, turns, s);
    }
  };
  grow_nearest_ways();
  std::uint32_t fewest = missing();
  std::optional<std::uint32_t> best;
  for (std::uint32_t lane = 0; lane < sequences_.size() && fewest > 0; ++lane) {
    forget_grown(s);
    grow_in_sequence(home, from_all, lane, s);
    const std::uint32_t left = missing();
    if (left >= fewest) continue;
    fewest = left;
    best = lane;
  }
  if (fewest > 0) {
    forget_grown(s);
    if (best) {
      grow_in_sequence(home, from_all, *best, s);
    } else {
      keep_entries(destination, from_all, s);
      grow_nearest_ways();
    }
  }
  return write(destination, from_all, s);
}

/// Whether the router still needs a way.
bool SwitchTrees::seeks(RouterId r, bool from_all, const Scratch& s) const {
  return s.stamp[r.value] != s.search && (from_all || !has_hosts(r));
}

void SwitchTrees::begin(RouterId home, Scratch& s) const {
  ++s.search;
  s.grown.clear();
  s.stamp[home.value] = s.search;
  s.hops[home.value] = 0;
  s.lanes[home.value] = all_lanes_;
  s.entry[home.value] = ChannelId();
  s.stays[home.value] = true;
}

/// Marks what hosts' packets to the destination meet: hops, entries and the lanes on which one could follow
/// them.
void SwitchTrees::keep_data(TerminalId destination, Scratch& s) const {
  const Network& network = managed_->network;
  const RouterId home = network.router_of(destination);
  for (const RouterId start : network.routers()) {
    if (!has_hosts(start)) continue;
    s.chain.clear();
    RouterId at = start;
    while (s.stamp[at.value] != s.search) {
      s.stamp[at.value] = s.search;
      s.stays[at.value] = true;
      s.hops[at.value] = kLost;  // until its way is known to end well
      s.lanes[at.value] = 0;
      s.entry[at.value] = routing_->table().next(network, at, destination);
      if (!s.entry[at.value].valid()) break;
      s.chain.push_back(at.value);
      at = network.target(s.entry[at.value]);
    }
    if (s.hops[at.value] == kLost) continue;
    for (std::size_t i = s.chain.size(); i-- > 0;) {
      const std::uint32_t r = s.chain[i];
      const RouterId next = network.target(s.entry[r]);
      s.hops[r] = s.hops[next.value] + 1;
      s.lanes[r] = lanes_through(s.entry[r], home, Turns::in_sequence, s);
    }
  }
}

/// The engine's own entries where they agree: what no data needs is mostly there already, and spread as data
/// is.
void SwitchTrees::keep_entries(TerminalId destination, bool from_all, Scratch& s) const {
  const Network& network = managed_->network;
  const RouterId home = network.router_of(destination);
  for (const RouterId start : network.routers()) {
    s.chain.clear();
    RouterId at = start;
    while (seeks(at, from_all, s)) {
      s.entry[at.value] = routing_->table().next(network, at, destination);
      if (!s.entry[at.value].valid() || s.chain.size() > network.router_count()) break;
      s.chain.push_back(at.value);
      at = network.target(s.entry[at.value]);
    }
    if (s.stamp[at.value] != s.search || s.hops[at.value] == kLost) continue;
    for (std::size_t i = s.chain.size(); i-- > 0;) {
      const std::uint32_t r = s.chain[i];
      const std::uint16_t lanes = lanes_through(s.entry[r], home, Turns::in_sequence, s);
      if (lanes == 0) break;  // those before it go through it
      s.stamp[r] = s.search;
      s.hops[r] = s.hops[network.target(s.entry[r]).value] + 1;
      s.lanes[r] = lanes;
      s.stays[r] = false;
      s.grown.push_back(r);
    }
  }
}

/// Lanes on which a packet can go by `c` and on along the way of the router it enters.
std::uint16_t SwitchTrees::lanes_through(ChannelId c, RouterId home, Turns turns, const Scratch& s) const {
  const RouterId next = managed_->network.target(c);
  if (next == home) return all_lanes_;
  if (turns == Turns::of_data) {
    const std::uint32_t position = s.entry[next.value].value - managed_->network.out(next).first();
    return s.lanes[next.value] & uses_[slots_->slot(c.value, position)];
  }
  std::uint16_t lanes = 0;
  for (std::uint16_t left = s.lanes[next.value]; left != 0; left &= static_cast<std::uint16_t>(left - 1)) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    if (sequences_[lane].leads(c, s.entry[next.value])) lanes |= static_cast<std::uint16_t>(1U << lane);
  }
  return lanes;
}

/// Nearest first; of ways of equal length one on which more lanes serve, then one whose channel comes later
/// in their sequence, which more ways can lead to.
void SwitchTrees::grow_nearest(RouterId home, bool from_all, Turns turns, Scratch& s) const {
  const Network& network = managed_->network;
  for (auto& bucket : s.buckets) bucket.clear();
  const auto put = [&](std::uint32_t router, std::uint32_t hops) {
    if (s.buckets.size() <= hops) s.buckets.resize(hops + std::size_t{1});
    s.buckets[hops].push_back(router);
  };
  for (const RouterId r : network.routers()) {
    if (s.stamp[r.value] == s.search && s.hops[r.value] != kLost) put(r.value, s.hops[r.value]);
  }
  const auto worth = [&](std::uint16_t lanes, ChannelId c) {
    const std::uint32_t lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
    return std::pair(std::popcount(lanes), sequences_[lane].place[c.value]);
  };
  for (std::uint32_t hops = 0; hops < s.buckets.size(); ++hops) {
    for (std::size_t i = 0; i < s.buckets[hops].size(); ++i) {
      const RouterId at(s.buckets[hops][i]);
      s.open[at.value] = false;
      for (const ChannelId c : network.in(at)) {
        const RouterId from = network.source(c);
        const bool found = s.stamp[from.value] == s.search;
        if (found ? !s.open[from.value] : !seeks(from, from_all, s)) continue;
        const std::uint16_t lanes = lanes_through(c, home, turns, s);
        if (lanes == 0) continue;
        if (found && worth(lanes, c) <= worth(s.lanes[from.value], s.entry[from.value])) continue;
        s.entry[from.value] = c;
        s.lanes[from.value] = lanes;
        if (found) continue;
        s.stamp[from.value] = s.search;
        s.hops[from.value] = hops + 1;
        s.stays[from.value] = false;
        s.open[from.value] = true;
        s.grown.push_back(from.value);
        put(from.value, hops + 1);
      }
    }
  }
}

/// Each router takes the last channel of the sequence that leads to the destination: whatever leads to
/// another of its channels leads to this one, so that no choice loses anything.
void SwitchTrees::grow_in_sequence(RouterId home, bool from_all, std::uint32_t lane, Scratch& s) const {
  const Network& network = managed_->network;
  const LaneSequence& sequence = sequences_[lane];
  for (std::size_t i = sequence.channels.size(); i-- > 0;) {
    const ChannelId c = sequence.channels[i];
    const RouterId from = network.source(c);
    const RouterId to = network.target(c);
    if (!seeks(from, from_all, s) || s.stamp[to.value] != s.search) continue;
    if ((lanes_through(c, home, Turns::in_sequence, s) >> lane & 1U) == 0) continue;
    s.stamp[from.value] = s.search;
    s.hops[from.value] = s.hops[to.value] + 1;
    s.entry[from.value] = c;
    s.lanes[from.value] = static_cast<std::uint16_t>(1U << lane);
    s.stays[from.value] = false;
    s.grown.push_back(from.value);
  }
}

void SwitchTrees::forget_grown(Scratch& s) const {
  for (const std::uint32_t r : s.grown) s.stamp[r] = 0;
  s.grown.clear();
}

std::vector<RouterId> SwitchTrees::write(TerminalId destination, bool from_all, const Scratch& s) {
  const Network& network = managed_->network;
  const RouterId home = network.router_of(destination);
  ServiceLevels& levels = routing_->service_levels;
  std::vector<RouterId> without;
  for (const RouterId r : network.routers()) {
    if (r == home || (has_hosts(r) && !from_all)) continue;
    const bool found = s.stamp[r.value] == s.search && s.lanes[r.value] != 0;
    if (!found) without.push_back(r);
    if (s.stamp[r.value] != s.search || !s.stays[r.value]) {
      routing_->table().set(r, destination,
                            found ? s.entry[r.value].value - network.out(r).first() : ForwardingTable::kNone);
    }
    const std::uint8_t level =
        found ? static_cast<std::uint8_t>(std::countr_zero(s.lanes[r.value])) : ServiceLevels::kMissing;
    for (const TerminalId source : network.terminals_at(r))
      levels.row(levels.row_of(source))[destination.value] = level;
  }
  return without;
}

}  // namespace unknot
