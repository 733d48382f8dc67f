// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>
#include <vector>

#include "unknot/collective/bandwidth/all_reduce_optimum.hpp"
#include "unknot/collective/bandwidth/bandwidth_optimum.hpp"
#include "unknot/collective/priced/channel_bound.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

/// What no all-reduce beats where all_reduce_optimum() does not know the least time: links that differ by
/// direction, and switches that copy or sum.
///
/// A cut: nodes inside, a member or more, need the whole vector of sums, and each of its parts depends on
/// what members outside have, so that as much as the vector must enter, however it has been combined on the
/// way (that it must leave too is the cut of the nodes outside). Or a partition, of what enters parts where
/// switches do not sum, of what leaves them where they do not copy. Or channels, where they do neither.
struct ReduceBound {
  std::variant<BandwidthCut, PartitionBound, ChannelBound> proof;

  [[nodiscard]] Fraction time() const;
};

/// Whatever the switches do. 0 shares where the members are all inside or all outside. O(arcs).
BandwidthCut count_separating_cut(const BandwidthProblem& problem, std::vector<NodeId> inside);

/// The narrowest of all cuts with members on both sides: two maximum flows for each member. InputError where
/// members do not reach each other.
BandwidthCut separating_cut(const BandwidthProblem& problem, Progress& progress);

/// The one that proves most, of all cuts and partitions, and channels of some of these: see
/// better_channels(). As separating_cut() and better_partition().
ReduceBound reduce_bound(const BandwidthProblem& problem, Progress& progress);

/// What a proof says, counted anew from the graph. O(arcs at nodes of parts).
Fraction counted_anew(const BandwidthProblem& problem, const ReduceBound& bound);

}  // namespace unknot
