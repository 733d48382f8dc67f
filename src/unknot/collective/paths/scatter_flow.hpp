// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/collective/model/problem.hpp"
#include "unknot/collective/paths/max_flow.hpp"

namespace unknot {

/// The messages of one source alone, as a flow: they can be delivered in `steps` steps exactly when arcs of
/// `steps` times their capacity carry them all, since a flow in whole numbers divides into that many steps
/// (network matrices have the integer decomposition property). Under half duplex, flows that meet on a link
/// cancel. Only arcs that lie on a path which is not too long carry any. Exact for paths of any length and
/// for minimal ones; a bound for lengths between.
class ScatterFlow {
 public:
  /// The problem is a scatter and must outlive this. O(arcs).
  ScatterFlow(const Problem& problem, std::uint32_t group);

  /// True when the group alone can be delivered in this many steps; the flow is kept. One maximum flow.
  bool feasible(std::uint32_t steps);
  /// Least steps that are feasible, searched between `enough_below` + 1, of which the caller knows that fewer
  /// will not interest it, and the number of messages. O(log messages) flows. Leaves the flow of the result.
  std::uint32_t least_steps(std::uint32_t enough_below = 0);
  /// After an infeasible run: the nodes on the side of the source of a minimum cut, ascending.
  [[nodiscard]] std::vector<NodeId> source_side() const;
  /// After a run: messages over all steps on an arc; of as many as can be delivered.
  [[nodiscard]] std::uint64_t flow(ArcId a) const;

 private:
  static constexpr std::uint32_t kNoEdge = 0xFFFFFFFFU;
  const Problem& problem_;
  const NodeGraph& graph_;
  std::uint32_t group_;
  MaxFlow flow_;
  std::uint32_t ports_edge_ = 0;
  std::vector<std::uint32_t> edge_;        // by arc
  std::vector<std::uint32_t> last_edges_;  // to the sink, by partner
};

}  // namespace unknot
