// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "unknot/collective/model/catalogue.hpp"
#include "unknot/collective/model/schedule.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot::testing {

/// A collective on a network, with transfers to draw.
struct DrawingCase {
  Network network;
  Problem problem;
  Schedule schedule;
};

inline std::vector<NodeId> shortest_path(const NodeGraph& graph, NodeId from, NodeId to) {
  std::vector<std::uint32_t> hops;
  graph.distances_to(to, hops);
  std::vector<NodeId> path{from};
  while (path.back() != to) {
    for (const ArcId a : graph.out(path.back())) {
      const NodeId next = graph.head(a);
      if (hops[next.value] + 1 != hops[path.back().value] || (graph.is_leaf(next) && next != to)) continue;
      path.push_back(next);
      break;
    }
  }
  return path;
}

/// Messages go straight along shortest paths, five in a step whether they meet or not: drawings take
/// schedules that are not valid, too. Of many messages some, from all owners.
inline DrawingCase crowded_case(const std::string& spec, const std::string& collective) {
  DrawingCase result;
  result.network = make_network(spec);
  const auto graph = std::make_shared<const NodeGraph>(result.network);
  result.problem = make_collective(graph, collective);
  const Problem& p = result.problem;
  constexpr std::uint32_t kTogether = 5;
  constexpr std::uint32_t kMost = 60;
  const std::uint32_t every = 1 + p.messages() / kMost;
  std::uint32_t message = 0;
  std::uint32_t count = 0;
  for (std::uint32_t g = 0; g < p.groups(); ++g) {
    for (const NodeId partner : p.partners(g)) {
      if (message++ % every != 0) continue;
      if (count++ % kTogether == 0) result.schedule.add_step();
      const bool back = p.delivery == Delivery::reduction;
      result.schedule.add(p.owner[g], back ? shortest_path(*graph, partner, p.owner[g])
                                           : shortest_path(*graph, p.owner[g], partner));
    }
  }
  return result;
}

/// Of each kind of layout one or more, small.
inline const std::vector<std::string>& drawn_topologies() {
  static const std::vector<std::string> specs = {"hypercube:3",
                                                 "mesh:3x3",
                                                 "torus:4x3",
                                                 "mesh:5",
                                                 "hyperx:3x2",
                                                 "torus:3x2,p=2",
                                                 "uniring:5",
                                                 "spidergon:6",
                                                 "kautz:b=2,n=2,oriented=1",
                                                 "fulltree:7",
                                                 "fattree:4",
                                                 "btree:8,p=1",
                                                 "omega:4",
                                                 "clos:6",
                                                 "xgft:m=4,w=2",
                                                 "ring:2",
                                                 "jellyfish:routers=6,degree=3,p=2",
                                                 "torus:2x2x2x2"};
  return specs;
}

}  // namespace unknot::testing
