// SPDX-License-Identifier: Apache-2.0
#include "held/multicast_tree.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "multicast_file.hpp"
#include "unknot/routing/multicast/grown_tree.hpp"
#include "unknot/routing/up_down/level_order.hpp"

namespace unknot::opensm {
namespace {

constexpr std::size_t kMostRoots = 64;

std::vector<RouterId> roots_to_try(const LiveNetwork& live, RouterId last_root) {
  const std::vector<std::uint32_t> height = heights_above_terminals(live);
  std::vector<RouterId> roots;
  roots.reserve(live.router_count());
  for (const RouterId r : live.routers()) {
    if (live.alive(r)) roots.push_back(r);
  }
  std::stable_sort(roots.begin(), roots.end(), [&](RouterId a, RouterId b) {
    if ((a == last_root) != (b == last_root)) return a == last_root;
    return height[a.value] > height[b.value];
  });
  roots.resize(std::min(roots.size(), kMostRoots));
  return roots;
}

/// A tree of OpenSM's groups, by the ports of its cables.
MulticastTree tree_of_ports(const Network& network, const GrownTree& grown) {
  MulticastTree tree{kFirstMulticastLid, 0, {}};
  std::vector<std::uint32_t> position(network.router_count(), 0);
  for (const RouterId r : grown.order) {
    position[r.value] = static_cast<std::uint32_t>(tree.nodes.size());
    const ChannelId c = grown.from_parent[r.value];
    if (c.valid()) {
      tree.nodes.push_back({r.value, position[network.source(c).value],
                            static_cast<std::uint8_t>(network.target_port(c)),
                            static_cast<std::uint8_t>(network.source_port(c))});
    } else {
      tree.nodes.push_back({r.value, 0, 0, 0});
    }
  }
  return tree;
}

}  // namespace

MulticastTrees common_tree(const LiveNetwork& live, std::span<const std::uint32_t> order,
                           RouterId& last_root) {
  MulticastTrees trees;
  const Network& network = live.network();
  const std::vector<std::uint32_t> uses(network.channel_count(), 0);
  for (const RouterId root : roots_to_try(live, last_root)) {
    const GrownTree grown = grow_in_sequence(live, root, order, uses);
    const auto left_out = [&](RouterId r) { return !live.terminals_at(r).empty() && !joins(grown, r); };
    const IdRange<RouterId> all = network.routers();
    if (std::any_of(all.begin(), all.end(), left_out)) continue;
    last_root = root;
    trees.path = "the fabric that is held";
    trees.trees.push_back(tree_of_ports(network, grown));
    for (const RouterId r : all) {
      trees.guid_of_switch.push_back(network.router_guid(r));
      trees.switch_of_guid.emplace(network.router_guid(r), r.value);
    }
    trees.proven = true;
    trees.levels = 0xFFFF;  // data takes the same paths on each
    break;
  }
  return trees;
}

}  // namespace unknot::opensm
