// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/collective/bandwidth/bandwidth_optimum.hpp"
#include "unknot/collective/trees/member_graph.hpp"

namespace unknot {

/// Leads ways that are longer than their ends are apart another way, the longest first: a shortest one among
/// arcs with as much capacity left as the way takes. Taking switches out one by one leaves some long ones.
/// The graph stays as it is, and so does what its arcs carry. O(long ways * arcs).
void shorten_ways(const BandwidthProblem& problem, const BandwidthCut& optimum, MemberGraph& graph);

}  // namespace unknot
