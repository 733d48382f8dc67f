// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/collective/model/problem.hpp"
#include "unknot/support/random.hpp"

namespace unknot {

/// Ways on which nodes that take part in broadcasts pass messages to others, the same ones in every step: a
/// lane is a path from one of them to another one, and all lanes together are no more than the channels
/// carry in one step. Lanes are sorted by their heads. Ports, and what both directions of a half-duplex cable
/// share, are left to who uses them.
class BroadcastLanes {
 public:
  struct Lane {
    NodeId tail, head;
    std::uint32_t units = 1;  ///< messages a step
  };

  /// Every arc between nodes that take part: sends to neighbours. O(arcs).
  static BroadcastLanes of_arcs(const Problem& problem);

  /// A closed tour that stops once at each node that takes part: a part of an Eulerian circuit from each stop
  /// to the next. The circuit runs through both directions of a random spanning tree, or where channels are
  /// one-way and every node has as many in as out, through all of them. Where there is no such circuit, or a
  /// part is longer than the problem's paths may be, a tour along shortest free paths to the nearest stop
  /// left, which may fail. All pass on what came last: P nodes are done in P - 1 steps, as few as one port
  /// allows. No lane where no tour is found. O(nodes * arcs).
  static BroadcastLanes of_tour(const Problem& problem, Random& random);

  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(lanes_.size()); }
  [[nodiscard]] const Lane& lane(std::uint32_t l) const { return lanes_[l]; }
  [[nodiscard]] std::span<const ArcId> arcs(std::uint32_t l) const {
    return {arcs_.data() + arcs_first_[l], arcs_.data() + arcs_first_[l + 1]};
  }
  /// Lanes to a node: [in_begin, in_end).
  [[nodiscard]] std::uint32_t in_begin(NodeId n) const { return in_first_[n.value]; }
  [[nodiscard]] std::uint32_t in_end(NodeId n) const { return in_first_[n.value + 1]; }

 private:
  void add(const NodeGraph& graph, std::uint32_t units, std::span<const ArcId> path);
  void sort_by_head(std::uint32_t nodes);

  std::vector<Lane> lanes_;
  std::vector<std::uint32_t> arcs_first_{0};  // by lane, and one more
  std::vector<ArcId> arcs_;
  std::vector<std::uint32_t> in_first_;  // by node, and one more
};

}  // namespace unknot
