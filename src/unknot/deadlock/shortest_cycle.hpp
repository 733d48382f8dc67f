// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/deadlock/dependency_graph.hpp"

namespace unknot {

/// Vertices of a shortest cycle, each waiting for the next and the last for the first; empty where there is
/// no cycle. The same one for the same graph.
///
/// One breadth-first search from each vertex of the cyclic components, cut off at the best length so far; a
/// vertex whose search is complete is left out of the later ones. `max_arcs` bounds the arcs looked at, for
/// components of hundreds of thousands of channels: beyond it the cycle returned is a true one, but a shorter
/// one may exist. `proven` (optional) tells whether it is known to be shortest.
std::vector<DependencyGraph::Vertex> shortest_cycle(const DependencyGraph& graph,
                                                    std::uint64_t max_arcs = 50'000'000,
                                                    bool* proven = nullptr);

}  // namespace unknot
