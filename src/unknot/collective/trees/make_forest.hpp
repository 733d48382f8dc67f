// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "unknot/collective/bandwidth/all_reduce_optimum.hpp"
#include "unknot/collective/bandwidth/forest.hpp"
#include "unknot/collective/trees/member_graph.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

/// Trees that take the least time, made from a graph without switches: by ranks, shallow ones, or, where that
/// ends without a packing, edge by edge, which always finds one. Same problem, same forest.
/// InputError where the forest would have more than 2^31 edges.
Forest make_forest(const BandwidthProblem& problem, const MemberGraph& graph, Progress& progress);

/// The same from the beginning, of a collective or of an all-reduce.
Forest make_forest(const BandwidthProblem& problem, const BandwidthCut& optimum, Progress& progress);
Forest make_forest(const AllReduceOptimum& optimum, Progress& progress);

/// Of an all-reduce whose sums come together at `roots`, in parts of shares: trees of the all-gather from
/// there and the reduce-scatter to it, where both together take no more than `time`; else, but for rounding
/// of that sum, nothing. InputError as above.
std::optional<Forest> make_forest_both_ways(const BandwidthProblem& problem, const BandwidthProblem& roots,
                                            const Fraction& time, Progress& progress);

}  // namespace unknot
