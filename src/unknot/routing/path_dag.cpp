// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/path_dag.hpp"

namespace unknot {

PathDag::PathDag(const Network& network) : network_(&network) {
  level.resize(network.router_count());
  in_first_.reserve(network.router_count() + 1);
  in_source_.reserve(network.channel_count());
  target_.reserve(network.channel_count());
  in_first_.push_back(0);
  for (const RouterId r : network.routers()) {
    for (const ChannelId c : network.in(r)) in_source_.push_back(network.source(c).value);
    in_first_.push_back(static_cast<std::uint32_t>(in_source_.size()));
  }
  for (const ChannelId c : network.channels()) target_.push_back(network.target(c).value);
  order.reserve(network.router_count());
  first.reserve(network.router_count() + 1);
  channel.resize(network.channel_count() + kPadding);
  to.resize(network.channel_count() + kPadding);
}

void PathDag::build(RouterId root) {
  root_ = root.value;
  level.assign(level.size(), kUnreached);
  level[root_] = 0;
  order.clear();
  first.clear();

  const auto discover = [this](std::uint32_t router) {
    const std::uint32_t next = level[router] + 1;
    for (std::uint32_t i = in_first_[router]; i < in_first_[router + 1]; ++i) {
      const std::uint32_t from = in_source_[i];
      if (level[from] == kUnreached) {
        level[from] = next;
        order.push_back(from);
      }
    }
  };
  discover(root_);
  for (std::size_t head = 0; head < order.size(); ++head) discover(order[head]);

  std::uint32_t filled = 0;
  for (const std::uint32_t router : order) {
    first.push_back(filled);
    const std::uint32_t nearer = level[router] - 1;
    const IdRange<ChannelId> row = network_->out(RouterId(router));
    for (std::uint32_t c = row.first(); c < row.last(); ++c) {
      const std::uint32_t target = target_[c];
      channel[filled] = c;
      to[filled] = target;
      filled += level[target] == nearer ? 1 : 0;  // keep the entry only where it is a step nearer
    }
  }
  first.push_back(filled);
}

}  // namespace unknot
