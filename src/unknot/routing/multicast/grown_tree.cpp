// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/multicast/grown_tree.hpp"

#include <algorithm>
#include <cstddef>

namespace unknot {
namespace {

/// `joins(parent, child)`, a channel and its reverse, whether the cable may be added to the tree; where so it
/// is.
template <class Joins>
GrownTree grow(const LiveNetwork& network, RouterId root, std::span<const std::uint32_t> uses,
               const Joins& joins) {
  GrownTree tree;
  tree.root = root;
  tree.from_parent.assign(network.router_count(), ChannelId());
  tree.order.push_back(root);
  std::vector<ChannelId> out;
  for (std::size_t i = 0; i < tree.order.size(); ++i) {
    const RouterId parent = tree.order[i];
    out.assign(network.out(parent).begin(), network.out(parent).end());
    std::stable_sort(out.begin(), out.end(),
                     [&](ChannelId a, ChannelId b) { return uses[a.value] < uses[b.value]; });
    for (const ChannelId down : out) {
      const RouterId child = network.target(down);
      const ChannelId up = network.network().reverse(down);
      if (child == root || tree.from_parent[child.value].valid() || !up.valid() || !network.alive(up) ||
          !joins(down, up))
        continue;
      tree.from_parent[child.value] = down;
      tree.order.push_back(child);
    }
  }
  return tree;
}

}  // namespace

GrownTree grow_in_sequence(const LiveNetwork& network, RouterId root, std::span<const std::uint32_t> place,
                           std::span<const std::uint32_t> uses) {
  // Of the tree's channels at each router: the last that leads there, and the first that leads away.
  std::vector<std::uint32_t> last_in(network.router_count(), 0);
  std::vector<std::uint32_t> first_out(network.router_count(), static_cast<std::uint32_t>(place.size() + 1));
  const auto number = [&](ChannelId c) { return place[c.value] + 1; };
  return grow(network, root, uses, [&](ChannelId down, ChannelId up) {
    const RouterId parent = network.source(down);
    const RouterId child = network.target(down);
    if (number(down) <= last_in[parent.value] || number(up) >= first_out[parent.value]) return false;
    last_in[parent.value] = std::max(last_in[parent.value], number(up));
    first_out[parent.value] = std::min(first_out[parent.value], number(down));
    last_in[child.value] = number(down);
    first_out[child.value] = number(up);
    return true;
  });
}

GrownTree grow_without_cycle(const Network& network, RouterId root, const ArcSpace& space, AcyclicArcs& arcs,
                             std::span<const std::uint32_t> uses) {
  // Channels of the tree that leave each router.
  std::vector<std::vector<ChannelId>> away(network.router_count());
  std::vector<std::uint32_t> added;
  const auto add = [&](ChannelId held, ChannelId wanted) {
    const std::uint32_t arc = space.find(held.value, wanted.value);
    if (arcs.contains(arc)) return true;
    if (!arcs.add(arc)) return false;
    added.push_back(arc);
    return true;
  };
  return grow(network, root, uses, [&](ChannelId down, ChannelId up) {
    std::vector<ChannelId>& others = away[network.source(down).value];
    added.clear();
    for (const ChannelId other : others) {
      if (add(network.reverse(other), down) && add(up, other)) continue;
      for (const std::uint32_t arc : added) arcs.remove(arc);
      return false;
    }
    others.push_back(down);
    away[network.target(down).value].push_back(up);
    return true;
  });
}

}  // namespace unknot
