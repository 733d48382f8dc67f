// SPDX-License-Identifier: Apache-2.0
#include "unknot/slurm/topology/topology_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "unknot/slurm/topology/average_linkage.hpp"
#include "unknot/slurm/topology/host_leaves.hpp"
#include "unknot/support/joined_parts.hpp"

namespace unknot::slurm {
namespace {

/// Group of each leaf when all joints up to `height` are made; groups in order of their first leaf.
std::vector<std::uint32_t> groups_at(const std::vector<Joint>& joints, std::uint32_t count, double height) {
  JoinedParts parts(count);
  for (const Joint& joint : joints)
    if (joint.height <= height + 1e-4) parts.join(joint.a, joint.b);
  std::vector<std::uint32_t> group(count);
  std::uint32_t next = 0;
  for (std::uint32_t x = 0; x < count; ++x) group[x] = parts.of(x) == x ? next++ : group[parts.of(x)];
  return group;
}

struct Grouping {
  /// Group of each leaf, level 0 upwards; the last has one. At level 0 are those together that share routers,
  /// each with each.
  std::vector<std::vector<std::uint32_t>> levels;
};

Grouping group_leaves(const DistanceMatrix& distances) {
  const std::uint32_t count = distances.count();
  const std::vector<Joint> joints = average_linkage(distances);
  Grouping grouping;
  std::vector<std::uint32_t> group = groups_at(joints, count, 0);
  std::uint32_t groups = *std::max_element(group.begin(), group.end()) + 1;
  grouping.levels.push_back(group);
  for (double height = 1; groups > 1; ++height) {
    group = groups_at(joints, count, height);
    const std::uint32_t now = *std::max_element(group.begin(), group.end()) + 1;
    if (now < groups) grouping.levels.push_back(group);
    groups = now;
  }
  return grouping;
}

TopologyTree tree_of(const Network& network, const std::vector<HostLeaf>& leaves, const Grouping& grouping) {
  TopologyTree tree;
  std::set<std::string> taken;
  const std::vector<std::uint32_t>& switch_of = grouping.levels.front();
  for (std::uint32_t l = 0; l < leaves.size(); ++l) {
    const HostLeaf& leaf = leaves[l];
    if (switch_of[l] < tree.switches.size()) {  // groups come in the order of their first leaves
      std::vector<std::string>& hosts = tree.switches[switch_of[l]].hosts;
      hosts.insert(hosts.end(), leaf.hosts.begin(), leaf.hosts.end());
      continue;
    }
    std::string name = slurm_name(network.router_name(leaf.routers.front()));
    if (name.empty() || taken.contains(name)) name = fmt::format("{}-{}", name, leaf.routers.front().value);
    taken.insert(name);
    tree.switches.push_back({name, 0, leaf.hosts, {}});
  }
  std::uint32_t below = 0;  // first switch of the level below
  for (std::uint32_t level = 1; level < grouping.levels.size(); ++level) {
    const auto first = static_cast<std::uint32_t>(tree.switches.size());
    const std::vector<std::uint32_t>& group = grouping.levels[level];
    const std::uint32_t groups = *std::max_element(group.begin(), group.end()) + 1;
    for (std::uint32_t g = 0; g < groups; ++g) {
      std::string name = fmt::format("level{}-{}", level, g);
      while (!taken.insert(name).second) name += "x";
      tree.switches.push_back({name, level, {}, {}});
    }
    for (std::uint32_t leaf = 0; leaf < group.size(); ++leaf) {
      std::vector<std::uint32_t>& children = tree.switches[first + group[leaf]].children;
      const std::uint32_t child = below + grouping.levels[level - 1][leaf];
      if (std::find(children.begin(), children.end(), child) == children.end()) children.push_back(child);
    }
    below = first;
  }
  return tree;
}

}  // namespace

TopologyTree topology_tree(const Network& network) {
  const std::vector<HostLeaf> leaves = host_leaves(network);
  return tree_of(network, leaves, group_leaves(leaf_distances(network, leaves)));
}

}  // namespace unknot::slurm
