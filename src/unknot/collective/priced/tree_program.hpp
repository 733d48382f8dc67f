// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "unknot/collective/priced/tree_flow.hpp"

namespace unknot {

/// Whether the program of these trees is solved in a second or so.
bool program_is_small(const NodeGraph& graph, std::span<const TreeDemand> demands);

/// The amounts of trees with the least time of the busiest arc: a linear program, whose dual values, by arc,
/// are returned. Empty, and nothing changed, where it finds no optimum.
std::vector<double> solve_tree_program(const NodeGraph& graph, std::span<TreeDemand> demands);

}  // namespace unknot
