// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/live/live_network.hpp"

namespace unknot {

/// Destination routers in groups that weights are computed for: the parts into which a tree falls when only
/// its routers up to some level stay. Traffic between two groups has the same choice of channels above that
/// level, but for cables that are dead below it.
struct LeafGroups {
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  /// A router of the highest level of its group: what leaves the group or enters it passes one of them.
  struct Gate {
    std::uint32_t router;
    float share;  ///< of the group's ways down that begin here; 1 where the group is one router
  };

  std::uint32_t count = 0;
  std::vector<std::uint32_t> of_router;      ///< by router: its group, kNone for those above all
  std::vector<float> terminals;              ///< by group
  std::vector<Gate> gates;                   ///< group by group
  std::vector<std::uint32_t> first_gate{0};  ///< by group, and one more
  /// By router: the part of the tree below it and its like. Channels between a part and the level above share
  /// what the part sends and what it receives.
  std::vector<std::uint32_t> part;
  /// By router: its number among those of its level under the same routers.
  std::vector<std::uint32_t> sibling;
  std::vector<std::uint32_t> level;  ///< by router: its height; 0 where an order has no levels

  [[nodiscard]] std::span<const Gate> gates_of(std::uint32_t group) const {
    return {gates.data() + first_gate[group], gates.data() + first_gate[group + 1]};
  }
};

/// The finest groups for which (channels above them) * (groups) <= `most`; else the coarsest, the parts below
/// the top level. Every cable must join neighbouring heights. O(channels * levels).
LeafGroups groups_of_tree(const LiveNetwork& network, const std::vector<std::uint32_t>& height,
                          std::uint64_t most);

/// A group for each router with terminals, where an order has no levels.
LeafGroups single_groups(const LiveNetwork& network);

/// One that everything belongs to, inside which all paths weigh the same. `height`: by router.
LeafGroups one_group(const LiveNetwork& network, const std::vector<std::uint32_t>& height);

}  // namespace unknot
