// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/path_dag.hpp"

namespace unknot {

PathDags::PathDags(const Network& network)
    : network_(network), level_(network.router_count()), kept_at_(network.router_count(), kUnreached) {
  in_first_.reserve(network.router_count() + 1);
  in_source_.reserve(network.channel_count());
  target_.reserve(network.channel_count());
  in_first_.push_back(0);
  for (const RouterId r : network.routers()) {
    for (const ChannelId c : network.in(r)) in_source_.push_back(network.source(c).value);
    in_first_.push_back(static_cast<std::uint32_t>(in_source_.size()));
  }
  for (const ChannelId c : network.channels()) target_.push_back(network.target(c).value);
  scratch_.order.reserve(network.router_count());
  scratch_.first.reserve(network.router_count() + 1);
  scratch_.channel.resize(network.channel_count() + PathDag::kPadding);
  scratch_.to.resize(network.channel_count() + PathDag::kPadding);
  kept_.reserve(network.router_count());  // references into it must last
}

const PathDag& PathDags::towards(RouterId root) {
  if (kept_at_[root.value] != kUnreached) return kept_[kept_at_[root.value]];
  if (scratch_.first.empty() || scratch_.root != root.value) build(root);
  const std::size_t candidates = scratch_.first.back() + PathDag::kPadding;
  const std::size_t bytes = (candidates + scratch_.order.size()) * 2 * sizeof(std::uint32_t);
  if (kept_bytes_ + bytes > kKeptBytes) return scratch_;
  kept_bytes_ += bytes;
  kept_at_[root.value] = static_cast<std::uint32_t>(kept_.size());
  kept_.push_back(
      {scratch_.root,
       scratch_.depth,
       scratch_.order,
       scratch_.first,
       {scratch_.channel.begin(), scratch_.channel.begin() + static_cast<std::ptrdiff_t>(candidates)},
       {scratch_.to.begin(), scratch_.to.begin() + static_cast<std::ptrdiff_t>(candidates)}});
  return kept_.back();
}

void PathDags::build(RouterId root) {
  std::vector<std::uint32_t>& order = scratch_.order;
  level_.assign(level_.size(), kUnreached);
  level_[root.value] = 0;
  scratch_.root = root.value;
  order.clear();

  const auto discover = [&](std::uint32_t router) {
    const std::uint32_t next = level_[router] + 1;
    for (std::uint32_t i = in_first_[router]; i < in_first_[router + 1]; ++i) {
      const std::uint32_t from = in_source_[i];
      if (level_[from] == kUnreached) {
        level_[from] = next;
        order.push_back(from);
      }
    }
  };
  discover(root.value);
  // The list grows while it is walked.
  // NOLINTNEXTLINE(modernize-loop-convert)
  for (std::size_t head = 0; head < order.size(); ++head) discover(order[head]);
  scratch_.depth = order.empty() ? 0 : level_[order.back()];

  scratch_.first.clear();
  std::uint32_t filled = 0;
  const std::uint32_t* const level = level_.data();
  const std::uint32_t* const targets = target_.data();
  std::uint32_t* const channel = scratch_.channel.data();
  std::uint32_t* const to = scratch_.to.data();
  for (const std::uint32_t router : order) {
    scratch_.first.push_back(filled);
    const std::uint32_t nearer = level[router] - 1;
    const IdRange<ChannelId> row = network_.out(RouterId(router));
    for (std::uint32_t c = row.first(); c < row.last(); ++c) {
      const std::uint32_t target = targets[c];
      channel[filled] = c;
      to[filled] = target;
      filled += level[target] == nearer ? 1 : 0;  // keep the entry only where it is a step nearer
    }
  }
  scratch_.first.push_back(filled);
}

}  // namespace unknot
