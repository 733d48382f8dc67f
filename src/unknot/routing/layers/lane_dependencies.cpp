// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/layers/lane_dependencies.hpp"

#include <fmt/format.h>

#include <bit>
#include <numeric>
#include <utility>

#include "unknot/routing/layers/dependency_walk.hpp"
#include "unknot/routing/layers/row_match.hpp"
#include "unknot/routing/model/engine.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kMostIndexed = 64;  // bits of a word

}  // namespace

LaneDependencies::LaneDependencies(const Network& network, const Routing& routing)
    : network_(&network),
      routing_(&routing),
      slots_(network),
      lazy_(routing.service_levels.empty()),
      order_(kLanes),
      index_(kLanes),
      refused_(slots_.count(), 0) {
  for (const RouterId r : network.routers())
    narrow_ = narrow_ && network.out(r).size() <= kMostIndexed && network.in(r).size() <= kMostIndexed;
  if (narrow_) {
    place_in_.resize(network.channel_count());
    for (const RouterId r : network.routers()) {
      std::uint8_t place = 0;
      for (const ChannelId into : network.in(r)) place_in_[into.value] = place++;
    }
  }
  if (lazy_) {
    used_.assign(slots_.count(), 0);
    expanded_.assign(network.channel_count(), 0);
    leads_.assign(slots_.count(), 0);
    matches_.resize(network.terminal_count());
    seen_.assign(network.channel_count(), 0);
  } else {
    used_ = dependency_lanes(network, routing, slots_);
    order_lanes();
  }
}

template <class Visit>
void LaneDependencies::for_each_next(std::uint32_t lane, std::uint32_t c, const Visit& visit) const {
  const IdRange<ChannelId> out = network_->out(network_->target(ChannelId(c)));
  if (narrow_) {
    for (std::uint64_t left = index_[lane].next[c]; left != 0; left &= left - 1) {
      if (!visit(out.first() + static_cast<std::uint32_t>(std::countr_zero(left)))) return;
    }
    return;
  }
  const std::uint16_t* masks = used_.data() + slots_.first(c);
  for (const ChannelId w : out) {
    if ((*masks++ >> lane & 1U) != 0 && !visit(w.value)) return;
  }
}

template <class Visit>
void LaneDependencies::for_each_before(std::uint32_t lane, std::uint32_t c, const Visit& visit) const {
  const RouterId at = network_->source(ChannelId(c));
  const std::span<const ChannelId> in = network_->in(at);
  if (narrow_) {
    for (std::uint64_t left = index_[lane].before[c]; left != 0; left &= left - 1) {
      if (!visit(in[static_cast<std::size_t>(std::countr_zero(left))].value)) return;
    }
    return;
  }
  const std::uint32_t position = c - network_->out(at).first();
  for (const ChannelId w : in) {
    if ((used_[slots_.slot(w.value, position)] >> lane & 1U) != 0 && !visit(w.value)) return;
  }
}

void LaneDependencies::index_lane(std::uint32_t lane) {
  if (!narrow_) return;
  LaneIndex& index = index_[lane];
  index.next.assign(network_->channel_count(), 0);
  index.before.assign(network_->channel_count(), 0);
  for (const ChannelId c : network_->channels()) {
    const std::uint16_t* masks = used_.data() + slots_.first(c.value);
    const IdRange<ChannelId> out = network_->out(network_->target(c));
    std::uint64_t next = 0;
    for (std::uint32_t i = 0; i < out.size(); ++i) next |= std::uint64_t{masks[i] >> lane & 1U} << i;
    index.next[c.value] = next;
    for (; next != 0; next &= next - 1) {
      const std::uint32_t w = out.first() + static_cast<std::uint32_t>(std::countr_zero(next));
      index.before[w] |= std::uint64_t{1} << place_in_[c.value];
    }
  }
}

