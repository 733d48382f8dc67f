// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "unknot/collective/model/node_graph.hpp"

namespace unknot {

/// Image of each node.
using NodeImages = std::vector<NodeId>;

/// A commutative group of automorphisms of a network that has just one element for each pair of members,
/// which leads the one to the other: what holds at one member then holds at each. Its elements are the
/// products of powers of the generators, below their sizes.
struct Translations {
  std::vector<NodeImages> generators;
  std::vector<std::uint32_t> sizes;  ///< the order of each

  /// Images of a node under all elements: element e takes generator d (e / (sizes before d)) % sizes[d]
  /// times.
  [[nodiscard]] std::vector<NodeId> orbit(NodeId n) const;
};

/// Steps along the rings of a torus, or around blocks of equal numbers of members that follow each other:
/// boxes in a row, with the same ways between all. Switches follow the members they are joined to. None where
/// no such group is found, which does not say that there is none. `members` ascending. O(arcs log arcs) for
/// each divisor of their number.
std::optional<Translations> find_translations(const NodeGraph& graph, std::span<const NodeId> members);

}  // namespace unknot
