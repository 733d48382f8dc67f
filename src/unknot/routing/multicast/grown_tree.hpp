// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/lanes/acyclic_arcs.hpp"
#include "unknot/network/live/live_network.hpp"
#include "unknot/network/network.hpp"

namespace unknot {

/// A tree of cables, from its root.
struct GrownTree {
  RouterId root;
  std::vector<RouterId> order;         ///< routers that it joins, parents first
  std::vector<ChannelId> from_parent;  ///< by router; invalid for the root and those it does not join
};

/// Whether the tree has the router.
inline bool joins(const GrownTree& tree, RouterId r) {
  return r == tree.root || tree.from_parent[r.value].valid();
}

/// Grows breadth first along cables that live and whose dependencies go from smaller to larger numbers, the
/// least used first. `place`: the number of each channel, `uses`: the trees that are on it already.
/// O(channels log channels).
GrownTree grow_in_sequence(const LiveNetwork& network, RouterId root, std::span<const std::uint32_t> place,
                           std::span<const std::uint32_t> uses);

/// The same along cables whose dependencies close no cycle with `arcs`, which they are added to: those of the
/// lane, over ArcSpace::of_dependencies(network).
GrownTree grow_without_cycle(const Network& network, RouterId root, const ArcSpace& space, AcyclicArcs& arcs,
                             std::span<const std::uint32_t> uses);

}  // namespace unknot
