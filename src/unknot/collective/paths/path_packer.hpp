// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/collective/model/problem.hpp"

namespace unknot {

/// Paths whose lengths are limited: to each receiver one, from whichever of the senders; in one step, or in
/// any of several where the same send in all. Paths negotiate: each in turn takes the cheapest way and step
/// there is, and what is wanted by too many, an arc, a half-duplex link or the ports of a sender, grows
/// dearer from round to round until nobody shares it [McMurchie and Ebeling 1995, PathFinder]. A heuristic:
/// that it finds no paths proves nothing.
class PathPacker {
 public:
  /// Of a broadcast or a scatter with one source, which must outlive this. O(steps * arcs) room.
  explicit PathPacker(const Problem& problem, std::uint32_t steps = 1);

  /// True when all receivers were given paths within this many rounds; see path(). No receiver is a sender. A
  /// round takes O(steps * (1 + extra hops) * arcs) for each receiver whose path is shared, less where
  /// senders are near.
  bool pack(std::span<const NodeId> senders, std::span<const NodeId> receivers, std::uint32_t rounds);
  /// After a successful pack(): the path to a receiver by its place in the list, and its step.
  [[nodiscard]] std::span<const NodeId> path(std::size_t receiver) const { return paths_[receiver].nodes; }
  [[nodiscard]] std::uint32_t step(std::size_t receiver) const { return paths_[receiver].step; }
  /// Arcs looked at since the beginning.
  [[nodiscard]] std::uint64_t work() const { return work_; }

 private:
  static constexpr std::uint32_t kMostExtra = 16;  ///< hops more than shortest that are looked at
  using Cost = std::uint64_t;
  // The end of a path to the receiver, by its first node and its surplus over the shortest.
  struct Label {
    Cost cost = 0;
    std::uint32_t arc = 0;   // taken first
    std::uint32_t next = 0;  // label after it
  };
  struct Path {
    std::vector<NodeId> nodes;
    std::uint32_t step = 0;
  };
  // By step and number: an arc, a link, a sender (most = 0: it does not have the message).
  struct Shared {
    std::uint32_t used = 0, most = 0;
    Cost history = 0;
  };
  [[nodiscard]] Cost price(const Shared& thing) const {
    return thing.history + (thing.used >= thing.most ? pressure_ * (thing.used + 1 - thing.most) : 0);
  }
  [[nodiscard]] std::uint32_t label_of(std::uint32_t node, std::uint32_t hops) const {
    return node * (extra_ + 1) + hops - hops_[node];
  }
  [[nodiscard]] std::size_t arc_at(std::uint32_t step, ArcId a) const {
    return std::size_t{step} * graph_.arc_count() + a.value;
  }
  [[nodiscard]] std::size_t link_at(std::uint32_t step, ArcId a) const {
    return std::size_t{step} * graph_.link_count() + graph_.link(a);
  }
  [[nodiscard]] std::size_t sender_at(std::uint32_t step, std::uint32_t node) const {
    return std::size_t{step} * graph_.node_count() + node;
  }
  bool route(NodeId receiver, Path& path);
  bool search(NodeId receiver, std::uint32_t step, Cost& best, Path& path);
  void extend(std::uint32_t node, std::uint32_t hops, std::uint32_t step);
  void count(const Path& path, bool more);
  [[nodiscard]] bool is_crowded(const Path& path) const;

  const Problem& problem_;
  const NodeGraph& graph_;
  std::uint32_t steps_, extra_;
  Cost pressure_ = 0;
  std::vector<Shared> arcs_, links_, senders_;
  std::vector<std::uint32_t> hops_;         // by node, to the receiver of the search
  std::vector<Label> labels_;               // by node and surplus
  std::vector<std::uint32_t> reached_;      // nodes of the search
  std::vector<std::uint32_t> now_, later_;  // nodes with a label of this many hops, and of one more
  std::vector<Path> paths_;
  std::uint64_t work_ = 0;
};

}  // namespace unknot
