// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/collective/symmetry/symmetry.hpp"

namespace unknot {

/// The same group with other subgroups on its way: each next one is, of those of prime index, one whose
/// elements move nodes as far as can be, so that images of a path are seldom in each other's way; the group
/// as it was where that way leads nowhere. `ends`: the nodes that take part. O(order^2 log order) and a
/// breadth-first search from each node.
Symmetry far_subgroups(const NodeGraph& graph, const Symmetry& group, const std::vector<std::uint32_t>& ends);

}  // namespace unknot
