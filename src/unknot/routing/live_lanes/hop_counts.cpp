// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/live_lanes/hop_counts.hpp"

#include <algorithm>
#include <utility>

#include "unknot/routing/model/engine.hpp"

namespace unknot {

HopCounts::HopCounts(const LiveNetwork& network, std::vector<RouterId> homes)
    : network_(&network),
      homes_(std::move(homes)),
      routers_(network.router_count()),
      at_(kMost + 2),
      is_lost_(routers_, 0) {
  hops_.resize(homes_.size() * routers_);
  std::vector<RouterId> queue;
  for (std::uint32_t home = 0; home < homes_.size(); ++home) {
    std::uint8_t* const hops = hops_.data() + home * routers_;
    std::fill_n(hops, routers_, kFar);
    if (!network.alive(homes_[home])) continue;
    hops[homes_[home].value] = 0;
    queue.assign(1, homes_[home]);
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (const ChannelId c : network.network().in(queue[i])) {
        const RouterId from = network.source(c);
        if (!network.alive(c) || hops[from.value] != kFar) continue;
        check(hops[queue[i].value] + 1U);
        hops[from.value] = static_cast<std::uint8_t>(hops[queue[i].value] + 1);
        queue.push_back(from);
      }
    }
  }
}

void HopCounts::check(std::uint32_t hops) const {
  if (hops > kMost) throw RoutingFailure("tables whose paths have more than 254 hops cannot be followed");
}

void HopCounts::push(std::uint32_t hops, RouterId r) {
  check(hops);
  at_[hops].push_back(r);
  pushed_from_ = std::min(pushed_from_, hops);
  pushed_to_ = std::max(pushed_to_, hops);
}

template <class Visit>
void HopCounts::for_each_pushed(const Visit& visit) {
  for (std::uint32_t level = pushed_from_; level <= pushed_to_; ++level) {
    for (std::size_t i = 0; i < at_[level].size(); ++i) visit(level, at_[level][i]);
    at_[level].clear();
  }
  pushed_from_ = kMost + 1;
  pushed_to_ = 0;
}

/// kNoWay where there is none; may be more than kMost.
std::uint32_t HopCounts::best(const std::uint8_t* hops, RouterId r) const {
  std::uint32_t least = kNoWay;
  for (const ChannelId c : network_->out(r)) {
    const std::uint32_t there = hops[network_->target(c).value];
    if (there != kFar) least = std::min(least, there + 1);
  }
  return least;
}

/// Routers whose hops were by what has died, nearest first, so that each knows whether those it goes by have
/// lost theirs. Then they find others, nearest first again.
void HopCounts::lose(std::uint8_t* hops, const LiveEvent& event, RouterId home) {
  const auto look_at = [&](RouterId r) {
    if (hops[r.value] != kFar && r != home) push(hops[r.value], r);
  };
  for (const ChannelId c : event.channels) {
    const RouterId from = network_->source(c);
    if (network_->alive(c) || hops[from.value] == kFar) continue;
    const std::uint8_t there = hops[network_->target(c).value];
    if (there != kFar && there + 1 == hops[from.value]) look_at(from);
  }
  lost_.clear();
  if (!network_->alive(home) && hops[home.value] == 0) {
    lost_.push_back(home);
    is_lost_[home.value] = 1;
    for (const ChannelId c : network_->network().in(home)) {
      if (hops[network_->source(c).value] == 1) look_at(network_->source(c));
    }
  }
  for_each_pushed([&](std::uint32_t level, RouterId r) {
    if (is_lost_[r.value] != 0) return;
    const auto out = network_->out(r);
    const bool stays = std::any_of(out.begin(), out.end(), [&](ChannelId c) {
      const RouterId next = network_->target(c);
      // What comes back in the same event may be nearer than it was: that is for gain().
      return hops[next.value] != kFar && hops[next.value] + 1U == level && is_lost_[next.value] == 0;
    });
    if (stays) return;
    is_lost_[r.value] = 1;
    lost_.push_back(r);
    for (const ChannelId c : network_->network().in(r)) {
      const RouterId from = network_->source(c);
      if (hops[from.value] == level + 1) look_at(from);
    }
  });
  lost_hops_.clear();
  for (const RouterId r : lost_) {
    lost_hops_.push_back(hops[r.value]);
    hops[r.value] = kFar;
  }
  for (const RouterId r : lost_) {
    const std::uint32_t least = network_->alive(r) ? best(hops, r) : kNoWay;
    if (least != kNoWay) push(least, r);
  }
  for_each_pushed([&](std::uint32_t level, RouterId r) {
    if (hops[r.value] <= level) return;
    hops[r.value] = static_cast<std::uint8_t>(level);
    for (const ChannelId c : network_->network().in(r)) {
      const RouterId from = network_->source(c);
      if (network_->alive(c) && is_lost_[from.value] != 0 && is_more(hops[from.value], level + 1))
        push(level + 1, from);
    }
  });
}

void HopCounts::gain(std::uint8_t* hops, const LiveEvent& event, std::vector<Nearer>& nearer) {
  for (const ChannelId c : event.channels) {
    if (!network_->alive(c)) continue;
    const std::uint32_t there = hops[network_->target(c).value];
    if (there != kFar && is_more(hops[network_->source(c).value], there + 1))
      push(there + 1, network_->source(c));
  }
  for_each_pushed([&](std::uint32_t level, RouterId r) {
    if (hops[r.value] <= level) return;
    nearer.push_back({r, hops[r.value] == kFar});
    hops[r.value] = static_cast<std::uint8_t>(level);
    for (const ChannelId c : network_->network().in(r)) {
      const RouterId from = network_->source(c);
      if (network_->alive(c) && is_more(hops[from.value], level + 1)) push(level + 1, from);
    }
  });
}

void HopCounts::update(std::uint32_t home, const LiveEvent& event, std::vector<Nearer>& nearer) {
  std::uint8_t* const hops = hops_.data() + home * routers_;
  nearer.clear();
  lose(hops, event, homes_[home]);
  const bool back = network_->alive(homes_[home]) && hops[homes_[home].value] == kFar;
  if (back) {
    hops[homes_[home].value] = 0;
    for (const ChannelId c : network_->network().in(homes_[home])) {
      if (network_->alive(c) && hops[network_->source(c).value] > 1) push(1, network_->source(c));
    }
  }
  // What was lost may have found something nearer that has come back, and so may those behind it.
  for (std::size_t i = 0; i < lost_.size(); ++i) {
    const std::uint8_t now = hops[lost_[i].value];
    if (now >= lost_hops_[i]) continue;
    nearer.push_back({lost_[i], false});
    for (const ChannelId c : network_->network().in(lost_[i])) {
      const RouterId from = network_->source(c);
      if (network_->alive(c) && hops[from.value] > now + 1) push(now + 1U, from);
    }
  }
  gain(hops, event, nearer);
  // What was lost and is found again was not far before the event.
  for (Nearer& one : nearer) one.was_far = one.was_far && is_lost_[one.router.value] == 0;
  for (const RouterId r : lost_) is_lost_[r.value] = 0;
}

}  // namespace unknot
