// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/lanes/acyclic_arcs.hpp"

namespace unknot {

// What engines ask of the channel dependencies that they are making. The checker asks the same of those it
// finds with code of its own (deadlock/).

/// By vertex: arcs of the longest path that ends there. Vertices on a cycle, and behind one, count what comes
/// before it. O(vertices + arcs).
std::vector<std::uint32_t> arc_levels(const ArcSpace& space);

/// By vertex: a number that it has in common with those that lie with it on a closed walk; ArcSpace::kNone
/// where none does. O(vertices + arcs). [Gabow 2000]
std::vector<std::uint32_t> cyclic_parts(const ArcSpace& space);

}  // namespace unknot
