// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "unknot/collective/model/node_graph.hpp"

namespace unknot {

/// A network that is a Cartesian product of rings: a torus, or a hypercube, whose dimensions go in pairs as
/// rings of four. A dimension left over is a ring of two nodes, joined once.
struct RingProduct {
  std::vector<std::uint32_t> sizes;   ///< nodes of a ring of each dimension, 2 or more
  std::vector<std::uint32_t> stride;  ///< by dimension: what one step along it adds to the index
  std::vector<NodeId> node;           ///< by index: sum of coordinate times stride

  [[nodiscard]] std::uint32_t dimensions() const { return static_cast<std::uint32_t>(sizes.size()); }
  [[nodiscard]] std::uint32_t coordinate(std::uint32_t index, std::uint32_t dimension) const {
    return index / stride[dimension] % sizes[dimension];
  }
  /// The index one step on along a dimension, or back.
  [[nodiscard]] std::uint32_t neighbour(std::uint32_t index, std::uint32_t dimension, bool on) const {
    const std::uint32_t at = coordinate(index, dimension), size = sizes[dimension];
    const std::uint32_t to = on ? (at + 1) % size : (at + size - 1) % size;
    return index - at * stride[dimension] + to * stride[dimension];
  }
};

/// Coordinates of a network that is such a product, found from its arcs alone and compared with all of them;
/// none where it is not, or has terminals of its own. Opposite neighbours have no second common neighbour
/// unless their ring has four nodes; of those any two neighbours may be opposite. O(nodes * degree^2).
std::optional<RingProduct> find_ring_product(const NodeGraph& graph);

}  // namespace unknot
