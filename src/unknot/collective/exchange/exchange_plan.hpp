// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/collective/model/node_graph.hpp"

namespace unknot {

/// Which ways the messages of an exchange take. Each is divided into `copies` equal parts, and each route
/// carries some of the parts of the message between its ends, all at the same time.
struct ExchangePlan {
  struct Route {
    std::uint32_t copies = 0;
    std::uint32_t first = 0;  ///< of its nodes, both ends included; they end where the next route's begin
  };

  std::uint32_t copies = 0;
  std::vector<Route> routes;
  std::vector<NodeId> nodes;

  [[nodiscard]] std::span<const NodeId> way(std::size_t route) const {
    const std::size_t end = route + 1 < routes.size() ? routes[route + 1].first : nodes.size();
    return {nodes.data() + routes[route].first, nodes.data() + end};
  }
};

}  // namespace unknot
