// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/collective/model/problem.hpp"

namespace unknot {

/// Numbers for the nodes that take part, transmitters and receivers alike, in ascending order of nodes: what
/// MPI and its like know instead of nodes.
struct Ranks {
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  std::vector<NodeId> node;            ///< by rank
  std::vector<std::uint32_t> of_node;  ///< by node; kNone for those that do not take part

  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(node.size()); }
  [[nodiscard]] std::uint32_t of(NodeId n) const { return of_node[n.value]; }
};

/// O(nodes + messages).
Ranks ranks_of(const Problem& problem);

}  // namespace unknot
