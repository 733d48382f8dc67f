// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

/// All shortest paths towards one router: for each router that reaches it, the channels one hop nearer.
/// Shared by all terminals of that router, which is why engines work destination router by destination
/// router.
///
/// Arrays are flat and parallel. Position i stands for router order[i]; positions are by distance, nearest
/// first (the root itself has none), and within a distance by discovery over channels in order of id. A
/// position's candidates are in order of channel id. The candidate arrays carry kPadding spare entries so
/// that vector code may read past the end.
class PathDag {
 public:
  static constexpr std::uint32_t kUnreached = 0xFFFFFFFFU;
  static constexpr std::uint32_t kPadding = 16;

  explicit PathDag(const Network& network);

  /// Fills the arrays for `root`. O(routers + channels); no allocation after the first call.
  void build(RouterId root);

  [[nodiscard]] const Network& network() const { return *network_; }
  [[nodiscard]] std::uint32_t root() const { return root_; }
  [[nodiscard]] std::uint32_t positions() const { return static_cast<std::uint32_t>(order.size()); }
  /// Largest distance to the root.
  [[nodiscard]] std::uint32_t depth() const { return order.empty() ? 0 : level[order.back()]; }

  std::vector<std::uint32_t> order;    ///< by position: router
  std::vector<std::uint32_t> first;    ///< by position: first candidate; one more entry at the end
  std::vector<std::uint32_t> channel;  ///< by candidate
  std::vector<std::uint32_t> to;       ///< by candidate: target router of the channel
  std::vector<std::uint32_t> level;    ///< by router: hops to the root, or kUnreached

 private:
  const Network* network_;
  std::uint32_t root_ = 0;
  // Flat copies of what build() walks: ends of channels without the id types' bounds.
  std::vector<std::uint32_t> in_first_, in_source_, target_;
};

}  // namespace unknot
