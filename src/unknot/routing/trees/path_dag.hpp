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
/// first (the root itself has none), and within a distance by discovery over channels in order of id (with
/// weights: by router id). A
/// position's candidates are in order of channel id. The candidate arrays carry kPadding spare entries so
/// that vector code may read past the end.
struct PathDag {
  static constexpr std::uint32_t kPadding = 16;
  static constexpr std::uint32_t kFew = 6;  ///< with fewer candidates than this, plain code is fastest

  /// How a position's candidates lie in memory: what vector code can spare itself.
  enum class Shape : std::uint8_t {
    few,        ///< fewer than kFew
    scattered,  ///< in no order to be used
    adjacent,   ///< channels are consecutive ids
    straight,   ///< channels and the routers they lead to are consecutive ids
  };

  std::uint32_t root = 0;
  std::uint32_t depth = 0;             ///< largest distance to the root
  std::vector<std::uint32_t> order;    ///< by position: router
  std::vector<std::uint32_t> first;    ///< by position: first candidate; one more entry at the end
  std::vector<Shape> shape;            ///< by position
  std::vector<std::uint32_t> channel;  ///< by candidate
  std::vector<std::uint32_t> to;       ///< by candidate: target router of the channel

  [[nodiscard]] std::uint32_t positions() const { return static_cast<std::uint32_t>(order.size()); }
};

/// Makes PathDags and keeps those that fit its memory: engines ask for the same roots several times.
class PathDags {
 public:
  static constexpr std::uint32_t kUnreached = 0xFFFFFFFFU;
  static constexpr std::size_t kKeptBytes = std::size_t{16} << 20;

  /// `weights`: what each channel costs, at least 1; empty: 1 each.
  explicit PathDags(const Network& network, std::vector<std::uint32_t> weights = {});

  /// Shortest paths towards `root`, valid until the next call. O(routers + channels) the first time, with
  /// weights O(channels log routers).
  const PathDag& towards(RouterId root);

  /// By router: hops to the root of the last DAG that was made, not taken from memory, or kUnreached.
  [[nodiscard]] const std::vector<std::uint32_t>& level() const { return level_; }

 private:
  struct Incoming {
    std::uint32_t from;       // source router
    std::uint32_t word, bit;  // of the channel in mask_
    std::uint32_t channel;
  };

  void build(RouterId root);
  void discover_by_hops(RouterId root);
  void discover_by_weight(RouterId root);
  [[nodiscard]] PathDag::Shape shape_of(std::uint32_t first, std::uint32_t last, std::uint32_t size) const;

  const Network& network_;
  std::vector<std::uint32_t> weights_;  // by channel; empty: 1 each
  PathDag scratch_;
  std::vector<std::uint32_t> level_;
  std::vector<PathDag> kept_;
  std::vector<std::uint32_t> kept_at_;  // by router: index into kept_, or kUnreached
  std::size_t kept_bytes_ = 0;
  // Flat copies of what build() walks.
  std::vector<std::uint32_t> incoming_first_;  // by router
  std::vector<Incoming> incoming_;
  std::vector<std::uint32_t> target_;      // by channel
  std::vector<std::uint32_t> breaks_;      // by channel: how often targets were not consecutive, up to it
  std::vector<std::uint32_t> mask_first_;  // by router
  std::vector<std::uint64_t> mask_;        // one bit for each channel out of a router; clear between builds
};

}  // namespace unknot
