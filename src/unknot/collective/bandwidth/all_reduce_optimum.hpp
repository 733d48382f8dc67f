// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "unknot/collective/bandwidth/bandwidth_problem.hpp"
#include "unknot/collective/bandwidth/fraction.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

/// Sets of nodes such that each member is in just one, and each has a member. Each sum must come together:
/// until the first of the parts has it, each of the others has sent something that a member elsewhere got,
/// and each of the others has to get something still. So members get twice the parts less one from members of
/// other parts for each share, whatever the schedule, as long as what is sent are shares and sums of shares.
///
/// Where switches do not combine these are different things, and each enters the part whose member gets it:
/// as much enters parts. Switches may copy, as what is got before then is each what one part has sent, and
/// what one part gets after it enters that part. Where switches do not copy as much leaves parts, by the same
/// in reversed time: another bound where links differ by direction.
///
/// A part is filled by itself, so that a switch may be in several, and an arc counts for each part it enters.
/// With disjoint parts the narrowest would be a multiway cut, which is hard to find [Dahlhaus et al. 1994],
/// and no narrower. Where links are even disjoint ones are as narrow, as what enters two sets together is no
/// less than what enters each without the other.
struct PartitionBound {
  std::vector<std::vector<NodeId>> parts;  ///< ascending in each, and in order
  bool leaving = false;                    ///< what leaves parts is counted, not what enters
  std::uint64_t shares = 0;                ///< that enter parts, at least
  std::uint64_t capacity = 0;              ///< of arcs that lead into a part from outside, for each part

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

/// The partition that proves most, of what enters parts or of what leaves them, where that is more than
/// `time`, else nothing. With the least that enters any nodes that hold certain members and no others, a
/// partition costs what its parts do, and this is a submodular function of sets of members that meet, so that
/// a greedy algorithm with a flow for each member tells whether a time is enough [Edmonds 1970], and
/// partitions that are too narrow give the next time (Newton's method).
///
/// O(members) maximum flows for each time tried. InputError where members do not reach each other, and for
/// numbers beyond 62 bits.
std::optional<PartitionBound> better_partition(const BandwidthProblem& problem, const Fraction& time,
                                               bool leaving, Progress& progress);

/// Of links that carry as much in one direction as in the other. There one way in and its way out can be each
/// other's reverse, and the optimum is a packing of undirected trees [Tutte 1961; Nash-Williams 1961], with
/// switches of a fixed balance an orientation problem [Frank 1980]. No partition proves more than the best,
/// and there is no less than it: found as better_partition() does.
///
/// InputError as better_partition(), where links differ by direction, and for channels that cannot be divided
/// in numbers of 32 bits.
AllReduceOptimum all_reduce_optimum(const BandwidthProblem& problem, Progress& progress);

/// How much of an all-reduce may come together where: an all-gather, in parts of shares, that takes at most
/// half of `time`; of `leaving` it is the reduce-scatter to the same nodes that does. On links where as much
/// leaves each node as enters it, both do. Nothing where the time is less than partitions say, or channels
/// would have to be turned. As better_partition(), but for one time.
std::optional<BandwidthProblem> roots_in_time(const BandwidthProblem& problem, const Fraction& time,
                                              bool leaving, Progress& progress);

/// What parts prove, counted anew from the graph; nothing where a member is in several, or in none. Parts
/// without a member count for nothing. O(arcs at nodes of parts).
PartitionBound count_partition(const BandwidthProblem& problem, std::vector<std::vector<NodeId>> parts,
                               bool leaving = false);

}  // namespace unknot
