// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/formats/chips/floogen_graph.hpp"
#include "unknot/formats/chips/floogen_plan.hpp"

namespace unknot {

/// Which of several shortest paths FlooGen takes: it asks networkx.shortest_path(), which searches from both
/// ends, always on from the end with fewer nodes on its rim (the start where they are equal), neighbours in
/// the order of their edges, and takes the first node that both have reached. FlooGen's graph has a node for
/// each device and one for its network interface, joined before the interface is joined to a router: requests
/// go one way, and count among the nodes of a rim.
class FloogenPaths {
 public:
  FloogenPaths(const FloogenPlan& plan, const FloogenGraph& graph);

  /// Nodes of the graph, both ends included; an endpoint is its interface. Empty where there is no way.
  /// O(nodes and edges) at most.
  std::vector<std::uint32_t> find(std::uint32_t from, std::uint32_t to);

 private:
  /// What one end has reached, and from where.
  struct Reach {
    std::vector<std::uint32_t> from, search;  // by node; in which search
    std::vector<std::uint32_t> rim;
  };

  [[nodiscard]] bool has(const Reach& reach, std::uint32_t node) const {
    return reach.search[node] == searches_;
  }
  bool meet(Reach& reach, const Reach& other, bool forward, std::uint32_t& met);

  const FloogenGraph& graph_;
  std::uint32_t nodes_;  // of the graph; the device of endpoint e is nodes_ + e - routers
  std::vector<std::uint8_t> asks_, answers_;  // by endpoint
  Reach there_, back_;
  std::uint32_t searches_ = 0;
  std::vector<std::uint32_t> level_, next_;
};

}  // namespace unknot
