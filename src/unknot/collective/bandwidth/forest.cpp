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
    made.group = tree.group;
    made.edges.reserve(tree.edges.size());
    for (const Forest::Edge& edge : tree.edges) made.edges.push_back({edge.to, edge.from, edge.way});
    std::reverse(made.edges.begin(), made.edges.end());
  }
  return result;
}

ForestDepth depth_of(const Forest& forest) {
  ForestDepth most;
  std::unordered_map<std::uint32_t, ForestDepth> of;
  const auto follow = [&](NodeId from, NodeId to, std::uint32_t way) {
    ForestDepth here = of[from.value];
    ++here.edges;
    here.channels += static_cast<std::uint32_t>(forest.way(way).size() - 1);
    of[to.value] = here;
    most = {std::max(most.edges, here.edges), std::max(most.channels, here.channels)};
  };
  for (const Forest::Tree& tree : forest.trees) {
    of.clear();
    of[tree.root.value] = {};
    for (const Forest::Edge& edge : tree.edges) follow(edge.from, edge.to, edge.way);
    of.clear();
    of[tree.root.value] = {};
    std::for_each(tree.inward.rbegin(), tree.inward.rend(),
                  [&](const Forest::Edge& edge) { follow(edge.to, edge.from, edge.way); });
  }
  return most;
}

bool is_plain(const Forest& forest, std::span<const std::uint8_t> is_member) {
  if (!forest.translations.empty()) return false;
  return std::all_of(forest.trees.begin(), forest.trees.end(), [&](const Forest::Tree& tree) {
    return tree.group == 0 && tree.inward.empty() && is_member[tree.root.value] != 0 &&
           std::all_of(tree.edges.begin(), tree.edges.end(),
                       [&](const Forest::Edge& edge) { return is_member[edge.to.value] != 0; });
  });
}

}  // namespace unknot
