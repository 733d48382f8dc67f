// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/routing/multipath/layer_trees.hpp"

namespace unknot {

/// A tree towards one router of which single branches are moved: one router's next hop changes, and with it
/// the ends of the paths of all routers behind it. Depths are kept up to date, children in linked lists.
class MovingTree {
 public:
  /// Longest path that is followed: no tree is deeper.
  static constexpr std::uint32_t kMostHops = 16;

  /// What a move changes: routers whose paths change (the first is the one that moves), the channels they
  /// leave, and those they take instead. Valid until the next look.
  struct Move {
    std::span<const std::uint32_t> routers;
    std::span<const std::uint32_t> left, taken;
    std::uint32_t channel = 0;
  };

  /// Begins with the tree as it is. O(routers * depth).
  void begin(const Network& network, std::uint32_t root, std::span<std::uint32_t> hops) {
    network_ = &network;
    root_ = root;
    hops_ = hops;
    const std::size_t routers = hops.size();
    depth_.assign(routers, 0);
    first_.assign(routers, kNone);
    next_.assign(routers, kNone);
    before_.assign(routers, kNone);
    for (std::uint32_t r = 0; r < routers; ++r) {
      if (hops[r] == kNone) continue;
      for (std::uint32_t at = r; at != root; at = target(hops[at])) ++depth_[r];
      link(r, target(hops[r]));
    }
  }

  [[nodiscard]] std::uint32_t depth(std::uint32_t router) const { return depth_[router]; }
  /// The router after one that is not the root.
  [[nodiscard]] std::uint32_t next(std::uint32_t router) const { return target(hops_[router]); }

  /// Whether `router` may leave by `channel` instead: no loop, no path longer than `most` channels, and
  /// something changes. `move` then has what does. O(routers behind it + depth).
  bool look(std::uint32_t router, std::uint32_t channel, std::uint32_t most, Move& move) {
    const std::uint32_t old = hops_[router];
    if (old == kNone || old == channel) return false;
    const std::uint32_t to = target(channel);
    if (to != root_ && hops_[to] == kNone) return false;
    std::uint32_t taken = 0;
    taken_[taken++] = channel;
    for (std::uint32_t at = to; at != root_; at = target(hops_[at])) {
      if (at == router || taken == kMostHops) return false;
      taken_[taken++] = hops_[at];
    }
    behind_.assign(1, router);
    std::uint32_t height = 0;
    for (std::size_t i = 0; i < behind_.size(); ++i) {
      height = std::max(height, depth_[behind_[i]] - depth_[router]);
      for (std::uint32_t child = first_[behind_[i]]; child != kNone; child = next_[child])
        behind_.push_back(child);
    }
    if (depth_[to] + 1 + height > most) return false;
    std::uint32_t left = 0;
    for (std::uint32_t at = router; at != root_; at = target(hops_[at])) left_[left++] = hops_[at];
    while (left > 0 && taken > 0 && left_[left - 1] == taken_[taken - 1]) {
      --left;
      --taken;
    }
    move = {behind_, {left_, left}, {taken_, taken}, channel};
    return true;
  }

  /// Makes the move that look() has just found. O(routers behind it).
  void make(const Move& move) {
    const std::uint32_t router = move.routers[0];
    const std::uint32_t to = target(move.channel);
    const std::uint32_t shift = depth_[to] + 1 - depth_[router];  // modulo 2^32: may be negative
    for (const std::uint32_t r : move.routers) depth_[r] += shift;
    unlink(router, target(hops_[router]));
    hops_[router] = move.channel;
    link(router, to);
  }

 private:
  static constexpr std::uint32_t kNone = LayerTrees::kNone;

  [[nodiscard]] std::uint32_t target(std::uint32_t channel) const {
    return network_->target(ChannelId(channel)).value;
  }
  void link(std::uint32_t child, std::uint32_t parent) {
    before_[child] = kNone;
    next_[child] = first_[parent];
    if (first_[parent] != kNone) before_[first_[parent]] = child;
    first_[parent] = child;
  }
  void unlink(std::uint32_t child, std::uint32_t parent) {
    if (before_[child] == kNone) {
      first_[parent] = next_[child];
    } else {
      next_[before_[child]] = next_[child];
    }
    if (next_[child] != kNone) before_[next_[child]] = before_[child];
  }

  const Network* network_ = nullptr;
  std::uint32_t root_ = 0;
  std::span<std::uint32_t> hops_;
  std::vector<std::uint32_t> depth_;                  // by router
  std::vector<std::uint32_t> first_, next_, before_;  // by router: first child, siblings
  std::vector<std::uint32_t> behind_;
  std::uint32_t left_[kMostHops] = {};
  std::uint32_t taken_[kMostHops] = {};
};

}  // namespace unknot
