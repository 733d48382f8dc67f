// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/collective/bandwidth/bandwidth_problem.hpp"
#include "unknot/collective/bandwidth/fraction.hpp"
#include "unknot/collective/bandwidth/supplied_flow.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

/// Nodes that lack shares, and the channels that lead to them: no schedule takes less than shares over
/// capacity.
struct BandwidthCut {
  std::vector<NodeId> inside;  ///< ascending; at least one of them is a member
  std::uint64_t shares = 0;    ///< that no node inside owns
  std::uint64_t capacity = 0;  ///< of all arcs that lead inside

  [[nodiscard]] Fraction time() const { return {shares, capacity}; }
};

/// The least time there is for a problem, and the cut that proves that there is no less. That it is reached
/// is the theorem of disjoint branchings [Edmonds 1973] once switches have been taken out [Bang-Jensen,
/// Frank, Jackson 1995; Zhao et al., ForestColl, arXiv 2402.06787].
///
/// A cut that is too narrow gives the next time, until none is (Newton's method on fractions): no bisection.
/// O(members) maximum flows. InputError where a member cannot be reached, and for numbers beyond 62 bits.
BandwidthCut bandwidth_optimum(const BandwidthProblem& problem, Progress& progress);

/// What a set of nodes proves, counted anew from the graph: 0 shares where it has no member.
BandwidthCut count_cut(const BandwidthProblem& problem, std::vector<NodeId> inside);

/// Whether `sinks`, one after the other, can each get `needed` units; who can is merged into the source, as a
/// cut with it on the sinks' side is no narrower than one without. Stops at the first that cannot, whose
/// number is returned; the number of sinks where all can. Supplies are left as they were.
std::size_t first_in_want(SuppliedFlow& flow, std::span<const std::uint32_t> sinks, std::uint64_t needed);

/// After a flow on the graph's nodes that fell short: those on the sinks' side of its cut, ascending.
std::vector<NodeId> nodes_in_want(const NodeGraph& graph, const SuppliedFlow& flow);

/// InputError for capacities whose products with numbers of shares cannot be counted.
[[noreturn]] void refuse_large_capacities();

/// Members by distance from the first of them, so that flows to the next are short.
std::vector<std::uint32_t> members_in_order(const BandwidthProblem& problem);

}  // namespace unknot
