// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/chips/weighted_ways.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace unknot {

WeightedWays weighted_ways(const Network& network, std::span<const std::uint32_t> weight, RouterId to) {
  constexpr std::uint64_t kFar = std::numeric_limits<std::uint64_t>::max() / 2;
  std::vector<std::uint64_t> total(network.router_count(), kFar);
  using Reached = std::pair<std::uint64_t, std::uint32_t>;  // total weight, router
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> queue;
  total[to.value] = 0;
  queue.emplace(0, to.value);
  WeightedWays ways;
  while (!queue.empty()) {
    const auto [far, at] = queue.top();
    queue.pop();
    if (far != total[at]) continue;
    ways.farthest = far;
    for (const ChannelId c : network.in(RouterId(at))) {
      std::uint64_t& other = total[network.source(c).value];
      if (far + weight[c.value] >= other) continue;
      other = far + weight[c.value];
      queue.emplace(other, network.source(c).value);
    }
  }
  ways.positions.resize(network.router_count());
  for (const RouterId r : network.routers()) {
    if (r == to || total[r.value] == kFar) continue;
    std::vector<std::uint16_t>& best = ways.positions[r.value];
    std::uint32_t least = 0;
    std::uint16_t position = 0;
    for (const ChannelId c : network.out(r)) {
      const std::uint32_t own = weight[c.value];
      if (total[network.target(c).value] + own == total[r.value] && (best.empty() || own <= least)) {
        if (own < least) best.clear();
        least = own;
        best.push_back(position);
      }
      ++position;
    }
  }
  return ways;
}

}  // namespace unknot