/// Of a lane that has an order, or of lane 0 where lazy.
void LaneDependencies::set_use(ChannelId from, ChannelId to, std::uint32_t lane, bool used) {
  const auto bit = static_cast<std::uint16_t>(1U << lane);
  std::uint16_t& mask = used_[slot_of(from, to)];
  mask = static_cast<std::uint16_t>(used ? mask | bit : mask & ~bit);
  LaneIndex& index = index_[lane];
  if (index.next.empty()) return;
  const std::uint64_t next = std::uint64_t{1} << (to.value - network_->out(network_->target(from)).first());
  const std::uint64_t before = std::uint64_t{1} << place_in_[from.value];
  index.next[from.value] = used ? index.next[from.value] | next : index.next[from.value] & ~next;
  index.before[to.value] = used ? index.before[to.value] | before : index.before[to.value] & ~before;
}

/// A topological order of each lane that is in use.
void LaneDependencies::order_lanes() {
  const std::uint32_t channels = network_->channel_count();
  std::uint32_t lanes = 0;
  for (const std::uint16_t mask : used_) lanes |= mask;
  std::vector<std::uint32_t> waiting, order;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    if ((lanes >> lane & 1U) == 0) continue;
    index_lane(lane);
    waiting.assign(channels, 0);
    order.clear();
    for (std::uint32_t c = 0; c < channels; ++c) {
      for_each_next(lane, c, [&](std::uint32_t next) {
        ++waiting[next];
        return true;
      });
    }
    for (std::uint32_t c = 0; c < channels; ++c) {
      if (waiting[c] == 0) order.push_back(c);
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
      for_each_next(lane, order[i], [&](std::uint32_t next) {
        if (--waiting[next] == 0) order.push_back(next);
        return true;
      });
    }
    if (order.size() < channels) {
      throw RoutingFailure(fmt::format("the old tables can deadlock on lane {}: route anew", lane));
    }
    std::vector<std::uint32_t> place(channels);
    for (std::uint32_t i = 0; i < channels; ++i) place[order[i]] = i;
    order_[lane] = OnlineOrder(std::move(place));
  }
}

bool LaneDependencies::add_path(std::uint32_t lane, std::span<const ChannelId> path) {
  const std::size_t before = mark();
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    if (surely_uses(lane, path[i], path[i + 1])) continue;
    const std::uint64_t slot = slot_of(path[i], path[i + 1]);
    const auto bit = static_cast<std::uint16_t>(1U << lane);
    if ((refused_[slot] & bit) != 0 || !allows(lane, path[i], path[i + 1])) {
      if ((refused_[slot] & bit) == 0) {
        refused_[slot] |= bit;
        refusals_.push_back({slot, lane, mark()});
      }
      undo(before);
      return false;
    }
    set_use(path[i], path[i + 1], lane, true);
    added_.push_back({path[i], path[i + 1], lane});
  }
  return true;
}

void LaneDependencies::undo(std::size_t mark) {
  for (; added_.size() > mark; added_.pop_back())
    set_use(added_.back().from, added_.back().to, added_.back().lane, false);
  for (; !refusals_.empty() && refusals_.back().mark > mark; refusals_.pop_back())
    refused_[refusals_.back().slot] &= static_cast<std::uint16_t>(~(1U << refusals_.back().lane));
}

/// Whether the lane stays without a cycle when it gets this dependency.
bool LaneDependencies::allows(std::uint32_t lane, ChannelId from, ChannelId to) {
  if (lane > 0 || !lazy_) return allows_in_order(lane, from, to);
  // Entries that no packet takes can only make the search find too much, which is seldom.
  return !reaches(to, from, false) || uses(from, to) || !reaches(to, from, true);
}

