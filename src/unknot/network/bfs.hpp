// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

/// Breadth-first search over routers, hops counted in channels. Holds its scratch space: one object for each
/// thread serves any number of searches, each in O(routers and channels reached). The network must outlive
/// it.
class BreadthFirstSearch {
 public:
  static constexpr std::uint32_t kUnreached = 0xFFFFFFFFU;

  explicit BreadthFirstSearch(const Network& network);

  /// Hops from `source` to each router, by router; kUnreached where there is no path. Valid until the next
  /// search.
  std::span<const std::uint32_t> from(RouterId source);
  /// Hops from each router to `target`, along the channels.
  std::span<const std::uint32_t> to(RouterId target);

  /// Routers the last search reached, nearest first; those of equal distance in the order they were found.
  [[nodiscard]] std::span<const RouterId> order() const { return order_; }
  /// Largest distance of the last search.
  [[nodiscard]] std::uint32_t eccentricity() const {
    return order_.empty() ? 0 : distance_[order_.back().value];
  }

 private:
  void restart(RouterId root);
  const Network* network_;
  std::vector<std::uint32_t> distance_;
  std::vector<RouterId> order_;  // also the queue
};

}  // namespace unknot
