// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/collective/bandwidth/bandwidth_problem.hpp"
#include "unknot/collective/bandwidth/fraction.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

/// Disjoint sets of nodes, a member in each, that hold all members. Each sum must come together: until the
/// first of the parts has it, all but one have sent, and each of the others has to get something still. So
/// twice the parts less one enter parts for each share, whatever the schedule, as long as what is sent are
/// shares and sums of shares, and switches do not combine. They may copy, as what enters before then is each
/// what one part has sent. Where switches combine and do not copy as much leaves parts, by the same in
/// reversed time: the same bound where links carry as much in both directions.
struct PartitionBound {
  std::vector<std::vector<NodeId>> parts;  ///< ascending in each, and by their first node
  std::uint64_t shares = 0;                ///< that enter parts, at least
  std::uint64_t capacity = 0;              ///< of all arcs that lead into a part from outside it

  [[nodiscard]] Fraction time() const { return {shares, capacity}; }
};

/// The least time of an all-reduce, and what reaches it: channels of each link divided into those that lead
/// data to where it is summed and those that lead sums to all, and how much is summed where.
struct AllReduceOptimum {
  PartitionBound proof;
  /// The way out: trees from the nodes where sums come together, whose shares are how much of the data that
  /// is, `scale` to each share of the all-reduce. Its least time is 1. The way in are the same trees,
  /// backwards.
  BandwidthProblem outward;
  std::uint64_t scale = 1;
};

/// Of links that carry as much in one direction as in the other. There one way in and its way out can be each
/// other's reverse, and the optimum is a packing of undirected trees [Tutte 1961; Nash-Williams 1961], with
/// switches of a fixed balance an orientation problem [Frank 1980]: partitions that are too narrow give the
/// next time (Newton's method), found as tight sets of a greedy algorithm [Edmonds 1970].
///
/// O(members) maximum flows for each time tried. InputError where links differ by direction, nodes cannot
/// be reached, and for numbers beyond 32 bits of capacity.
AllReduceOptimum all_reduce_optimum(const BandwidthProblem& problem, Progress& progress);

/// What parts prove, counted anew from the graph; nothing of what two of them share. Parts without a member
/// count for nothing.
PartitionBound count_partition(const BandwidthProblem& problem, std::vector<std::vector<NodeId>> parts);

}  // namespace unknot
