// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace unknot {

/// Short cycles of a graph: for each vertex on a cycle a shortest one through it, each cycle once, shortest
/// first, at most `most`. A cycle is its vertices, each leading to the next and the last to the first, the
/// smallest first. Empty exactly when the graph has no cycle. `arcs` are (tail, head) below `vertices`.
/// O(vertices on cycles * arcs).
std::vector<std::vector<std::uint32_t>> short_cycles(
    std::uint32_t vertices, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& arcs,
    std::size_t most);

}  // namespace unknot
