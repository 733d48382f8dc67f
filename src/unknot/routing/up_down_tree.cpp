// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/up_down_tree.hpp"

#include <cstddef>

namespace unknot {

UpDownTree::UpDownTree(const Network& network, const UpDownOrder& order)
    : network_(network),
      order_(order),
      below_(network.router_count()),
      hops_(network.router_count()),
      bound_down_(network.router_count()) {}

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
