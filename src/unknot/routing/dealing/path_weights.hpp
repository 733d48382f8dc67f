// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/live/live_network.hpp"
#include "unknot/routing/dealing/leaf_groups.hpp"
#include "unknot/routing/up_down/up_down_order.hpp"

namespace unknot {

/// How much of the traffic towards a group of destinations each channel should get, of all that leads there.
///
/// A path weighs the product of the factors of its channels, and the traffic between two groups divides over
/// their paths by weight. A router that knows the summed weight of the paths that begin at each of its
/// neighbours can then choose by itself: channel c towards group g gets factor(c) * paths(target of c, g).
/// Factors are 1 at first, which counts paths, and go in rounds against the load they lead to: where a
/// channel carries less than the others of its part (LeafGroups::part) in its direction, because cables are
/// dead elsewhere, its factor grows (iterative proportional fitting, with the square root of each step:
/// without it a channel and its opposite end correct the same twice, and swing).
///
/// Paths are the shortest that go up, then down, as LegalReach has them.
class PathWeights {
 public:
  /// Mantissa bits of what factors and sums of paths are rounded to in the end. Rounds make everything depend
  /// on everything a little: rounded, most of it stays the same when a cable dies, and so do the tables.
  static constexpr std::uint32_t kFactorBits = 7;
  static constexpr std::uint32_t kPathBits = 5;

  /// O(rounds * groups * channels above the groups + groups * channels).
  PathWeights(const LiveNetwork& network, const UpDownOrder& order, const LeafGroups& groups,
              std::uint32_t rounds);

  /// Summed weight of the paths from a router, by group; 1 inside a group.
  [[nodiscard]] const float* paths(std::uint32_t router) const { return paths_.data() + row(router); }
  /// Whether the router stands above the group or belongs to it.
  [[nodiscard]] bool above(std::uint32_t router, std::uint32_t group) const {
    return hops_down_[row(router) + group] != kFar;
  }
  [[nodiscard]] float factor(std::uint32_t channel) const { return factor_[channel]; }
  [[nodiscard]] bool up(std::uint32_t channel) const { return up_[channel] != 0; }

 private:
  using Hops = std::int32_t;
  static constexpr Hops kFar = 1'000'000'000;
  static constexpr Hops kBelow = -5;  // in hops_up_: goes down, or belongs to the group

  struct Way {
    std::uint32_t channel;
    std::uint32_t to;  // router
  };
  /// A channel down that is on shortest ways to a group.
  struct DownWay {
    std::uint32_t channel;
    std::uint32_t to;
    std::uint32_t group;
  };

  [[nodiscard]] std::size_t row(std::uint32_t router) const { return std::size_t{router} * width_; }
  void find_hops(const LiveNetwork& network);
  void find_ways(const LiveNetwork& network);
  void sum_paths(bool traffic, std::span<const std::uint32_t> bottom_up);
  void round_paths(std::uint32_t router);
  void spread_traffic();
  void correct();
  void settle_factors(const LiveNetwork& network);

  const UpDownOrder& order_;
  const LeafGroups& groups_;
  std::size_t width_;                     // groups, and some to fill up vectors
  std::vector<std::uint8_t> inner_;       // by router: belongs to a group and is no gate
  std::vector<std::uint8_t> above_some_;  // by router: channels lead up to it
  std::vector<std::uint8_t> up_;          // by channel
  std::vector<float> factor_, load_;      // by channel
  std::vector<Hops> hops_down_;           // by router and group: hops by ways down alone, or kFar
  std::vector<Hops> hops_;                // all told
  std::vector<Hops> hops_up_;             // hops of those that go up first; kBelow elsewhere
  std::vector<float> paths_, traffic_;    // by router and group
  std::vector<Way> ways_up_;              // router by router
  std::vector<DownWay> ways_down_;
  std::vector<ChannelId> corrected_;                  // channels above the groups, ascending
  std::vector<std::uint32_t> unit_;                   // of those: by LeafGroups::part, up, then down
  std::vector<std::uint32_t> first_up_, first_down_;  // by router, and one more
  std::vector<std::uint32_t> outer_bottom_up_;        // routers that are not inner
};

}  // namespace unknot
