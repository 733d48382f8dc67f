// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace unknot {

/// So many equal trees of a root along arcs of a member graph.
struct EqualTrees {
  std::uint32_t root = 0;  ///< place in members
  std::uint64_t count = 0;
  std::vector<std::uint32_t> arcs;  ///< parents before children
};

}  // namespace unknot
