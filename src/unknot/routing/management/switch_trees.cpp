// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/management/switch_trees.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <utility>

namespace unknot {
namespace {

constexpr std::uint32_t kLost = 0xFFFFFFFFU;  // hops of a router whose data entries do not deliver
constexpr std::size_t kFew = 8;

}  // namespace

SwitchTrees::SwitchTrees(const ManagedNetwork& managed, Routing& routing, const DependencySlots& slots,
                         std::span<const std::uint16_t> uses, std::vector<LaneSequence> sequences,
                         std::span<const std::vector<RouterId>> seeking)
    : managed_(&managed),
      routing_(&routing),
      slots_(&slots),
      uses_(uses),
      sequences_(std::move(sequences)),
      seeking_(seeking),
      all_lanes_(static_cast<std::uint16_t>((1U << sequences_.size()) - 1)) {
  const Network& network = managed.network;
  place_.reserve(network.channel_count() * sequences_.size());
  for (const ChannelId c : network.channels()) {
    for (const LaneSequence& sequence : sequences_) place_.push_back(sequence.place[c.value]);
  }
  for (const RouterId r : network.routers()) {
    has_hosts_.push_back(network.terminals_at(r).size() > 1 ? 1 : 0);
    all_.push_back(r);
    (has_hosts_.back() != 0 ? with_hosts_ : bare_).push_back(r);
  }
}

SwitchTrees::Scratch SwitchTrees::scratch() const {
  const std::uint32_t routers = managed_->network.router_count();
  Scratch s;
  s.stamp.assign(routers, 0);
  s.asks.assign(routers, 0);
  s.hops.resize(routers);
  s.lanes.resize(routers);
  s.lanes_known.assign(routers, 1);
  s.entry.resize(routers);
  s.stays.resize(routers);
  s.open.assign(routers, false);
  return s;
}

void SwitchTrees::grow(std::uint32_t begin, std::uint32_t end, Scratch& s,
                       std::span<std::vector<RouterId>> without) {
  bool nobody = true;
  for (TerminalId d(begin); d.value < end; ++d.value) nobody &= may_seek(d).empty();
  if (nobody) return;
  load(begin, end, s);
  for (TerminalId d(begin); d.value < end; ++d.value) without[d.value] = grow_column(d, s);
  store(end, s);
}

void SwitchTrees::load(std::uint32_t begin, std::uint32_t end, Scratch& s) const {
  const std::uint32_t routers = managed_->network.router_count();
  const std::uint32_t columns = end - begin;
  const ForwardingTable& table = routing_->table();
  s.first = begin;
  s.level.assign(std::size_t{routers} * columns, kUnchanged);
  s.position.resize(s.level.size());
  table.with_entry_type([&]<class Entry>(Entry) {
    const Entry* row = table.entries<Entry>().data() + begin;
    for (std::uint32_t r = 0; r < routers; ++r, row += table.terminal_count()) {
      std::uint32_t* to = s.position.data() + r;
      for (std::uint32_t i = 0; i < columns; ++i, to += routers) {
        const bool mark = row[i] >= ForwardingTable::stray<Entry>;
        *to = mark ? row[i] | ~std::uint32_t{std::numeric_limits<Entry>::max()} : row[i];
      }
    }
  });
}

void SwitchTrees::store(std::uint32_t end, const Scratch& s) {
  const Network& network = managed_->network;
  const std::uint32_t routers = network.router_count();
  ServiceLevels& levels = routing_->service_levels;
  for (const RouterId r : network.routers()) {
    for (std::uint32_t d = s.first; d < end; ++d) {
      const std::size_t at = std::size_t{d - s.first} * routers + r.value;
      if (s.level[at] == kUnchanged) continue;
      routing_->table().set(r, TerminalId(d), s.position[at]);
      if (levels.empty()) continue;
      for (const TerminalId source : network.terminals_at(r))
        levels.row(levels.row_of(source))[d] = s.level[at];
    }
  }
}

ChannelId SwitchTrees::next(RouterId r, TerminalId destination, const Scratch& s) const {
  const std::uint32_t position =
      s.position[std::size_t{destination.value - s.first} * managed_->network.router_count() + r.value];
  return position >= ForwardingTable::kStray ? ChannelId() : managed_->network.out(r)[position];
}

std::vector<RouterId> SwitchTrees::grow_column(TerminalId destination, Scratch& s) const {
  const RouterId home = managed_->network.router_of(destination);
  begin(destination, s);
  if (s.may_seek.empty()) return {};
  if (seeking_.empty() && !from_all(destination)) {
    for (const RouterId start : with_hosts_) keep_way(start, destination, s);
  }
  keep_entries(destination, s);
  const auto grow_nearest_ways = [&] {
    for (const Turns turns : {Turns::of_data, Turns::in_sequence}) {
      // Who is known to seek a way cannot follow data, but for a few.
      if (turns == Turns::of_data && !seeking_.empty()) continue;
      const bool few = find_seekers(destination, s);
      if (s.seekers.empty()) return;
      if (few) {
        reach_nearest(home, turns, s);
      } else {
        grow_nearest(home, turns, s);
      }
    }
  };
  grow_nearest_ways();
  std::uint32_t fewest = still_seeking(s);
  std::optional<std::uint32_t> best;
  for (std::uint32_t lane = 0; lane < sequences_.size() && fewest > 0; ++lane) {
    forget_grown(s);
    grow_in_sequence(destination, lane, s);
    const std::uint32_t left = still_seeking(s);
    if (left >= fewest) continue;
    fewest = left;
    best = lane;
  }
  if (fewest > 0) {
    forget_grown(s);
    if (best) {
      grow_in_sequence(destination, *best, s);
    } else {
      keep_entries(destination, s);
      grow_nearest_ways();
    }
  }
  return write(destination, s);
}

void SwitchTrees::begin(TerminalId destination, Scratch& s) const {
  const RouterId home = managed_->network.router_of(destination);
  ++s.search;
  s.grown.clear();
  s.may_seek = may_seek(destination);
  for (const RouterId r : s.may_seek) s.asks[r.value] = s.search;
  s.stamp[home.value] = s.search;
  s.hops[home.value] = 0;
  s.lanes[home.value] = all_lanes_;
  s.lanes_known[home.value] = 1;
  s.entry[home.value] = ChannelId();
  s.stays[home.value] = true;
}

/// Marks what the packets of one router that has a way meet: hops and entries. On which lanes one could
/// follow them is found for those alone that somebody would follow.
void SwitchTrees::keep_way(RouterId start, TerminalId destination, Scratch& s) const {
  s.way.clear();
  RouterId at = start;
  while (s.stamp[at.value] != s.search) {
    s.stamp[at.value] = s.search;
    s.stays[at.value] = true;
    s.hops[at.value] = kLost;  // until its way is known to end well
    s.lanes[at.value] = 0;
    s.lanes_known[at.value] = 1;
    s.entry[at.value] = next(at, destination, s);
    if (!s.entry[at.value].valid()) break;
    s.way.push_back(at.value);
    at = managed_->network.target(s.entry[at.value]);
  }
  if (s.hops[at.value] == kLost) return;
  for (std::size_t i = s.way.size(); i-- > 0;) {
    const std::uint32_t r = s.way[i];
    const RouterId next = managed_->network.target(s.entry[r]);
    s.hops[r] = s.hops[next.value] + 1;
    s.lanes_known[r] = 0;
  }
}

/// The engine's own entries where they agree: what no data needs is mostly there already, and spread as data
/// is.
void SwitchTrees::keep_entries(TerminalId destination, Scratch& s) const {
  const Network& network = managed_->network;
  const RouterId home = network.router_of(destination);
  for (const RouterId start : s.may_seek) {
    s.chain.clear();
    RouterId at = start;
    while (seeks(at, s)) {
      s.entry[at.value] = next(at, destination, s);
      if (!s.entry[at.value].valid() || s.chain.size() > network.router_count()) break;
      s.chain.push_back(at.value);
      at = network.target(s.entry[at.value]);
    }
    if (s.asks[at.value] != s.search) keep_way(at, destination, s);
    if (s.stamp[at.value] != s.search || s.hops[at.value] == kLost) continue;
    for (std::size_t i = s.chain.size(); i-- > 0;) {
      const std::uint32_t r = s.chain[i];
      const std::uint16_t lanes = lanes_through(s.entry[r], home, Turns::in_sequence, s);
      if (lanes == 0) break;  // those before it go through it
      s.stamp[r] = s.search;
      s.hops[r] = s.hops[network.target(s.entry[r]).value] + 1;
      s.lanes[r] = lanes;
      s.lanes_known[r] = 1;
      s.stays[r] = false;
      s.grown.push_back(r);
    }
  }
}

/// Lanes on which a packet can go the whole way of a router that has one.
std::uint16_t SwitchTrees::lanes_of(RouterId r, RouterId home, Scratch& s) const {
  if (s.lanes_known[r.value] == 0) {
    s.lanes_known[r.value] = 1;  // ways of data that arrive have no loops: the chain ends
    s.lanes[r.value] = lanes_through(s.entry[r.value], home, Turns::in_sequence, s);
  }
  return s.lanes[r.value];
}

/// Lanes on which a packet can go by `c` and on along the way of the router it enters.
std::uint16_t SwitchTrees::lanes_through(ChannelId c, RouterId home, Turns turns, Scratch& s) const {
  const RouterId next = managed_->network.target(c);
  if (next == home) return all_lanes_;
  if (turns == Turns::of_data) {
    const std::uint32_t position = s.entry[next.value].value - managed_->network.out(next).first();
    return lanes_of(next, home, s) & uses_[slots_->slot(c.value, position)];
  }
  const std::uint16_t of_next = lanes_of(next, home, s);
  if (of_next == 0) return 0;
  const std::uint32_t* here = place_.data() + c.value * sequences_.size();
  const std::uint32_t* then = place_.data() + s.entry[next.value].value * sequences_.size();
  std::uint16_t lanes = 0;
  for (std::uint16_t left = of_next; left != 0; left &= static_cast<std::uint16_t>(left - 1)) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    if (here[lane] < then[lane]) lanes |= static_cast<std::uint16_t>(1U << lane);
  }
  return lanes;
}

