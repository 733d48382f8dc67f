// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "unknot/bounds/concurrent_flow.hpp"
#include "unknot/collective/model/problem.hpp"

namespace unknot {

/// The messages of a scatter as a concurrent flow: the nodes as routers, of which those that send or receive
/// have a terminal. Ports, routes, and what both directions of a link share, are not in it.
class FlowNetwork {
 public:
  /// The problem is a scatter. O(problem).
  explicit FlowNetwork(const Problem& problem);

  /// Refers to this.
  [[nodiscard]] FlowProblem flow(FlowWays ways) const { return {network_, demand_, ways, capacity_}; }
  /// Channels are arcs in another order.
  [[nodiscard]] ArcId arc_of(ChannelId c) const { return arc_of_[c.value]; }
  /// By arc, those of a flow on it.
  [[nodiscard]] std::vector<double> lengths_by_arc(const ConcurrentFlow& flow) const;

 private:
  Network network_;
  RouterDemand demand_;
  std::vector<ArcId> arc_of_;
  std::vector<double> capacity_;
};

}  // namespace unknot
