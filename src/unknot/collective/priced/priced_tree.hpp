// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "unknot/collective/model/node_graph.hpp"

namespace unknot {

/// A tree that prices of arcs have chosen, as the nodes that its edges pass. Of an all-reduce there is a way
/// in as well, which may be another.
struct PricedTree {
  using Way = std::vector<NodeId>;  ///< both ends included, from who sends to who receives

  NodeId root;
  std::vector<Way> inward;   ///< children before parents
  std::vector<Way> outward;  ///< parents before children

  bool operator==(const PricedTree&) const = default;
};

/// An arc's number, and how often a tree passes it.
using ArcLoad = std::pair<std::uint32_t, std::uint32_t>;

/// Of both ways together, ascending. All ways go by arcs of the graph. O(nodes log degree).
std::vector<ArcLoad> loads_of(const NodeGraph& graph, const PricedTree& tree);

}  // namespace unknot