bool SwitchTrees::find_seekers(TerminalId destination, Scratch& s) const {
  const Network& network = managed_->network;
  s.seekers.clear();
  std::size_t channels = 0;
  for (const RouterId r : s.may_seek) {
    if (!seeks(r, s)) continue;
    s.seekers.push_back(r);
    channels += network.out(r).size();
  }
  const bool few = channels * kFew < network.channel_count();
  s.channels.clear();
  for (const RouterId r : s.seekers) {
    for (const ChannelId c : network.out(r)) {
      const RouterId to = network.target(c);
      if (s.asks[to.value] != s.search) keep_way(to, destination, s);
      if (few) s.channels.push_back(c.value);
    }
  }
  return few;
}

std::uint32_t SwitchTrees::still_seeking(const Scratch& s) {
  return static_cast<std::uint32_t>(
      std::count_if(s.seekers.begin(), s.seekers.end(), [&](RouterId r) { return seeks(r, s); }));
}

std::pair<int, std::uint32_t> SwitchTrees::worth(std::uint16_t lanes, ChannelId c) const {
  const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
  return {std::popcount(lanes), sequences_[lane].place[c.value]};
}

/// Nearest first; of ways of equal length one on which more lanes serve, then one whose channel comes later
/// in their sequence, which more ways can lead to.
void SwitchTrees::grow_nearest(RouterId home, Turns turns, Scratch& s) const {
  const Network& network = managed_->network;
  for (auto& bucket : s.buckets) bucket.clear();
  const auto put = [&](std::uint32_t router, std::uint32_t hops) {
    if (s.buckets.size() <= hops) s.buckets.resize(hops + std::size_t{1});
    s.buckets[hops].push_back(router);
  };
  for (const RouterId r : network.routers()) {
    if (s.stamp[r.value] == s.search && s.hops[r.value] != kLost) put(r.value, s.hops[r.value]);
  }
  for (std::uint32_t hops = 0; hops < s.buckets.size(); ++hops) {
    for (std::size_t i = 0; i < s.buckets[hops].size(); ++i) {
      const RouterId at(s.buckets[hops][i]);
      s.open[at.value] = false;
      for (const ChannelId c : network.in(at)) {
        const RouterId from = network.source(c);
        const bool found = s.stamp[from.value] == s.search;
        if (found ? !s.open[from.value] : !seeks(from, s)) continue;
        const std::uint16_t lanes = lanes_through(c, home, turns, s);
        if (lanes == 0) continue;
        if (found && worth(lanes, c) <= worth(s.lanes[from.value], s.entry[from.value])) continue;
        s.entry[from.value] = c;
        s.lanes[from.value] = lanes;
        s.lanes_known[from.value] = 1;
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

/// The same where few seek a way: of all channels only theirs are looked at.
void SwitchTrees::reach_nearest(RouterId home, Turns turns, Scratch& s) const {
  const Network& network = managed_->network;
  for (auto& bucket : s.buckets) bucket.clear();
  const auto put = [&](std::uint32_t channel, std::uint32_t hops) {
    if (s.buckets.size() <= hops) s.buckets.resize(hops + std::size_t{1});
    s.buckets[hops].push_back(channel);
  };
  for (const std::uint32_t c : s.channels) {
    const std::uint32_t to = network.target(ChannelId(c)).value;
    if (s.stamp[to] == s.search && s.hops[to] != kLost) put(c, s.hops[to]);
  }
  for (std::uint32_t hops = 0; hops < s.buckets.size(); ++hops) {
    const std::size_t before = s.grown.size();
    for (const std::uint32_t candidate : s.buckets[hops]) {
      const ChannelId c(candidate);
      const std::uint32_t from = network.source(c).value;
      const bool found = s.stamp[from] == s.search;
      if (found && !s.open[from]) continue;
      const std::uint16_t lanes = lanes_through(c, home, turns, s);
      if (lanes == 0) continue;
      if (found && worth(lanes, c) <= worth(s.lanes[from], s.entry[from])) continue;
      s.entry[from] = c;
      s.lanes[from] = lanes;
      s.lanes_known[from] = 1;
      if (found) continue;
      s.stamp[from] = s.search;
      s.hops[from] = hops + 1;
      s.stays[from] = false;
      s.open[from] = true;
      s.grown.push_back(from);
    }
    for (std::size_t i = before; i < s.grown.size(); ++i) {
      const RouterId at(s.grown[i]);
      s.open[at.value] = false;
      for (const ChannelId c : network.in(at)) {
        if (seeks(network.source(c), s)) put(c.value, hops + 1);
      }
    }
  }
}

/// Each router takes the last channel of the sequence that leads to the destination: whatever leads to
/// another of its channels leads to this one, so that no choice loses anything.
void SwitchTrees::grow_in_sequence(TerminalId destination, std::uint32_t lane, Scratch& s) const {
  const Network& network = managed_->network;
  const RouterId home = network.router_of(destination);
  const LaneSequence& sequence = sequences_[lane];
  const auto try_channel = [&](ChannelId c) {
    const RouterId from = network.source(c);
    const RouterId to = network.target(c);
    if (!seeks(from, s) || s.stamp[to.value] != s.search) return;
    if ((lanes_through(c, home, Turns::in_sequence, s) >> lane & 1U) == 0) return;
    s.stamp[from.value] = s.search;
    s.hops[from.value] = s.hops[to.value] + 1;
    s.entry[from.value] = c;
    s.lanes[from.value] = static_cast<std::uint16_t>(1U << lane);
    s.lanes_known[from.value] = 1;
    s.stays[from.value] = false;
    s.grown.push_back(from.value);
  };
  if (find_seekers(destination, s)) {
    std::sort(s.channels.begin(), s.channels.end(),
              [&](std::uint32_t a, std::uint32_t b) { return sequence.place[a] > sequence.place[b]; });
    for (const std::uint32_t c : s.channels) try_channel(ChannelId(c));
  } else {
    for (std::size_t i = sequence.channels.size(); i-- > 0;) try_channel(sequence.channels[i]);
  }
}

void SwitchTrees::forget_grown(Scratch& s) const {
  for (const std::uint32_t r : s.grown) s.stamp[r] = 0;
  s.grown.clear();
}

std::vector<RouterId> SwitchTrees::write(TerminalId destination, Scratch& s) const {
  const Network& network = managed_->network;
  const RouterId home = network.router_of(destination);
  const std::size_t column = std::size_t{destination.value - s.first} * network.router_count();
  std::vector<RouterId> without;
  for (const RouterId r : s.may_seek) {
    if (r == home) continue;
    const bool found = s.stamp[r.value] == s.search && lanes_of(r, home, s) != 0;
    if (!found) without.push_back(r);
    if (s.stamp[r.value] != s.search || !s.stays[r.value]) {
      s.position[column + r.value] =
          found ? s.entry[r.value].value - network.out(r).first() : ForwardingTable::kNone;
    }
    s.level[column + r.value] =
        found ? static_cast<std::uint8_t>(std::countr_zero(s.lanes[r.value])) : ServiceLevels::kMissing;
  }
  return without;
}

}  // namespace unknot
