// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/trees/path_dag.hpp"

#include <bit>
#include <functional>
#include <queue>
#include <utility>

namespace unknot {
namespace {

constexpr std::uint32_t kWord = 64;  // bits

}  // namespace

PathDags::PathDags(const Network& network, std::vector<std::uint32_t> weights)
    : network_(network),
      weights_(std::move(weights)),
      level_(network.router_count()),
      kept_at_(network.router_count(), kUnreached) {
  mask_first_.reserve(network.router_count() + 1);
  mask_first_.push_back(0);
  for (const RouterId r : network.routers()) {
    mask_first_.push_back(mask_first_.back() + (network.out(r).size() + kWord - 1) / kWord);
  }
  mask_.assign(mask_first_.back(), 0);
  incoming_first_.reserve(network.router_count() + 1);
  incoming_.reserve(network.channel_count());
  incoming_first_.push_back(0);
  for (const RouterId r : network.routers()) {
    for (const ChannelId c : network.in(r)) {
      const RouterId from = network.source(c);
      const std::uint32_t entry = c.value - network.out(from).first();
      incoming_.push_back({from.value, mask_first_[from.value] + entry / kWord, entry % kWord, c.value});
    }
    incoming_first_.push_back(static_cast<std::uint32_t>(incoming_.size()));
  }
  target_.reserve(network.channel_count());
  breaks_.reserve(network.channel_count());
  for (const ChannelId c : network.channels()) {
    target_.push_back(network.target(c).value);
    const bool follows = c.value > 0 && target_[c.value] == target_[c.value - 1] + 1;
    breaks_.push_back((c.value > 0 ? breaks_.back() : 0) + (follows ? 0 : 1));
  }
  scratch_.order.reserve(network.router_count());
  scratch_.first.reserve(network.router_count() + 1);
  scratch_.shape.reserve(network.router_count());
  scratch_.channel.resize(network.channel_count() + PathDag::kPadding);
  scratch_.to.resize(network.channel_count() + PathDag::kPadding);
  kept_.reserve(network.router_count());  // references into it must last
}

const PathDag& PathDags::towards(RouterId root) {
  if (kept_at_[root.value] != kUnreached) return kept_[kept_at_[root.value]];
  if (scratch_.first.empty() || scratch_.root != root.value) build(root);
  const std::size_t candidates = scratch_.first.back() + PathDag::kPadding;
  const std::size_t bytes =
      (candidates + scratch_.order.size()) * 2 * sizeof(std::uint32_t) + scratch_.order.size();
  if (kept_bytes_ + bytes > kKeptBytes) return scratch_;
  kept_bytes_ += bytes;
  kept_at_[root.value] = static_cast<std::uint32_t>(kept_.size());
  kept_.push_back(
      {scratch_.root,
       scratch_.depth,
       scratch_.order,
       scratch_.first,
       scratch_.shape,
       {scratch_.channel.begin(), scratch_.channel.begin() + static_cast<std::ptrdiff_t>(candidates)},
       {scratch_.to.begin(), scratch_.to.begin() + static_cast<std::ptrdiff_t>(candidates)}});
  return kept_.back();
}

void PathDags::discover_by_hops(RouterId root) {
  std::vector<std::uint32_t>& order = scratch_.order;
  // A channel is a candidate where it leads from one level to the one before.
  const auto discover = [&](std::uint32_t router) {
    const std::uint32_t next = level_[router] + 1;
    for (std::uint32_t i = incoming_first_[router]; i < incoming_first_[router + 1]; ++i) {
      const Incoming& in = incoming_[i];
      if (level_[in.from] == kUnreached) {
        level_[in.from] = next;
        order.push_back(in.from);
      }
      mask_[in.word] |= std::uint64_t{level_[in.from] == next} << in.bit;
    }
  };
  discover(root.value);
  // The list grows while it is walked. Once all routers are found, those farthest away have nothing to add.
  for (std::size_t head = 0; head < order.size(); ++head) {
    if (order.size() + 1 == level_.size() && level_[order[head]] == level_[order.back()]) break;
    discover(order[head]);
  }
}

void PathDags::discover_by_weight(RouterId root) {
  using Found = std::pair<std::uint32_t, std::uint32_t>;  // distance, router
  std::priority_queue<Found, std::vector<Found>, std::greater<>> queue;
  std::vector<bool> done(level_.size(), false);
  queue.emplace(0, root.value);
  while (!queue.empty()) {
    const auto [distance, router] = queue.top();
    queue.pop();
    if (done[router]) continue;
    done[router] = true;
    if (router != root.value) scratch_.order.push_back(router);
    for (std::uint32_t i = incoming_first_[router]; i < incoming_first_[router + 1]; ++i) {
      const Incoming& in = incoming_[i];
      const std::uint32_t far = distance + weights_[in.channel];
      if (far >= level_[in.from]) continue;
      level_[in.from] = far;
      queue.emplace(far, in.from);
    }
  }
  // Distances are known: a channel is a candidate where it lies on a shortest path.
  for (std::uint32_t router = 0; router < level_.size(); ++router) {
    if (!done[router]) continue;
    for (std::uint32_t i = incoming_first_[router]; i < incoming_first_[router + 1]; ++i) {
      const Incoming& in = incoming_[i];
      const bool shortest = level_[in.from] == level_[router] + weights_[in.channel];
      mask_[in.word] |= std::uint64_t{shortest} << in.bit;
    }
  }
}

void PathDags::build(RouterId root) {
  std::vector<std::uint32_t>& order = scratch_.order;
  level_.assign(level_.size(), kUnreached);
  level_[root.value] = 0;
  scratch_.root = root.value;
  order.clear();
  if (weights_.empty()) {
    discover_by_hops(root);
  } else {
    discover_by_weight(root);
  }
  scratch_.depth = order.empty() ? 0 : level_[order.back()];

  scratch_.first.clear();
  scratch_.shape.clear();
  std::uint32_t filled = 0;
  std::uint32_t* const channel = scratch_.channel.data();
  std::uint32_t* const to = scratch_.to.data();
  for (const std::uint32_t router : order) {
    const std::uint32_t first = filled;
    scratch_.first.push_back(first);
    std::uint32_t base = network_.out(RouterId(router)).first();
    for (std::uint32_t word = mask_first_[router]; word < mask_first_[router + 1]; ++word, base += kWord) {
      for (std::uint64_t bits = std::exchange(mask_[word], 0); bits != 0; bits &= bits - 1) {
        channel[filled] = base + static_cast<std::uint32_t>(std::countr_zero(bits));
        to[filled] = target_[channel[filled]];
        ++filled;
      }
    }
    scratch_.shape.push_back(shape_of(channel[first], channel[filled - 1], filled - first));
  }
  scratch_.first.push_back(filled);
}

PathDag::Shape PathDags::shape_of(std::uint32_t first, std::uint32_t last, std::uint32_t size) const {
  if (size < PathDag::kFew) return PathDag::Shape::few;
  if (last - first != size - 1) return PathDag::Shape::scattered;
  return breaks_[last] == breaks_[first] ? PathDag::Shape::straight : PathDag::Shape::adjacent;
}

}  // namespace unknot
