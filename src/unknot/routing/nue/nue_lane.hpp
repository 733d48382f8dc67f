// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/lanes/acyclic_arcs.hpp"
#include "unknot/network/network.hpp"
#include "unknot/routing/up_down/up_down_order.hpp"

namespace unknot {

/// Paths of all routers to one: each router's channel, a tree.
struct NueTree {
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  std::uint32_t root = 0;
  std::vector<std::uint32_t> channel;  ///< by router: channel it sends to; kNone at the root and unconnected
  std::uint64_t cost = 0;              ///< hops, summed with the routers' weights
};

/// One lane of the Nue routing [Domke, Hoefler, Matsuoka 2016]: a tree for each of its destination routers
/// such that the channel dependencies of all together stay acyclic.
///
/// Each tree grows breadth first from its root in the complete channel dependency graph; a router takes the
/// channel of fewest hops whose dependency closes no cycle with those in use, preferring one that is in use,
/// then one that the present topological order allows, then one with less load. The dependencies of a
/// spanning tree (the escape paths) to all destinations of the lane are in use from the start, so that a
/// router that finds no channel can always be helped: first a neighbour that has settled takes another
/// channel (the paper's local backtracking); else the routers on the escape path of the one without a channel
/// are bound to that path and the tree grows again around them. Unlike in the paper only those fall back, not
/// the whole destination, and dependencies that the finished tree does not use are given back.
class NueLane {
 public:
  /// `up_down` gives the order of channels to start from and the root of the spanning tree. All cables must
  /// have both directions. Both references must outlive the lane.
  NueLane(const Network& network, const ArcSpace& dependencies, const UpDownOrder& up_down);

  /// Trees for the destination routers, in their order. Then rounds in which a tree with detours is taken out
  /// and grown again, kept where it is not longer; at last rounds in which every tree is grown again with
  /// load before all but hops. Cost: a growth looks at each channel of the network, and at what the order's
  /// upkeep looks at. The rounds end, tree by tree, when steps() has reached `most_steps`.
  std::vector<NueTree> route(std::span<const RouterId> destinations, std::uint64_t most_steps);
  /// Arcs looked at so far: the work done, the same on every machine.
  [[nodiscard]] std::uint64_t steps() const { return arcs_.steps(); }
  /// Of the last route(): the trees' costs together.
  [[nodiscard]] std::uint64_t cost() const { return cost_; }
  /// Of the last route(): whether every path is a shortest one.
  [[nodiscard]] bool shortest() const { return shortest_; }

  /// By channel: place in a topological order of the lane's dependencies. Any further path whose channels
  /// come in ascending order keeps the lane acyclic.
  [[nodiscard]] const std::vector<std::uint32_t>& positions() const { return arcs_.positions(); }

 private:
  static constexpr std::uint32_t kFar = 0xFFFFFFFFU;
  struct Choice {
    std::uint64_t key;
    std::uint32_t channel;
  };

  void make_spanning_tree(const UpDownOrder& up_down);
  void escape_towards(RouterId root);
  void reserve_escape(RouterId root);
  NueTree grow(RouterId root);
  bool regrow(NueTree& tree);
  std::uint64_t shortest_cost(RouterId root);
  void settle_level(std::uint32_t hops);
  bool choose(std::uint32_t router, std::uint32_t hops);
  bool detour(std::uint32_t router);
  bool redirect(std::uint32_t router, std::uint32_t channel, std::uint32_t onward);
  [[nodiscard]] bool passes(std::uint32_t from, std::uint32_t router) const;
  void settle(std::uint32_t router, std::uint32_t channel, std::uint32_t hops);
  void bind_to_escape(const std::vector<std::uint32_t>& routers);
  void refuse(std::uint32_t arc);
  void take_back(std::size_t size);
  bool use(std::uint32_t arc);
  void hold(const NueTree& tree);
  void release(const NueTree& tree);
  void count_hops();
  void count_load(const NueTree& tree, bool add);
  NueTree finish();
  [[nodiscard]] std::uint32_t dependency(std::uint32_t held, std::uint32_t wanted) const {
    return space_.out_first(held) + wanted - first_out_[target_[held]];
  }

  const Network& network_;
  const ArcSpace& space_;
  AcyclicArcs arcs_;
  std::vector<std::uint32_t> source_, target_, first_out_;
  std::vector<std::uint64_t> weight_;                      // by router: what a hop of its path costs
  std::vector<std::uint32_t> order_;                       // channels, the order to start from
  std::vector<std::uint32_t> tree_first_, tree_channels_;  // spanning tree, by router: its channels on it
  std::vector<std::uint32_t> uses_;                        // by dependency: trees of this lane
  std::vector<std::uint8_t> reserved_;                     // by dependency: on an escape path
  std::vector<std::uint64_t> load_;                        // by channel: sources on this lane
  // The tree that grows.
  std::uint32_t root_ = 0;
  std::vector<std::uint32_t> channel_, hops_;      // by router
  std::vector<std::vector<std::uint32_t>> level_;  // routers by hops
  std::vector<std::uint32_t> touched_, stamp_;
  std::uint32_t stamp_now_ = 0;
  std::vector<Choice> choices_;
  std::vector<std::uint32_t> fresh_;      // dependencies added since the tree began
  std::vector<std::uint32_t> ask_again_;  // by dependency: growth before which it is not asked for
  std::vector<std::uint8_t> refusals_;    // by dependency: since it was last added
  std::uint32_t growth_ = 0;
  std::vector<std::uint32_t> escape_, escape_hops_;  // by router: towards root_
  std::uint32_t escape_root_ = kFar;
  std::vector<std::uint8_t> bound_;     // by router: to its escape path
  std::vector<std::uint32_t> outward_;  // routers of a tree, nearest first
  std::vector<std::uint64_t> path_load_, below_;
  bool balancing_ = false;  // load comes before keeping dependencies few
  std::uint64_t cost_ = 0;
  bool shortest_ = false;
};

}  // namespace unknot
