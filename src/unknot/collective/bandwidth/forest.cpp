// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/bandwidth/forest.hpp"

#include <algorithm>
#include <unordered_map>

namespace unknot {

std::uint32_t Forest::add_way(std::span<const NodeId> nodes) {
  way_nodes.insert(way_nodes.end(), nodes.begin(), nodes.end());
  first_of_way.push_back(static_cast<std::uint32_t>(way_nodes.size()));
  return static_cast<std::uint32_t>(first_of_way.size() - 2);
}

Forest time_reversed(const Forest& forest) {
  Forest result;
  result.copies = forest.copies;
  result.translations = forest.translations;  // what a network's automorphism is, is one of its reverse
  std::vector<NodeId> nodes;
  for (std::uint32_t w = 0; w + std::size_t{1} < forest.first_of_way.size(); ++w) {
    nodes.assign(forest.way(w).rbegin(), forest.way(w).rend());
    result.add_way(nodes);
  }
  result.trees.reserve(forest.trees.size());
  for (const Forest::Tree& tree : forest.trees) {
    Forest::Tree& made = result.trees.emplace_back(Forest::Tree{tree.root, tree.copies, {}});
    made.edges.reserve(tree.edges.size());
    for (const Forest::Edge& edge : tree.edges) made.edges.push_back({edge.to, edge.from, edge.way});
    std::reverse(made.edges.begin(), made.edges.end());
  }
  return result;
}

ForestDepth depth_of(const Forest& forest) {
  ForestDepth most;
  std::unordered_map<std::uint32_t, ForestDepth> of;
  for (const Forest::Tree& tree : forest.trees) {
    of.clear();
    of[tree.root.value] = {};
    for (const Forest::Edge& edge : tree.edges) {
      ForestDepth here = of[edge.from.value];
      ++here.edges;
      here.channels += static_cast<std::uint32_t>(forest.way(edge.way).size() - 1);
      of[edge.to.value] = here;
      most = {std::max(most.edges, here.edges), std::max(most.channels, here.channels)};
    }
  }
  return most;
}

}  // namespace unknot
