// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/angara/route_code.hpp"
#include "unknot/angara/routing_graph.hpp"

namespace unknot::angara {

/// Breadth-first search over the routing graph from one source, and the listing of all shortest paths to a
/// node. Scratch space that is used again for the next source.
class RouteSearch {
 public:
  static constexpr std::uint16_t kUnreached = 0xFFFF;

  explicit RouteSearch(const RoutingGraph& graph);

  /// O(edges reached).
  void run(std::uint32_t source);
  /// Hops of the shortest routes to the node; kUnreached where there is none.
  [[nodiscard]] std::uint16_t hops(std::uint32_t node) const { return best_[node]; }
  /// Appends each shortest physical route to the node once, in ascending order of code.
  void list(std::uint32_t node, std::vector<RouteCode>& routes);

 private:
  struct Back {
    RoutingGraph::State from;
    bool needs_turn;
  };
  void trace(std::uint32_t node, RoutingGraph::State state, std::vector<RouteCode>& routes);

  const RoutingGraph* graph_;
  std::vector<std::vector<Back>> back_;  // by state: the states that lead to it
  std::vector<std::uint16_t> distance_;  // by vertex
  std::vector<std::uint16_t> best_;      // by node
  std::vector<std::uint32_t> queue_;
  std::vector<Direction> directions_;  // of the path being traced, backwards
};

}  // namespace unknot::angara
