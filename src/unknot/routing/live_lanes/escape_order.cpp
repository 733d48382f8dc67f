// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/live_lanes/escape_order.hpp"

#include <algorithm>
#include <utility>

namespace unknot {
namespace {

constexpr std::uint8_t kNoEntry = 0xFF;

}  // namespace

EscapeOrder::EscapeOrder(const LiveNetwork& network) : network_(&network), rank_(network.router_count()) {
  std::vector<std::uint8_t> seen(network.router_count(), 0);
  std::vector<RouterId> starts;
  for (const RouterId r : network.routers()) starts.push_back(r);
  std::stable_sort(starts.begin(), starts.end(),
                   [&](RouterId a, RouterId b) { return network.out(a).size() > network.out(b).size(); });
  order_.reserve(starts.size());
  for (const RouterId start : starts) {
    if (seen[start.value] != 0) continue;
    seen[start.value] = 1;
    order_.push_back(start);
    for (std::size_t i = order_.size() - 1; i < order_.size(); ++i) {
      for (const ChannelId c : network.out(order_[i])) {
        const RouterId next = network.target(c);
        if (seen[next.value] != 0) continue;
        seen[next.value] = 1;
        order_.push_back(next);
      }
    }
  }
  std::reverse(order_.begin(), order_.end());
  number();
}

void EscapeOrder::number() {
  for (std::uint32_t i = 0; i < order_.size(); ++i) rank_[order_[i].value] = i;
}

bool EscapeOrder::has_up(RouterId r) const {
  const auto out = network_->out(r);
  return std::any_of(out.begin(), out.end(), [&](ChannelId c) { return up(c); });
}

/// From the highest router of each part all that have a way up to it are reached; of the others one that is
/// next to these goes right below its highest neighbour of them, until there is none.
std::vector<RouterId> EscapeOrder::update() {
  std::vector<RouterId> moved;
  std::uint32_t tops = 0;
  for (const RouterId r : order_) {
    if (network_->alive(r) && !network_->out(r).empty() && !has_up(r)) ++tops;
  }
  if (tops <= 1) return moved;
  std::vector<std::uint8_t> part_seen(rank_.size(), 0);
  std::vector<std::uint8_t> good(rank_.size(), 0);
  std::vector<RouterId> part;
  const std::vector<RouterId> highest_first(order_.rbegin(), order_.rend());
  for (const RouterId top : highest_first) {
    if (part_seen[top.value] != 0 || !network_->alive(top)) continue;
    part.assign(1, top);
    part_seen[top.value] = 1;
    for (std::size_t i = 0; i < part.size(); ++i) {
      for (const ChannelId c : network_->out(part[i])) {
        const RouterId next = network_->target(c);
        if (part_seen[next.value]++ == 0) part.push_back(next);
        part_seen[next.value] = 1;
      }
    }
    good[top.value] = 1;
    std::vector<RouterId> reached{top};
    const auto go_down = [&](std::size_t from) {
      for (std::size_t i = from; i < reached.size(); ++i) {
        for (const ChannelId c : network_->out(reached[i])) {
          const RouterId next = network_->target(c);
          if (up(c) || good[next.value] != 0) continue;
          good[next.value] = 1;
          reached.push_back(next);
        }
      }
    };
    go_down(0);
    while (reached.size() < part.size()) {
      // In order of how they were reached: what does not depend on anything but the network.
      std::size_t from = reached.size();
      for (std::size_t i = 0; i < from; ++i) {
        for (const ChannelId c : network_->out(reached[i])) {
          const RouterId next = network_->target(c);
          if (good[next.value] != 0) continue;
          RouterId above = reached[i];
          for (const ChannelId other : network_->out(next)) {
            const RouterId neighbour = network_->target(other);
            if (good[neighbour.value] != 0 && rank_[neighbour.value] > rank_[above.value]) above = neighbour;
          }
          order_.erase(order_.begin() + rank_[next.value]);
          order_.insert(std::find(order_.begin(), order_.end(), above), next);
          number();
          good[next.value] = 1;
          reached.push_back(next);
          moved.push_back(next);
          go_down(reached.size() - 1);
        }
      }
    }
  }
  return moved;
}

void EscapeOrder::tree(RouterId home, std::vector<std::uint8_t>& entries) const {
  entries.assign(rank_.size(), kNoEntry);
  if (!network_->alive(home)) return;
  std::vector<std::uint32_t> hops(rank_.size(), 0xFFFFFFFFU);
  hops[home.value] = 0;
  std::vector<RouterId> queue{home};
  const Network& whole = network_->network();
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const ChannelId c : whole.in(queue[i])) {
      const RouterId from = whole.source(c);
      if (!network_->alive(c) || up(c) || hops[from.value] != 0xFFFFFFFFU) continue;
      hops[from.value] = hops[queue[i].value] + 1;
      entries[from.value] = static_cast<std::uint8_t>(network_->position(c));
      queue.push_back(from);
    }
  }
  for (std::size_t i = order_.size(); i-- > 0;) {
    const RouterId r = order_[i];
    if (hops[r.value] != 0xFFFFFFFFU) continue;
    for (const ChannelId c : network_->out(r)) {
      const std::uint32_t above = hops[network_->target(c).value];
      if (!up(c) || above == 0xFFFFFFFFU || above + 1 >= hops[r.value]) continue;
      hops[r.value] = above + 1;
      entries[r.value] = static_cast<std::uint8_t>(network_->position(c));
    }
  }
}

std::vector<std::uint32_t> EscapeOrder::channels() const {
  const Network& whole = network_->network();
  std::vector<std::pair<std::uint32_t, std::uint32_t>> keyed;
  keyed.reserve(whole.channel_count());
  const auto routers = static_cast<std::uint32_t>(rank_.size());
  for (const ChannelId c : whole.channels()) {
    const std::uint32_t rank = rank_[whole.source(c).value];
    keyed.emplace_back(up(c) ? rank : 2 * routers - rank, c.value);
  }
  std::sort(keyed.begin(), keyed.end());
  std::vector<std::uint32_t> order;
  order.reserve(keyed.size());
  for (const auto& [key, c] : keyed) order.push_back(c);
  return order;
}

}  // namespace unknot
