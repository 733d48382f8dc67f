// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/routing/up_down/up_down_order.hpp"

namespace unknot {

/// One tree towards a destination router inside the Up*/Down* rule, built again for one destination after the
/// other.
///
/// Routers decide from the top down. One that stands on a path that came down must go down itself; any other
/// takes the shorter of its best way down and its best way up (whose rest is already decided, since it lies
/// above). So no packet can come down to a router that sends it up, which choosing each router's shortest
/// legal path on its own does not ensure.
class UpDownTree {
 public:
  static constexpr std::uint32_t kFar = 0xFFFFFFFFU;

  /// Both must outlive the object. O(channels).
  UpDownTree(const Network& network, const UpDownOrder& order);

  /// Starts with another destination router. O(channels).
  void set_root(RouterId root);

  /// Builds the tree. Of the channels that are as short as the rule allows, `choice.better(a, b)` says
  /// whether a is to be taken rather than b, the earlier one; `choice.take(router, channel)` learns what was
  /// taken. Returns the number of terminals at routers left without a path. O(channels).
  template <class Choice>
  std::uint64_t build(Choice& choice) {
    std::uint64_t missing = 0;
    std::fill(bound_down_.begin(), bound_down_.end(), 0);
    std::fill(hops_.begin(), hops_.end(), kFar);
    hops_[root_.value] = 0;
    for (const std::uint32_t r : order_.top_down) {
      if (r == root_.value) continue;
      const RouterId router(r);
      const std::uint32_t first = first_[r];
      const std::uint32_t first_down = first_down_[r];
      const std::uint32_t end = first_[r + 1];
      std::uint32_t rest_up = kFar;
      for (std::uint32_t i = first; i < first_down; ++i) rest_up = std::min(rest_up, hops_[ways_[i].to]);
      const std::uint32_t down = below_[r];
      if (down == kFar && rest_up == kFar) {
        missing += network_.terminals_at(router).size();
        continue;
      }
      const bool go_down = down != kFar && (bound_down_[r] != 0 || rest_up == kFar || down <= rest_up + 1);
      ChannelId best;
      const auto offer = [&](ChannelId c) {
        if (!best.valid() || choice.better(c, best)) best = c;
      };
      if (go_down) {
        for (std::uint32_t i = first_down; i < end; ++i) {
          if (below_[ways_[i].to] == down - 1) offer(ways_[i].channel);
        }
      } else {
        for (std::uint32_t i = first; i < first_down; ++i) {
          if (hops_[ways_[i].to] == rest_up) offer(ways_[i].channel);
        }
      }
      choice.take(router, best);
      hops_[r] = go_down ? down : rest_up + 1;
      if (go_down) bound_down_[network_.target(best).value] = 1;
    }
    return missing;
  }

  [[nodiscard]] RouterId root() const { return root_; }
  /// By router: hops of the shortest way to the root that only goes down, or kFar.
  [[nodiscard]] std::span<const std::uint32_t> below() const { return below_; }
  /// By router: hops of the path the tree gives it, or kFar.
  [[nodiscard]] std::span<const std::uint32_t> hops() const { return hops_; }

 private:
  struct Way {
    ChannelId channel;
    std::uint32_t to;  // router
  };
  const Network& network_;
  const UpDownOrder& order_;
  RouterId root_;
  std::vector<Way> ways_;  // by router: channels that lead up, then those that lead down
  std::vector<std::uint32_t> first_, first_down_;  // by router, into ways_; first_ has one more
  std::vector<std::uint32_t> below_, hops_;
  std::vector<std::uint8_t> bound_down_;  // by router: a packet may come down to it
  std::vector<std::uint32_t> queue_;
};

}  // namespace unknot
