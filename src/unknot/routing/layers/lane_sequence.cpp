// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/layers/lane_sequence.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>

#include "unknot/network/bfs.hpp"

namespace unknot {

std::vector<std::uint32_t> up_down_rank(const Network& network, RouterId root) {
  BreadthFirstSearch search(network);
  const std::span<const std::uint32_t> hops = search.to(root);
  std::vector<ChannelId> order;
  for (const ChannelId c : network.channels()) order.push_back(c);
  // Up: nearer to the root, or as near and smaller. The farthest ups come first, the farthest downs last.
  const auto key = [&](ChannelId c) {
    const std::pair from(hops[network.source(c).value], network.source(c).value);
    const std::pair to(hops[network.target(c).value], network.target(c).value);
    const bool down = from < to;
    return std::tuple(down, down ? from.first : ~from.first, down ? from.second : ~from.second, c.value);
  };
  std::sort(order.begin(), order.end(), [&](ChannelId a, ChannelId b) { return key(a) < key(b); });
  std::vector<std::uint32_t> rank(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) rank[order[i].value] = i;
  return rank;
}

std::optional<LaneSequence> lane_sequence(const Network& network, const DependencySlots& slots,
                                          std::span<const std::uint16_t> uses, std::uint32_t lane,
                                          std::span<const std::uint32_t> rank) {
  const std::uint32_t count = network.channel_count();
  const auto for_each_next = [&](ChannelId c, const auto& visit) {
    const std::uint16_t* lanes = uses.data() + slots.first(c.value);
    for (const ChannelId next : network.out(network.target(c))) {
      if ((*lanes++ >> lane & 1U) != 0) visit(next);
    }
  };
  std::vector<std::uint32_t> waits_for(count, 0);
  for (const ChannelId c : network.channels())
    for_each_next(c, [&](ChannelId next) { ++waits_for[next.value]; });
  using Ready = std::pair<std::uint32_t, std::uint32_t>;  // rank, channel
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
  for (std::uint32_t c = 0; c < count; ++c) {
    if (waits_for[c] == 0) ready.emplace(rank[c], c);
  }
  LaneSequence sequence;
  sequence.channels.reserve(count);
  sequence.place.resize(count);
  while (!ready.empty()) {
    const ChannelId c(ready.top().second);
    ready.pop();
    sequence.place[c.value] = static_cast<std::uint32_t>(sequence.channels.size());
    sequence.channels.push_back(c);
    for_each_next(c, [&](ChannelId next) {
      if (--waits_for[next.value] == 0) ready.emplace(rank[next.value], next.value);
    });
  }
  if (sequence.channels.size() < count) return std::nullopt;
  return sequence;
}

}  // namespace unknot
