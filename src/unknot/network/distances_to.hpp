// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

/// The routers from which one channel leads to a router, parallel channels merged: what a search against the
/// direction of the channels walks over. Made once, shared by all searches. O(channels log degree).
class InNeighbours {
 public:
  explicit InNeighbours(const Network& network);
  [[nodiscard]] std::uint32_t router_count() const { return static_cast<std::uint32_t>(first_.size() - 1); }
  [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t router) const {
    return {source_.data() + first_[router], source_.data() + first_[router + 1]};
  }

 private:
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> source_;
};

/// Breadth-first search that ends at one router: the shortest distance, in channels, from every router to it.
/// Scratch space that is used again for the next destination.
class DistancesTo {
 public:
  static constexpr std::uint32_t kUnreached = 0xFFFFFFFFU;

  explicit DistancesTo(const InNeighbours& neighbours);
  /// O(routers + channels).
  void run(RouterId destination);
  /// By router; kUnreached where no path leads to the destination.
  [[nodiscard]] std::span<const std::uint32_t> distance() const { return distance_; }
  /// Routers that reach the destination, nearest first; the destination itself is the first.
  [[nodiscard]] std::span<const std::uint32_t> order() const { return {order_.data(), reached_}; }

 private:
  const InNeighbours* neighbours_;
  std::vector<std::uint32_t> distance_;
  std::vector<std::uint32_t> order_;
  std::uint32_t reached_ = 0;
};

}  // namespace unknot
