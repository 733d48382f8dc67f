// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/up_down/up_down_tree.hpp"

#include <cstddef>

namespace unknot {

UpDownTree::UpDownTree(const Network& network, const UpDownOrder& order)
    : network_(network),
      order_(order),
      below_(network.router_count()),
      hops_(network.router_count()),
      bound_down_(network.router_count()) {
  ways_.reserve(network.channel_count());
  first_.push_back(0);
  for (const RouterId r : network.routers()) {
    for (const bool up : {true, false}) {
      for (const ChannelId c : network.out(r)) {
        const RouterId next = network.target(c);
        if (order.up(r, next) == up) ways_.push_back({c, next.value});
      }
      (up ? first_down_ : first_).push_back(static_cast<std::uint32_t>(ways_.size()));
    }
  }
}

void UpDownTree::set_root(RouterId root) {
  if (root == root_) return;
  root_ = root;
  std::fill(below_.begin(), below_.end(), kFar);
  below_[root.value] = 0;
  queue_.assign(1, root.value);
  for (std::size_t head = 0; head < queue_.size(); ++head) {
    const RouterId to(queue_[head]);
    for (const ChannelId c : network_.in(to)) {
      const RouterId from = network_.source(c);
      if (order_.up(from, to) || below_[from.value] != kFar) continue;
      below_[from.value] = below_[to.value] + 1;
      queue_.push_back(from.value);
    }
  }
}

}  // namespace unknot
