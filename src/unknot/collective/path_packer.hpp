// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/collective/problem.hpp"

namespace unknot {

/// Paths of one step whose lengths are limited: to each receiver one, from whichever of the senders. Paths
/// negotiate: each in turn takes the cheapest way there is, and what is wanted by too many, an arc, a
/// half-duplex link or the ports of a sender, grows dearer from round to round until nobody shares it
/// [McMurchie and Ebeling 1995, PathFinder]. A heuristic: that it finds no paths proves nothing.
class PathPacker {
 public:
  /// Of a broadcast or a scatter with one source, which must outlive this.
  explicit PathPacker(const Problem& problem);

  /// True when all receivers were given paths within so many rounds; see path(). No receiver is a sender. A
  /// round takes O((1 + extra hops) * arcs) for each receiver whose path is shared, less where senders are
  /// near.
  bool pack(std::span<const NodeId> senders, std::span<const NodeId> receivers, std::uint32_t rounds);
  /// After a successful pack(): the path to a receiver by its place in the list.
  [[nodiscard]] std::span<const NodeId> path(std::size_t receiver) const { return paths_[receiver]; }
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
  bool route(NodeId receiver, std::vector<NodeId>& path);
  void extend(std::uint32_t node, std::uint32_t hops);
  void count(std::span<const NodeId> path, bool more);
  [[nodiscard]] bool is_crowded(std::span<const NodeId> path) const;

  const Problem& problem_;
  const NodeGraph& graph_;
  std::uint32_t extra_;
  Cost pressure_ = 0;
  std::vector<Shared> arcs_, links_, senders_;  // senders_ by node; most = 0: it does not have the message
  std::vector<std::uint32_t> hops_;             // by node, to the receiver of the search
  std::vector<Label> labels_;                   // by node and surplus
  std::vector<std::uint32_t> reached_;          // nodes of the search
  std::vector<std::uint32_t> now_, later_;      // nodes with a label of so many hops, and of one more
  std::vector<std::vector<NodeId>> paths_;
  std::uint64_t work_ = 0;
};

}  // namespace unknot
