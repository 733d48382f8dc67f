// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/dealing/turned_tree.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>

#include "unknot/routing/dealing/legal_reach.hpp"
#include "unknot/routing/up_down/level_order.hpp"
#include "unknot/routing/up_down/up_down_table.hpp"

namespace unknot {
namespace {

constexpr std::size_t kTried = 8;

/// The routers above a leaf.
class Above {
 public:
  Above(const Network& network, const UpDownOrder& order)
      : network_(network), order_(order), seen_(network.router_count(), 0) {}

  /// The leaf and those above it, by their distance from it. Valid until the next call.
  const std::vector<std::uint32_t>& find(RouterId leaf) {
    for (const std::uint32_t r : found_) seen_[r] = 0;
    found_.assign(1, leaf.value);
    seen_[leaf.value] = 1;
    for (std::size_t head = 0; head < found_.size(); ++head) {
      const RouterId from(found_[head]);
      for (const ChannelId c : network_.out(from)) {
        const RouterId to = network_.target(c);
        if (!order_.up(from, to) || seen_[to.value] != 0) continue;
        seen_[to.value] = 1;
        found_.push_back(to.value);
      }
    }
    return found_;
  }

 private:
  const Network& network_;
  const UpDownOrder& order_;
  std::vector<std::uint8_t> seen_;  // by router
  std::vector<std::uint32_t> found_;
};

UpDownOrder turned(const UpDownOrder& order, const std::vector<std::uint32_t>& first) {
  UpDownOrder result;
  result.place.assign(order.place.size(), 0);
  std::vector<std::uint8_t> taken(order.place.size(), 0);
  result.top_down = first;
  for (const std::uint32_t r : first) taken[r] = 1;
  for (const std::uint32_t r : order.top_down) {
    if (taken[r] == 0) result.top_down.push_back(r);
  }
  for (std::uint32_t i = 0; i < result.top_down.size(); ++i) result.place[result.top_down[i]] = i;
  return result;
}

}  // namespace

std::optional<UpDownOrder> turned_above_a_leaf(const Network& network,
                                               const std::vector<std::uint32_t>& height,
                                               const UpDownOrder& order, std::uint32_t threads) {
  struct Leaf {
    std::size_t above, channels;
    std::uint32_t router;
  };
  Above above(network, order);
  std::vector<Leaf> leaves;
  for (const RouterId r : network.routers()) {
    if (height[r.value] != 0) continue;
    const std::vector<std::uint32_t>& found = above.find(r);
    std::size_t channels = 0;
    for (const std::uint32_t each : found) channels += network.out(RouterId(each)).size();
    leaves.push_back({found.size(), channels, r.value});
  }
  const std::size_t tried = std::min(kTried, leaves.size());
  std::partial_sort(leaves.begin(), leaves.begin() + static_cast<std::ptrdiff_t>(tried), leaves.end(),
                    [](const Leaf& a, const Leaf& b) {
                      return std::tie(b.above, b.channels, a.router) <
                             std::tie(a.above, a.channels, b.router);
                    });
  const std::uint64_t unconnected = unconnected_pairs(network);
  for (std::size_t i = 0; i < tried; ++i) {
    UpDownOrder candidate = turned(order, above.find(RouterId(leaves[i].router)));
    const LegalReach reach(network, candidate, LegalReach::Rule::down_first, threads);
    if (reach.missing_pairs() <= unconnected) return candidate;
  }
  return std::nullopt;
}

std::optional<UpDownOrder> turned_tree(const Network& network, std::uint32_t threads) {
  const std::vector<std::uint32_t> height = heights_above_terminals(network);
  if (!joins_neighbouring_heights(network, height)) return std::nullopt;
  return turned_above_a_leaf(network, height, order_by_height(height), threads);
}

UpDownOrder order_for_all_pairs(const Network& network, std::uint32_t threads) {
  std::optional<UpDownOrder> turned = turned_tree(network, threads);
  return turned ? std::move(*turned) : order_below(network, {central_router(network)});
}

}  // namespace unknot