bool LaneDependencies::allows_in_order(std::uint32_t lane, ChannelId from, ChannelId to) {
  OnlineOrder& order = order_[lane];
  if (order.empty()) {  // a spare lane: nothing is on it, any order will do
    std::vector<std::uint32_t> place(network_->channel_count());
    std::iota(place.begin(), place.end(), 0);
    order = OnlineOrder(std::move(place));
    index_lane(lane);
  }
  const auto next = [&](std::uint32_t c, const auto& visit) { for_each_next(lane, c, visit); };
  const auto before = [&](std::uint32_t c, const auto& visit) { for_each_before(lane, c, visit); };
  return order.allows(from.value, to.value, next, before);
}

/// Lane 0 where lazy: whether packets take the dependency.
bool LaneDependencies::uses(ChannelId from, ChannelId to) {
  if (surely_uses(0, from, to)) return true;
  const std::uint64_t slot = slot_of(from, to);
  if (leads_[slot] != 1) return false;
  if (packets_take(from, to)) {
    used_[slot] |= 1U;
    return true;
  }
  leads_[slot] = 2;
  return false;
}

/// Lane 0 where lazy: whether dependencies lead from one channel to the other, by those that packets take
/// only, or by all that entries could make.
bool LaneDependencies::reaches(ChannelId from, ChannelId to, bool packets_only) {
  if (from == to) return true;
  ++search_;
  stack_.assign(1, from);
  seen_[from.value] = search_;
  while (!stack_.empty()) {
    const ChannelId at = stack_.back();
    stack_.pop_back();
    for (const ChannelId next : network_->out(network_->target(at))) {
      if (seen_[next.value] == search_) continue;
      if (!(packets_only ? uses(at, next) : follows(at, next))) continue;
      if (next == to) return true;
      seen_[next.value] = search_;
      stack_.push_back(next);
    }
  }
  return false;
}

/// One pass over the row of the channel's router finds all channels that follow it.
void LaneDependencies::expand(ChannelId from) {
  expanded_[from.value] = 1;
  routing_->table().with_entry_type([&]<class Entry>(Entry) { expand_rows<Entry>(from); });
}

template <class Entry>
void LaneDependencies::expand_rows(ChannelId from) {
  const RouterId first = network_->source(from);
  const RouterId second = network_->target(from);
  const std::size_t columns = network_->terminal_count();
  const auto entries = routing_->table().entries<Entry>();
  const Entry* row_a = entries.data() + first.value * columns;
  const Entry* row_b = entries.data() + second.value * columns;
  const auto a = static_cast<Entry>(from.value - network_->out(first).first());
  const std::uint32_t found =
      match_rows(row_a, a, row_a, a, static_cast<std::uint32_t>(columns), matches_.data());
  const std::uint32_t degree = network_->out(second).size();
  std::uint8_t* leads = leads_.data() + slots_.first(from.value);
  for (std::uint32_t i = 0; i < found; ++i) {
    const std::uint32_t next = row_b[matches_[i]];
    if (next < degree) leads[next] = 1;
  }
}

bool LaneDependencies::packets_take(ChannelId from, ChannelId to) {
  const RouterId first = network_->source(from);
  const RouterId second = network_->target(from);
  const std::uint32_t a = from.value - network_->out(first).first();
  const std::uint32_t b = to.value - network_->out(second).first();
  for (const TerminalId t : network_->terminals()) {
    if (routing_->table().get(first, t) == a && routing_->table().get(second, t) == b &&
        packets_reach(first, t, network_->router_count()))
      return true;
  }
  return false;
}

/// Whether some terminal's packets to the destination pass the router. Entries alone are no packets: those
/// of a router that nobody sends through may turn any way they like.
bool LaneDependencies::packets_reach(RouterId router, TerminalId destination, std::uint32_t steps) const {
  if (!network_->terminals_at(router).empty()) return true;
  if (steps == 0) return false;
  for (const ChannelId c : network_->in(router)) {
    const RouterId sender = network_->source(c);
    if (routing_->table().get(sender, destination) == c.value - network_->out(sender).first() &&
        packets_reach(sender, destination, steps - 1))
      return true;
  }
  return false;
}

}  // namespace unknot
