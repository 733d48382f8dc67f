// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/collective/bandwidth/bandwidth_problem.hpp"
#include "unknot/collective/bandwidth/fraction.hpp"
#include "unknot/collective/symmetry/translations.hpp"

namespace unknot {

/// Trees that carry what a collective delivers: each spans all members from its root, and carries a part of
/// each of the root's shares. A piece of data that is as large as one pleases flows down a tree, so that all
/// trees are in use at the same time.
///
/// A share is divided into `copies` equal parts, and a tree that says copies = m stands for m of them.
/// Of backward problems a tree is run in the other direction: parts come in from the leaves and are combined.
/// Of an all-reduce it is run so first, and then from its root; or, where it has a way in of its own, by
/// that.
///
/// Switches that copy or sum (SwitchPowers) are ends of edges like members: what comes to one by one edge
/// leaves it by several.
///
/// Where `translations` are given, `trees` are those of one root, and the trees of each other node that takes
/// part are their images under the element of the group that leads the root there: see Translations.
struct Forest {
  struct Edge {
    NodeId from, to;        ///< `from` is the root or the `to` of an edge before
    std::uint32_t way = 0;  ///< the nodes between, see way()
  };
  struct Tree {
    NodeId root;
    std::uint64_t copies = 0;
    std::vector<Edge> edges;  ///< parents before children
    std::vector<Edge> inward =
        {};                   ///< of an all-reduce, to the root: children before parents; empty: `edges`
    std::uint32_t group = 0;  ///< whose data it carries, where several groups have a forest together
  };

  std::uint64_t copies = 0;  ///< that a share is divided into
  std::vector<Tree> trees;
  std::vector<NodeImages> translations;
  std::vector<std::uint32_t> first_of_way{0};  ///< ways + 1
  std::vector<NodeId> way_nodes;

  /// Nodes on a way, both ends included.
  [[nodiscard]] std::span<const NodeId> way(std::uint32_t w) const {
    return {way_nodes.data() + first_of_way[w], way_nodes.data() + first_of_way[w + 1]};
  }
  std::uint32_t add_way(std::span<const NodeId> nodes);
};

/// Time running backwards: edges in reversed order, each with its nodes from end to end. Not of an
/// all-reduce. O(edges).
Forest time_reversed(const Forest& forest);

/// Of an all-reduce, the trees of an all-gather, to whose roots lead those of a reduce-scatter, as
/// time_reversed() has them: each root has as much of either. InputError for more parts than 64 bits can
/// count. O(edges).
Forest joined(const Forest& outward, const Forest& inward);

/// The trees of all roots, where `translations` stand for them. O(nodes * (nodes + edges)).
Forest written_out(const Forest& forest);

/// Whether any node that takes no part in a tree's group is an end of an edge: a switch that copies or sums.
/// O(edges).
bool branches_at_switches(const Forest& forest, std::span<const BandwidthProblem> groups);

/// Most edges from the root to a member, and most channels.
struct ForestDepth {
  std::uint32_t edges = 0;
  std::uint32_t channels = 0;
};
ForestDepth depth_of(const Forest& forest);

}  // namespace unknot
