// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <limits>

#include "unknot/slurm/topology/node_groups.hpp"
#include "unknot/slurm/topology/tree_error.hpp"

namespace unknot::slurm {
namespace {

void gather(const TopologyTree& tree, std::uint32_t from, std::vector<std::string>& hosts) {
  const TopologyTree::Switch& one = tree.switches[from];
  hosts.insert(hosts.end(), one.hosts.begin(), one.hosts.end());
  for (const std::uint32_t child : one.children) gather(tree, child, hosts);
}

/// Switches of a level in the order of the tree, so that those below one switch follow each other.
void in_order(const TopologyTree& tree, std::uint32_t from, std::uint32_t level,
              std::vector<std::uint32_t>& found) {
  if (tree.switches[from].level == level) {
    found.push_back(from);
    return;
  }
  for (const std::uint32_t child : tree.switches[from].children) in_order(tree, child, level, found);
}

std::uint32_t count_below(const TopologyTree& tree, std::uint32_t from, std::uint32_t level) {
  std::vector<std::uint32_t> found;
  in_order(tree, from, level, found);
  return static_cast<std::uint32_t>(found.size());
}

std::vector<NodeGroup> groups_at(const TopologyTree& tree, std::uint32_t level) {
  std::vector<std::uint32_t> switches;
  in_order(tree, static_cast<std::uint32_t>(tree.switches.size() - 1), level, switches);
  std::vector<NodeGroup> groups;
  groups.reserve(switches.size());
  for (const std::uint32_t s : switches) {
    NodeGroup& group = groups.emplace_back();
    group.name = tree.switches[s].name;
    gather(tree, s, group.nodes);
  }
  return groups;
}

}  // namespace

TopologyTree tree_of_groups(const std::vector<NodeGroup>& groups) {
  TopologyTree tree;
  for (const NodeGroup& group : groups) tree.switches.push_back({group.name, 0, group.nodes, {}});
  if (groups.size() == 1) return tree;
  TopologyTree::Switch root{"all", 1, {}, {}};
  for (std::uint32_t g = 0; g < groups.size(); ++g) root.children.push_back(g);
  tree.switches.push_back(std::move(root));
  return tree;
}

Blocks make_blocks(const Network& network) {
  const TopologyTree tree = topology_tree(network);
  const std::uint32_t top = tree.switches.back().level;
  Blocks best;
  double least = std::numeric_limits<double>::infinity();
  std::uint32_t chosen = 0;
  // All in one block says nothing, and neither do blocks of a node.
  for (std::uint32_t level = 0; level == 0 || level < top; ++level) {
    std::vector<NodeGroup> groups = groups_at(tree, level);
    const bool single = std::all_of(groups.begin(), groups.end(),
                                    [](const NodeGroup& group) { return group.nodes.size() == 1; });
    if (single && level + 1 < top) continue;
    const double error = tree_error(network, tree_of_groups(groups)).rms;
    if (error >= least) continue;
    least = error;
    chosen = level;
    best.blocks = std::move(groups);
  }
  std::uint32_t size = std::numeric_limits<std::uint32_t>::max();
  for (const NodeGroup& block : best.blocks)
    size = std::min(size, static_cast<std::uint32_t>(block.nodes.size()));
  best.sizes.push_back(size);
  // A level above whose switches all have 2^k blocks is a size of its own.
  for (std::uint32_t level = chosen + 1; level <= top; ++level) {
    std::vector<std::uint32_t> above;
    in_order(tree, static_cast<std::uint32_t>(tree.switches.size() - 1), level, above);
    const std::uint32_t blocks = count_below(tree, above.front(), chosen);
    const bool alike = std::all_of(above.begin(), above.end(),
                                   [&](std::uint32_t s) { return count_below(tree, s, chosen) == blocks; });
    if (alike && std::has_single_bit(blocks) && size * blocks > best.sizes.back())
      best.sizes.push_back(size * blocks);
  }
  return best;
}

}  // namespace unknot::slurm
