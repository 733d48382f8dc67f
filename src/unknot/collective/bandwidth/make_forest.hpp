// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/collective/bandwidth/all_reduce_optimum.hpp"
#include "unknot/collective/bandwidth/forest.hpp"
#include "unknot/collective/bandwidth/member_graph.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

/// Trees that take the least time, made from a graph without switches: by ranks, shallow ones, or, where that
/// ends without a packing, edge by edge, which always finds one. Same problem, same forest.
/// InputError where the forest would have more than 2^31 edges.
Forest make_forest(const BandwidthProblem& problem, const MemberGraph& graph, Progress& progress);

/// The same from the beginning, of a collective or of an all-reduce.
Forest make_forest(const BandwidthProblem& problem, const BandwidthCut& optimum, Progress& progress);
Forest make_forest(const AllReduceOptimum& optimum, Progress& progress);

}  // namespace unknot
