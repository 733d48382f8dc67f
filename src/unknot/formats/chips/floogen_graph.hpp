// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "unknot/formats/chips/floogen_plan.hpp"

namespace unknot {

/// The graph that FlooGen makes of a plan (floogen/model/network.py and graph.py there), in its order of
/// nodes and edges, which decides about ports and about which shortest path is found first.
struct FloogenGraph {
  struct Edge {
    std::uint32_t to = 0;
    std::optional<std::uint32_t> direction;  ///< where it leaves
    std::uint32_t line = 0;
  };
  struct Node {
    std::string name;
    std::uint32_t line = 0;
    std::uint32_t level = 0;                  ///< of a tree
    std::uint32_t group = 0;                  ///< which routers or endpoints of the plan it is of
    std::optional<FloogenPlan::Place> place;  ///< of a router in an array: its column and row
    std::optional<std::uint32_t> degree;
    std::vector<Edge> edges;           ///< there and back again in the same order
    std::vector<std::uint16_t> ports;  ///< of a router, by edge, from 1
  };

  std::vector<Node> nodes;  ///< routers, then endpoints
  std::uint32_t routers = 0;

  [[nodiscard]] std::uint16_t port_to(std::uint32_t from, std::uint32_t to) const;
};

/// InputError with file and line for what FlooGen refuses of a plan, an endpoint that is not on exactly one
/// router, and more than a million routers and endpoints.
FloogenGraph make_floogen_graph(const FloogenPlan& plan, const std::string& file);

}  // namespace unknot
