// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/collective/bandwidth/bandwidth_problem.hpp"
#include "unknot/collective/priced/priced_tree.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

/// Some shares of a group, and the trees that carry them: of one owner, or all of an all-reduce, whose trees
/// may have any roots.
struct TreeDemand {
  struct Column {
    PricedTree tree;
    std::vector<ArcLoad> loads;
    double amount = 0;  ///< shares
  };

  std::uint32_t group = 0;
  NodeId root;  ///< invalid: any
  std::uint64_t shares = 0;
  std::vector<Column> columns;  ///< different trees; their amounts together are `shares`
};

/// Trees of several groups at the same time, divided at will, and prices that tell how near to the least time
/// they are.
struct TreeFlow {
  std::vector<TreeDemand> demands;
  /// As they were before the program was solved, where it was: no better, but sometimes in rounder numbers.
  std::vector<TreeDemand> before;
  double time = 0;  ///< of the busiest arc, in shares over capacity
  /// Candidates for what count_tree_lengths() is to judge: prices by arc, not negative.
  std::vector<std::vector<double>> prices;
};

struct TreeFlowOptions {
  double gap = 0.005;  ///< as near to what prices prove is good enough
  double enough = 0;   ///< and so is this time, where it is known to be the least
  std::uint32_t threads = 0;
};

/// Prices of arcs grow exponentially with their load, and each demand in turn moves to its cheapest tree as
/// far as lowers the sum of all prices (block-coordinate potential reduction, as in
/// bounds/concurrent_flow.hpp). Where the linear program of the trees found is small, it is solved, and trees
/// that its prices find cheaper are added until there are none (column generation: Dantzig, Wolfe 1960).
///
/// Groups are on one graph. Same groups, same trees, at any number of threads. InputError for a member that
/// is not reached.
TreeFlow pack_trees(std::span<const BandwidthProblem> groups, const TreeFlowOptions& options,
                    Progress& progress);

}  // namespace unknot
