// SPDX-License-Identifier: Apache-2.0
#include "held/switch_ways.hpp"

#include <algorithm>

namespace unknot::opensm {

SwitchWays::SwitchWays(const Network& network)
    : network_(&network), routers_(network.router_count()), number_(network.router_count(), kHosts) {
  for (const RouterId r : network.routers()) {
    if (!network.terminals_at(r).empty()) continue;
    number_[r.value] = static_cast<std::uint32_t>(bare_.size());
    bare_.push_back(r);
  }
  way_.resize(bare_.size() * routers_);
  hops_.assign(way_.size(), kFar);
  grown_.assign(bare_.size(), 0);
}

std::span<const RouterId> SwitchWays::follow(const LiveNetwork& live, std::span<const std::uint32_t> order,
                                             std::span<const ChannelId> back) {
  moved_.clear();
  for (std::uint32_t i = 0; i < bare_.size(); ++i) {
    const bool alive = live.alive(bare_[i]);
    if (alive ? grown_[i] != 0 && holds(i, live, order) && !shorter(i, order, back) : grown_[i] == 0)
      continue;
    grow(i, live, order);
    grown_[i] = alive ? 1 : 0;
    moved_.push_back(bare_[i]);
  }
  return moved_;
}

/// Also forgets the ways of switches that are dead.
bool SwitchWays::holds(std::uint32_t i, const LiveNetwork& live, std::span<const std::uint32_t> order) {
  ChannelId* const way = way_.data() + std::size_t{i} * routers_;
  for (const RouterId r : network_->routers()) {
    const ChannelId c = way[r.value];
    if (!c.valid()) continue;
    if (!live.alive(r)) {
      way[r.value] = ChannelId();
      hops_[std::size_t{i} * routers_ + r.value] = kFar;
      continue;
    }
    if (!live.alive(c)) return false;
    const RouterId next = network_->target(c);
    if (next == bare_[i]) continue;
    const ChannelId then = way[next.value];
    if (!then.valid() || order[c.value] >= order[then.value]) return false;
  }
  return true;
}

bool SwitchWays::shorter(std::uint32_t i, std::span<const std::uint32_t> order,
                         std::span<const ChannelId> back) const {
  const ChannelId* const way = way_.data() + std::size_t{i} * routers_;
  const std::uint8_t* const hops = hops_.data() + std::size_t{i} * routers_;
  return std::any_of(back.begin(), back.end(), [&](ChannelId c) {
    const RouterId next = network_->target(c);
    if (hops[network_->source(c).value] <= hops[next.value] + 1U) return false;
    return next == bare_[i] || (way[next.value].valid() && order[c.value] < order[way[next.value].value]);
  });
}

/// Backwards from the switch, nearest first. Of channels with as many hops the last in order is taken, which
/// most others can lead to.
void SwitchWays::grow(std::uint32_t i, const LiveNetwork& live, std::span<const std::uint32_t> order) {
  ChannelId* const way = way_.data() + std::size_t{i} * routers_;
  std::uint8_t* const hops = hops_.data() + std::size_t{i} * routers_;
  std::fill_n(way, routers_, ChannelId());
  std::fill_n(hops, routers_, kFar);
  const RouterId home = bare_[i];
  queue_.clear();
  if (live.alive(home)) queue_.push_back(home);
  hops[home.value] = 0;
  for (std::size_t q = 0; q < queue_.size(); ++q) {
    const RouterId at = queue_[q];
    if (hops[at.value] == kFar - 1) break;
    const auto next_hops = static_cast<std::uint8_t>(hops[at.value] + 1);
    for (const ChannelId c : network_->in(at)) {
      if (!live.alive(c)) continue;
      const RouterId from = network_->source(c);
      if (hops[from.value] < next_hops || (at != home && order[c.value] >= order[way[at.value].value]))
        continue;
      const ChannelId other = way[from.value];
      if (other.valid() && order[other.value] >= order[c.value]) continue;
      if (!other.valid()) queue_.push_back(from);
      way[from.value] = c;
      hops[from.value] = next_hops;
    }
  }
}

}  // namespace unknot::opensm
