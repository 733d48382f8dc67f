// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unknot/network/live/live_network.hpp"
#include "unknot/network/network.hpp"

namespace unknot {

/// A total order of the routers, roots at the top: by hops from the nearest root, then by id. A channel goes
/// up when its target stands higher. Up*/Down* routing lets a packet go up, then down, never up again, which
/// excludes every cycle of channel dependencies [Schroeder et al. 1991].
struct UpDownOrder {
  std::vector<std::uint32_t> place;      ///< by router: position from the top, all different
  std::vector<std::uint32_t> top_down;   ///< routers in that order
  std::vector<std::uint32_t> rank = {};  ///< by router: hops from the roots; of order_below() alone

  [[nodiscard]] bool up(RouterId from, RouterId to) const { return place[to.value] < place[from.value]; }
  /// By channel: 1 where it leads up. O(channels).
  [[nodiscard]] std::vector<std::uint8_t> channels_up(const Network& network) const;
};

/// By router: hops from the nearest of the roots (at least one, living); 0 for dead ones. Parts that no root
/// reaches are ranked below all others, each from its router with most channels. O(channels * parts).
std::vector<std::uint32_t> ranks_below(const LiveNetwork& network, const std::vector<RouterId>& roots);

/// Order below the given roots (at least one). Routers no root reaches form orders of their own, below.
/// O(channels).
UpDownOrder order_below(const Network& network, const std::vector<RouterId>& roots);

/// Sets of roots that suit a tree, best first: its highest level, the routers farthest from all terminals.
/// Empty on a network where every router has terminals.
std::vector<std::vector<RouterId>> tree_roots(const Network& network);

/// The router of least eccentricity towards routers with terminals, then of least distance sum to the
/// terminals. As the only root it gives every pair of a connected network an Up*/Down* path. O(routers *
/// channels).
RouterId central_router(const Network& network);

/// Roots named by the user: ids, names or GUIDs (0x...), joined by '+'; or "@FILE" with one in each line ('#'
/// starts a comment). InputError for what names no router.
std::vector<RouterId> parse_roots(const Network& network, const std::string& text);

}  // namespace unknot
