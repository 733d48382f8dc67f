// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/collective/bandwidth/bandwidth_problem.hpp"
#include "unknot/collective/bandwidth/fraction.hpp"

namespace unknot {

/// What lengths of arcs prove of groups that are at work at the same time: whatever the trees, each share
/// takes up at least as much capacity times length as the cheapest tree from its owner to all, of all that
/// there is in a unit of time. (The dual of the packing of trees.)
///
/// Of an all-reduce each part of the vector takes up the cheapest way in and out of some node: a bound on
/// schedules that sum along a tree and send the sum along a tree. Where lengths are the same in both
/// directions it holds for all schedules: nodes that shortest ways of some length join are a part, and of k
/// parts 2 (k - 1) times something has to enter one (PartitionBound).
struct TreeBound {
  std::vector<std::uint32_t> length;  ///< by arc
  std::uint64_t costs = 0;            ///< of the cheapest trees of all shares, in these lengths
  std::uint64_t capacity = 0;         ///< of all arcs, each times its length
  bool of_trees_only = false;         ///< an all-reduce in lengths that differ by direction

  /// In shares over capacity: no schedule takes less.
  [[nodiscard]] Fraction time() const { return {costs, capacity}; }
};

/// Costs are counted anew, in whole numbers, and no tree is made. `length` has an entry for each arc, at
/// least one above 0 where there is capacity. Groups are on one graph, and switches neither copy nor sum.
/// InputError for sums beyond 64 bits. O(members * arcs log nodes + owners * members^2 * contractions).
TreeBound count_tree_lengths(std::span<const BandwidthProblem> groups, std::vector<std::uint32_t> length);

}  // namespace unknot
