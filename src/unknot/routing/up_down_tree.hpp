// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/routing/up_down_order.hpp"

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

  /// Both must outlive the object.
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
      const IdRange<ChannelId> row = network_.out(router);
      std::uint32_t rest_up = kFar;
      for (const ChannelId c : row) {
        const RouterId next = network_.target(c);
        if (order_.up(router, next)) rest_up = std::min(rest_up, hops_[next.value]);
      }
      const std::uint32_t down = below_[r];
      if (down == kFar && rest_up == kFar) {
        missing += network_.terminals_at(router).size();
        continue;
      }
      const bool go_down = down != kFar && (bound_down_[r] != 0 || rest_up == kFar || down <= rest_up + 1);
      ChannelId best;
      for (const ChannelId c : row) {
        const RouterId next = network_.target(c);
        const bool fits = order_.up(router, next) ? !go_down && hops_[next.value] == rest_up
                                                  : go_down && below_[next.value] == down - 1;
        if (fits && (!best.valid() || choice.better(c, best))) best = c;
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
  const Network& network_;
  const UpDownOrder& order_;
  RouterId root_;
  std::vector<std::uint32_t> below_, hops_;
  std::vector<std::uint8_t> bound_down_;  // by router: a packet may come down to it
  std::vector<std::uint32_t> queue_;
};

}  // namespace unknot
