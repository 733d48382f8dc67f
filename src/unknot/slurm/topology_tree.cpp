// SPDX-License-Identifier: Apache-2.0
#include "unknot/slurm/topology_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>
#include <set>
#include <span>

#include "unknot/network/bfs.hpp"
#include "unknot/place/places.hpp"
#include "unknot/slurm/average_linkage.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot::slurm {
namespace {

constexpr std::size_t kMostLeaves = 8192;

/// Letters, digits, '-', '_' and '.': what host lists and both files take.
std::string safe_name(std::string name) {
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_' && c != '.') c = '_';
  }
  return name;
}

void require_host_name(const std::string& name) {
  if (name.empty() || safe_name(name) != name) {
    throw InputError(fmt::format(
        "terminal '{}' cannot be a node of Slurm: its name has other characters than letters, digits, -_.",
        shown(name)));
  }
}

/// Routers with terminals, and the names of the hosts at each.
struct Leaves {
  std::vector<RouterId> routers;
  std::vector<std::vector<std::string>> hosts;
};

Leaves find_leaves(const Network& network) {
  Leaves leaves;
  std::map<std::string, RouterId> home;
  for (const RouterId r : network.routers()) {
    if (network.terminals_at(r).empty()) continue;
    std::vector<std::string> hosts;
    for (const TerminalId t : network.terminals_at(r)) {
      std::string name = place::host_name(network, t);
      require_host_name(name);
      const auto [at, first] = home.emplace(name, r);
      if (at->second != r) {
        throw InputError(fmt::format("host {} is at {} and at {}; a node of Slurm has one place in the tree",
                                     name, network.router_name(at->second), network.router_name(r)));
      }
      if (first) hosts.push_back(std::move(name));
    }
    leaves.routers.push_back(r);
    leaves.hosts.push_back(std::move(hosts));
  }
  if (leaves.routers.empty()) throw InputError("the fabric has no terminal to put into a tree");
  if (leaves.routers.size() > kMostLeaves) {
    throw InputError(fmt::format("{} routers with terminals are more than the {} that are put into a tree",
                                 leaves.routers.size(), kMostLeaves));
  }
  return leaves;
}

/// Distances between leaves, the larger of both directions.
DistanceMatrix leaf_distances(const Network& network, const Leaves& leaves) {
  const auto count = static_cast<std::uint32_t>(leaves.routers.size());
  DistanceMatrix distances(count);
  BreadthFirstSearch search(network);
  for (std::uint32_t a = 0; a < count; ++a) {
    const std::span<const std::uint32_t> from = search.from(leaves.routers[a]);
    for (std::uint32_t b = 0; b < count; ++b) {
      if (a == b) continue;
      const std::uint32_t d = from[leaves.routers[b].value];
      if (d == BreadthFirstSearch::kUnreached) {
        throw InputError(fmt::format("there is no path from {} to {}", network.router_name(leaves.routers[a]),
                                     network.router_name(leaves.routers[b])));
      }
      distances.raise(a, b, static_cast<float>(d));
    }
  }
  return distances;
}

/// Group of each leaf when all joints up to `height` are made; groups in order of their first leaf.
std::vector<std::uint32_t> groups_at(const std::vector<Joint>& joints, std::uint32_t count, double height) {
  std::vector<std::uint32_t> parent(count);
  std::iota(parent.begin(), parent.end(), 0U);
  const auto root = [&](std::uint32_t x) {
    while (parent[x] != x) x = parent[x] = parent[parent[x]];
    return x;
  };
  for (const Joint& joint : joints) {
    if (joint.height > height + 1e-4) continue;
    const std::uint32_t a = root(joint.a);
    const std::uint32_t b = root(joint.b);
    parent[std::max(a, b)] = std::min(a, b);
  }
  std::vector<std::uint32_t> group(count);
  std::uint32_t next = 0;
  for (std::uint32_t x = 0; x < count; ++x) group[x] = root(x) == x ? next++ : group[root(x)];
  return group;
}

struct Grouping {
  std::vector<std::vector<std::uint32_t>> levels;  ///< group of each leaf, level 0 upwards; the last has one
};

Grouping group_leaves(const DistanceMatrix& distances) {
  const std::uint32_t count = distances.count();
  const std::vector<Joint> joints = average_linkage(distances);
  Grouping grouping;
  std::vector<std::uint32_t> group(count);
  std::iota(group.begin(), group.end(), 0U);
  std::uint32_t groups = count;
  grouping.levels.push_back(group);
  for (double height = 1; groups > 1; ++height) {
    group = groups_at(joints, count, height);
    const std::uint32_t now = *std::max_element(group.begin(), group.end()) + 1;
    if (now < groups) grouping.levels.push_back(group);
    groups = now;
  }
  return grouping;
}

TopologyTree tree_of(const Network& network, const Leaves& leaves, const Grouping& grouping) {
  TopologyTree tree;
  std::set<std::string> taken;
  for (std::uint32_t leaf = 0; leaf < leaves.routers.size(); ++leaf) {
    std::string name = safe_name(network.router_name(leaves.routers[leaf]));
    if (name.empty() || taken.contains(name)) name = fmt::format("{}-{}", name, leaves.routers[leaf].value);
    taken.insert(name);
    tree.switches.push_back({name, 0, leaves.hosts[leaf], {}});
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
  const Leaves leaves = find_leaves(network);
  return tree_of(network, leaves, group_leaves(leaf_distances(network, leaves)));
}

}  // namespace unknot::slurm
