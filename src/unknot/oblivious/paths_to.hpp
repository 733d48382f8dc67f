// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/distances_to.hpp"
#include "unknot/network/network.hpp"

namespace unknot {

/// All shortest paths that end at one router: the channels that lead one step nearer to it. Scratch space
/// that is used again for the next destination; one for each thread. Network and neighbours must outlive it.
///
///     PathsTo paths(network, neighbours);
///     paths.run(destination);
///     for (RouterId r : ...) paths.for_each_next(r.value, [&](std::uint32_t channel) { ... });
class PathsTo {
 public:
  static constexpr std::uint32_t kUnreached = DistancesTo::kUnreached;

  PathsTo(const Network& network, const InNeighbours& neighbours) : network_(&network), search_(neighbours) {}

  /// O(routers + channels).
  void run(RouterId destination) { search_.run(destination); }
  /// Shortest distance in channels, by router; kUnreached where no path leads to the destination.
  [[nodiscard]] std::span<const std::uint32_t> distance() const { return search_.distance(); }
  /// Routers that reach the destination, nearest first; the destination itself is the first.
  [[nodiscard]] std::span<const std::uint32_t> order() const { return search_.order(); }

  /// Calls visit(channel, router it leads to) for each channel of `router` on a shortest path, in order of
  /// port. None at the destination and where it cannot be reached.
  template <class Visit>
  void for_each_next(std::uint32_t router, const Visit& visit) const {
    const std::span<const std::uint32_t> distance = search_.distance();
    if (distance[router] == 0 || distance[router] == kUnreached) return;
    const std::uint32_t nearer = distance[router] - 1;
    const IdRange<ChannelId> out = network_->out(RouterId(router));
    for (std::uint32_t c = out.first(); c < out.last(); ++c) {
      const std::uint32_t target = network_->target(ChannelId(c)).value;
      if (distance[target] == nearer) visit(c, target);
    }
  }

  /// Number of shortest paths from each router to the destination, by router, parallel cables counted apart;
  /// 0 where there is none. Exact up to 2^53, infinite beyond the range of a double. `paths` has an entry a
  /// router. O(routers + channels).
  void count(std::span<double> paths) const;

 private:
  const Network* network_;
  DistancesTo search_;
};

}  // namespace unknot
