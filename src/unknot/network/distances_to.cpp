// SPDX-License-Identifier: Apache-2.0
#include "unknot/network/distances_to.hpp"

#include <algorithm>

namespace unknot {

InNeighbours::InNeighbours(const Network& network) {
  first_.reserve(network.router_count() + std::size_t{1});
  first_.push_back(0);
  source_.reserve(network.channel_count());
  for (const RouterId r : network.routers()) {
    const auto begin = static_cast<std::ptrdiff_t>(source_.size());
    for (const ChannelId c : network.in(r)) source_.push_back(network.source(c).value);
    std::sort(source_.begin() + begin, source_.end());
    source_.erase(std::unique(source_.begin() + begin, source_.end()), source_.end());
    first_.push_back(static_cast<std::uint32_t>(source_.size()));
  }
}

DistancesTo::DistancesTo(const InNeighbours& neighbours)
    : neighbours_(&neighbours),
      distance_(neighbours.router_count()),
      order_(neighbours.router_count() + std::size_t{1}) {}

void DistancesTo::run(RouterId destination) {
  std::fill(distance_.begin(), distance_.end(), kUnreached);
  std::uint32_t* distance = distance_.data();
  std::uint32_t* order = order_.data();
  distance[destination.value] = 0;
  order[0] = destination.value;
  std::uint32_t reached = 1;
  for (std::uint32_t next = 0; next < reached; ++next) {
    const std::uint32_t at = order[next];
    const std::uint32_t farther = distance[at] + 1;
    for (const std::uint32_t from : neighbours_->of(at)) {
      // Without a branch: whether a router is new is as good as random.
      const bool fresh = distance[from] == kUnreached;
      order[reached] = from;
      reached += fresh ? 1 : 0;
      distance[from] = fresh ? farther : distance[from];
    }
  }
  reached_ = reached;
}

}  // namespace unknot
