// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/bandwidth/forest.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "unknot/support/error.hpp"

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

namespace {

/// Trees by their roots.
std::vector<const Forest::Tree*> by_root(const Forest& forest) {
  std::vector<const Forest::Tree*> trees;
  trees.reserve(forest.trees.size());
  for (const Forest::Tree& tree : forest.trees) trees.push_back(&tree);
  std::stable_sort(trees.begin(), trees.end(),
                   [](const Forest::Tree* a, const Forest::Tree* b) { return a->root < b->root; });
  return trees;
}

}  // namespace

Forest joined(const Forest& outward, const Forest& inward) {
  Forest result;
  const std::uint64_t times_out = inward.copies / std::gcd(outward.copies, inward.copies);
  if (__builtin_mul_overflow(outward.copies, times_out, &result.copies))
    throw InputError("all-reduce: there are more parts of a share than 64 bits can count");
  const std::uint64_t times_in = result.copies / inward.copies;
  result.translations = outward.translations;
  result.first_of_way = outward.first_of_way;
  result.way_nodes = outward.way_nodes;
  const auto ways = static_cast<std::uint32_t>(outward.first_of_way.size() - 1);
  for (std::uint32_t w = 0; w + std::size_t{1} < inward.first_of_way.size(); ++w)
    result.add_way(inward.way(w));
  const std::vector<const Forest::Tree*> out = by_root(outward), in = by_root(inward);
  std::uint64_t done_out = 0, done_in = 0;
  for (std::size_t i = 0, j = 0; i < out.size() && j < in.size();) {
    const std::uint64_t left_out = out[i]->copies * times_out - done_out;
    const std::uint64_t left_in = in[j]->copies * times_in - done_in;
    const std::uint64_t both = std::min(left_out, left_in);
    Forest::Tree& tree = result.trees.emplace_back(Forest::Tree{out[i]->root, both, out[i]->edges});
    tree.inward = in[j]->edges;
    for (Forest::Edge& edge : tree.inward) edge.way += ways;
    done_out = both == left_out ? 0 : done_out + both;
    done_in = both == left_in ? 0 : done_in + both;
    i += both == left_out ? 1 : 0;
    j += both == left_in ? 1 : 0;
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

Forest written_out(const Forest& forest) {
  if (forest.translations.empty() || forest.trees.empty()) return forest;
  // Elements of the group by where they lead the root: products of a generator and one that is there.
  const NodeId root = forest.trees.front().root;
  const std::size_t nodes = forest.translations.front().size();
  std::vector<NodeImages> elements(1, NodeImages(nodes));
  for (std::uint32_t n = 0; n < nodes; ++n) elements[0][n] = NodeId(n);
  std::vector<bool> reached(nodes, false);
  reached[root.value] = true;
  for (std::size_t e = 0; e < elements.size(); ++e) {
    for (const NodeImages& generator : forest.translations) {
      if (reached[generator[elements[e][root.value].value].value]) continue;
      NodeImages product = elements[e];
      for (NodeId& n : product) n = generator[n.value];
      reached[product[root.value].value] = true;
      elements.push_back(std::move(product));
    }
  }
  Forest result;
  result.copies = forest.copies;
  std::vector<NodeId> way;
  for (const NodeImages& images : elements) {
    const auto first_way = static_cast<std::uint32_t>(result.first_of_way.size() - 1);
    for (std::uint32_t w = 0; w + std::size_t{1} < forest.first_of_way.size(); ++w) {
      way.clear();
      for (const NodeId n : forest.way(w)) way.push_back(images[n.value]);
      result.add_way(way);
    }
    for (const Forest::Tree& tree : forest.trees) {
      Forest::Tree& made = result.trees.emplace_back(tree);
      made.root = images[tree.root.value];
      for (std::vector<Forest::Edge>* const edges : {&made.edges, &made.inward}) {
        for (Forest::Edge& edge : *edges)
          edge = {images[edge.from.value], images[edge.to.value], first_way + edge.way};
      }
    }
  }
  return result;
}

bool branches_at_switches(const Forest& forest, std::span<const BandwidthProblem> groups) {
  return std::any_of(forest.trees.begin(), forest.trees.end(), [&](const Forest::Tree& tree) {
    const BandwidthProblem& group = groups[tree.group];
    const auto at_switch = [&](const Forest::Edge& edge) {
      return !group.is_member(edge.from) || !group.is_member(edge.to);
    };
    return !group.is_member(tree.root) || std::any_of(tree.edges.begin(), tree.edges.end(), at_switch) ||
           std::any_of(tree.inward.begin(), tree.inward.end(), at_switch);
  });
}

}  // namespace unknot
