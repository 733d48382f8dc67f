// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/collective/trees/equal_trees.hpp"
#include "unknot/collective/trees/member_graph.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

/// Packs trees of many roots at once, greedily, and then looks whether every cut leaves what the trees still
/// to come need; where one does not, trees of fewer roots, and at last edge by edge: an edge is taken by as
/// many trees as every cut can spare, and trees that cannot take it begin again later [Berczi, Frank 2010,
/// after Schrijver]. Always finds a packing where first_in_want() finds nobody in want. A maximum flow for
/// each member and look, or for each edge of each tree.
std::vector<EqualTrees> pack_exactly(const MemberGraph& graph, const std::vector<std::uint64_t>& units,
                                     Progress& progress);

}  // namespace unknot
