// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/collective/bandwidth/forest_builder.hpp"
#include "unknot/collective/bandwidth/member_graph.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

/// Packs trees edge by edge, one root after the other: an edge is taken by as many trees as every cut can
/// spare that the trees still to come need [Berczi, Frank 2010, after Schrijver]. Trees that cannot take it
/// begin again later. Always finds a packing where first_in_want() finds nobody in want. A maximum flow for
/// each edge of each tree: for some hundred members.
void pack_exactly(const MemberGraph& graph, const std::vector<std::uint64_t>& units, ForestBuilder& forest,
                  Progress& progress);

}  // namespace unknot
