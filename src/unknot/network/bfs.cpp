// SPDX-License-Identifier: Apache-2.0
#include "unknot/network/bfs.hpp"

namespace unknot {

BreadthFirstSearch::BreadthFirstSearch(const Network& network)
    : network_(&network), distance_(network.router_count(), kUnreached) {
  order_.reserve(network.router_count());
}

void BreadthFirstSearch::restart(RouterId root) {
  for (const RouterId r : order_) distance_[r.value] = kUnreached;
  order_.clear();
  order_.push_back(root);
  distance_[root.value] = 0;
}

std::span<const std::uint32_t> BreadthFirstSearch::from(RouterId source) {
  restart(source);
  for (std::size_t head = 0; head < order_.size(); ++head) {
    const RouterId r = order_[head];
    const std::uint32_t next = distance_[r.value] + 1;
    for (const ChannelId c : network_->out(r)) {
      const RouterId v = network_->target(c);
      if (distance_[v.value] != kUnreached) continue;
      distance_[v.value] = next;
      order_.push_back(v);
    }
  }
  return distance_;
}

std::span<const std::uint32_t> BreadthFirstSearch::to(RouterId target) {
  restart(target);
  for (std::size_t head = 0; head < order_.size(); ++head) {
    const RouterId r = order_[head];
    const std::uint32_t next = distance_[r.value] + 1;
    for (const ChannelId c : network_->in(r)) {
      const RouterId v = network_->source(c);
      if (distance_[v.value] != kUnreached) continue;
      distance_[v.value] = next;
      order_.push_back(v);
    }
  }
  return distance_;
}

}  // namespace unknot
