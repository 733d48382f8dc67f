// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/up_down/level_order.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "unknot/routing/up_down/up_down_tree.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kUnreached = UpDownTree::kFar;
constexpr std::uint32_t kManyTimes = 4;

bool is_leaf(const LiveNetwork& network, RouterId r) {
  const std::uint64_t own = network.terminals_at(r).size();
  if (own == 0) return false;
  std::uint32_t to_leaves = 0;
  for (const ChannelId c : network.out(r)) {
    to_leaves += network.terminals_at(network.target(c)).size() >= kManyTimes * own ? 1 : 0;
  }
  return to_leaves * 2 <= network.out(r).size();
}

/// Highest first; of one height by `tie`, smallest first.
UpDownOrder order_by(const std::vector<std::uint32_t>& height, const std::vector<std::uint32_t>& tie) {
  UpDownOrder order;
  order.top_down.resize(height.size());
  std::iota(order.top_down.begin(), order.top_down.end(), 0U);
  std::sort(order.top_down.begin(), order.top_down.end(), [&](std::uint32_t a, std::uint32_t b) {
    return height[a] != height[b] ? height[a] > height[b] : tie[a] < tie[b];
  });
  order.place.resize(height.size());
  for (std::uint32_t i = 0; i < height.size(); ++i) order.place[order.top_down[i]] = i;
  return order;
}

struct FirstOfEquals {
  static bool better(ChannelId /*a*/, ChannelId /*b*/) { return false; }
  static void take(RouterId /*router*/, ChannelId /*channel*/) {}
};

/// What an order is worth: pairs without a path, then hops of all the others.
std::pair<std::uint64_t, std::uint64_t> measure(const Network& network, const UpDownOrder& order) {
  std::pair<std::uint64_t, std::uint64_t> worth{0, 0};
  UpDownTree tree(network, order);
  FirstOfEquals choice;
  for (const RouterId root : network.routers()) {
    const std::uint64_t here = network.terminals_at(root).size();
    if (here == 0) continue;
    tree.set_root(root);
    worth.first += here * tree.build(choice);
    for (const RouterId r : network.routers()) {
      const std::uint32_t hops = tree.hops()[r.value];
      if (hops != kUnreached) worth.second += here * network.terminals_at(r).size() * hops;
    }
  }
  return worth;
}

bool neighbours_of_one_height(const Network& network, const std::vector<std::uint32_t>& height) {
  const IdRange<ChannelId> all = network.channels();
  return std::any_of(all.begin(), all.end(), [&](ChannelId c) {
    return height[network.source(c).value] == height[network.target(c).value];
  });
}

}  // namespace

std::vector<std::uint32_t> heights_above(const LiveNetwork& network, const std::vector<RouterId>& leaves) {
  std::vector<std::uint32_t> height(network.router_count(), kUnreached);
  std::vector<std::uint32_t> queue;
  for (const RouterId r : leaves) {
    height[r.value] = 0;
    queue.push_back(r.value);
  }
  for (std::size_t head = 0; head < queue.size(); ++head) {
    for (const ChannelId c : network.out(RouterId(queue[head]))) {
      const std::uint32_t next = network.target(c).value;
      if (height[next] != kUnreached) continue;
      height[next] = height[queue[head]] + 1;
      queue.push_back(next);
    }
  }
  std::replace(height.begin(), height.end(), kUnreached, 0U);
  return height;
}

std::vector<std::uint32_t> heights_above_terminals(const LiveNetwork& network) {
  std::vector<RouterId> leaves;
  for (const RouterId r : network.routers()) {
    if (is_leaf(network, r)) leaves.push_back(r);
  }
  return heights_above(network, leaves);
}

LevelOrder level_order(const Network& network) {
  return level_order(network, heights_above_terminals(network));
}

bool joins_neighbouring_heights(const LiveNetwork& network, const std::vector<std::uint32_t>& height) {
  const IdRange<ChannelId> all = network.network().channels();
  return std::all_of(all.begin(), all.end(), [&](ChannelId c) {
    if (!network.alive(c)) return true;
    const std::uint32_t a = height[network.source(c).value];
    const std::uint32_t b = height[network.target(c).value];
    return a + 1 == b || b + 1 == a;
  });
}

UpDownOrder order_by_height(const std::vector<std::uint32_t>& height) {
  std::vector<std::uint32_t> tie(height.size());
  std::iota(tie.begin(), tie.end(), 0U);
  return order_by(height, tie);
}

LevelOrder level_order(const Network& network, std::vector<std::uint32_t> height) {
  LevelOrder result;
  result.height = std::move(height);
  std::vector<std::uint32_t> tie(network.router_count());
  std::iota(tie.begin(), tie.end(), 0U);
  result.order = order_by(result.height, tie);
  auto best = measure(network, result.order);
  const auto offer = [&](const std::vector<std::uint32_t>& other) {
    UpDownOrder order = order_by(result.height, other);
    const auto worth = measure(network, order);
    if (worth >= best) return;
    best = worth;
    result.order = std::move(order);
  };
  if (neighbours_of_one_height(network, result.height)) {
    std::reverse(tie.begin(), tie.end());
    offer(tie);
    offer(order_below(network, {central_router(network)}).place);
  }
  result.missing = best.first;
  return result;
}

std::vector<std::uint32_t> heights_below(const LiveNetwork& network, const std::vector<RouterId>& roots) {
  const std::vector<std::uint32_t> rank = ranks_below(network, roots);
  const std::uint32_t deepest = *std::max_element(rank.begin(), rank.end());
  std::vector<std::uint32_t> height;
  height.reserve(rank.size());
  for (const RouterId r : network.routers()) height.push_back(network.alive(r) ? deepest - rank[r.value] : 0);
  return height;
}

LevelOrder levels_below(const Network& network, const std::vector<RouterId>& roots) {
  return level_order(network, heights_below(network, roots));
}

}  // namespace unknot
