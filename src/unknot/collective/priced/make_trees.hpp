// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/collective/bandwidth/forest.hpp"
#include "unknot/collective/bandwidth/forest_check.hpp"
#include "unknot/collective/priced/tree_bound.hpp"
#include "unknot/collective/priced/tree_flow.hpp"

namespace unknot {

/// The best that lengths prove of groups without SwitchPowers: those of a flow, in whole numbers (as small
/// ones as say the same), those given, and equal ones. On networks that are the same in both directions
/// lengths are, too, where sums are made.
TreeBound best_tree_bound(std::span<const BandwidthProblem> groups, const TreeFlow& flow,
                          const std::vector<std::vector<std::uint32_t>>& given);

/// Trees that carry whole parts of shares, and what check_forest() says of them.
struct WholeTrees {
  Forest forest;
  ForestVerdict verdict;
};

/// Of a flow: shares are divided into ever more parts, until the time is `least`, or, once there are many,
/// within `gap` of it. What is left of a share after rounding goes where arcs have room, and parts on the
/// busiest arc move to other trees of their demand where that helps. Same flow, same trees.
WholeTrees whole_trees(std::span<const BandwidthProblem> groups, const TreeFlow& flow, const Fraction& least,
                       double gap);

}  // namespace unknot
