// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/paths/path_lattice.hpp"

#include <algorithm>

namespace unknot {

PathLattice::PathLattice(const Problem& problem, std::uint32_t extra_hops) : extra_(extra_hops) {
  const NodeGraph& graph = *problem.graph;
  std::vector<std::vector<std::uint32_t>> to(graph.node_count());  // by partner: hops from each node
  for (const NodeId n : problem.partner) {
    if (to[n.value].empty()) graph.distances_to(n, to[n.value]);
  }
  struct Place {
    NodeId node;
    std::uint32_t number;
  };
  std::vector<Place> now, next;
  std::vector<std::uint32_t> stamp(graph.node_count(), 0), number(graph.node_count());
  std::uint32_t hop_stamp = 0;
  for (std::uint32_t g = 0; g < problem.groups(); ++g) {
    const NodeId owner = problem.owner[g];
    for (const NodeId partner : problem.partners(g)) {
      const std::vector<std::uint32_t>& left = to[partner.value];
      const std::uint32_t most = left[owner.value] + extra_hops;
      std::uint32_t places = 1;
      now.assign(1, {owner, 0});
      for (std::uint32_t hops = 1; hops <= most; ++hops) {
        ++hop_stamp;
        next.clear();
        for (const Place& place : now) {
          for (const ArcId a : graph.out(place.node)) {
            const NodeId head = graph.head(a);
            if (head == owner || left[head.value] > most - hops || (graph.is_leaf(head) && head != partner))
              continue;
            if (stamp[head.value] != hop_stamp) {
              stamp[head.value] = hop_stamp;
              number[head.value] = places++;
              if (head == partner) {
                ends_.push_back(number[head.value]);
              } else {
                next.push_back({head, number[head.value]});
              }
            }
            edges_.push_back({a, place.number, number[head.value]});
          }
        }
        std::swap(now, next);
      }
      first_edge_.push_back(edges_.size());
      first_end_.push_back(ends_.size());
      shortest_.push_back(left[owner.value]);
      longest_ = std::max(longest_, left[owner.value]);
      most_places_ = std::max(most_places_, places);
    }
  }
}

}  // namespace unknot
