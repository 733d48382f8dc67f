// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/collective/model/node_graph.hpp"
#include "unknot/collective/priced/branching.hpp"
#include "unknot/collective/priced/priced_tree.hpp"

namespace unknot {

/// Shortest ways between members, by lengths of arcs, through nodes that pass on and through no terminal.
class MemberDistances {
 public:
  MemberDistances(const NodeGraph& graph, std::vector<NodeId> members);

  /// Lengths by arc, positive. A search for each member, O(arcs log nodes) each, on so many
  /// threads (0: all). InputError for a member that
  /// another does not reach.
  void measure(std::span<const double> length, std::uint32_t threads = 1);
  /// By places in members.
  [[nodiscard]] const CostMatrix& costs() const { return costs_; }
  [[nodiscard]] PricedTree::Way way(std::uint32_t from, std::uint32_t to) const;

 private:
  void measure_from(std::uint32_t from, std::span<const double> length);

  const NodeGraph& graph_;
  std::vector<NodeId> members_;
  std::vector<std::uint8_t> is_member_;  // by node
  CostMatrix costs_;
  std::vector<std::uint32_t> arc_to_;  // [place * nodes + node]: the last arc of the way there
};

/// Ways of a cheap tree from `root` to all members that may branch at every node that is no terminal; or,
/// with `inward`, to the root, children before parents. Members are joined one after the other, the nearest
/// to the tree first [Takahashi, Matsuyama 1980]: at most twice as dear as the cheapest where lengths are the
/// same in both directions. Adds what it costs to `cost`. O(members arcs log nodes). InputError for a member
/// that is not reached.
std::vector<PricedTree::Way> branching_ways(const NodeGraph& graph, std::span<const std::uint8_t> is_member,
                                            NodeId root, bool inward, std::span<const double> length,
                                            double& cost);

}  // namespace unknot
