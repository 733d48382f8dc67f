// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/tables/blocks/tree_tables.hpp"

namespace unknot {

/// For each lane all channels in an order in which every packet of the tables takes its channels: of any
/// tables that are deadlock-free, whoever made them. Throws RoutingFailure where a lane has a cycle, and
/// where a pair has no path. O(entries * lanes of a tree's paths + turns * lanes).
std::vector<std::vector<std::uint32_t>> orders_of_tables(const TreeTables& tables);

}  // namespace unknot
