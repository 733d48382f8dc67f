// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
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
struct PathDag {
  static constexpr std::uint32_t kPadding = 16;

  std::uint32_t root = 0;
  std::uint32_t depth = 0;             ///< largest distance to the root
  std::vector<std::uint32_t> order;    ///< by position: router
  std::vector<std::uint32_t> first;    ///< by position: first candidate; one more entry at the end
  std::vector<std::uint32_t> channel;  ///< by candidate
  std::vector<std::uint32_t> to;       ///< by candidate: target router of the channel

  [[nodiscard]] std::uint32_t positions() const { return static_cast<std::uint32_t>(order.size()); }
};

/// Makes PathDags and keeps those that fit its memory: engines ask for the same roots several times.
class PathDags {
 public:
  static constexpr std::uint32_t kUnreached = 0xFFFFFFFFU;
  static constexpr std::size_t kKeptBytes = std::size_t{16} << 20;

  explicit PathDags(const Network& network);

  /// Shortest paths towards `root`, valid until the next call. O(routers + channels) the first time.
  const PathDag& towards(RouterId root);

  /// By router: hops to the root of the last DAG that was made, not taken from memory, or kUnreached.
  [[nodiscard]] const std::vector<std::uint32_t>& level() const { return level_; }

 private:
  void build(RouterId root);

  const Network& network_;
  PathDag scratch_;
  std::vector<std::uint32_t> level_;
  std::vector<PathDag> kept_;
  std::vector<std::uint32_t> kept_at_;  // by router: index into kept_, or kUnreached
  std::size_t kept_bytes_ = 0;
  // Flat copies of what build() walks.
  std::vector<std::uint32_t> in_first_, in_source_, target_;
};

}  // namespace unknot
