// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/routing/up_down/up_down_order.hpp"

namespace unknot {

/// The order of a tree whose leaves have lost so many cables that some of them share no router above: it
/// leaves those pairs without a path. Turned round above one leaf, it has one for them, and nearly all others
/// keep theirs: the leaf becomes the highest router, the routers above it follow by their distance from it,
/// and all others stay below in their order. What went up to one of the routers that are turned still goes
/// up, and what went up from there now goes down, where it went down next anyway. Pairs with nothing in
/// common go up to the leaf and down from it.
///
/// The alternative, an order around the most central router, sends all that leaves a leaf over that one
/// router.
///
/// `height` and `order` by heights_above_terminals() of a tree all of whose cables join neighbouring heights.
/// Tried are the leaves with most routers above them, then with most cables there, so that one which nothing
/// is missing above comes first. Nothing where none of the first few gives each connected pair a path.
/// O(leaves * channels above a leaf), then that of a few LegalReach. `threads` 0: all.
std::optional<UpDownOrder> turned_above_a_leaf(const Network& network,
                                               const std::vector<std::uint32_t>& height,
                                               const UpDownOrder& order, std::uint32_t threads);

/// The same for any network: nothing where it is no such tree.
std::optional<UpDownOrder> turned_tree(const Network& network, std::uint32_t threads);
/// For networks whose levels leave pairs out: turned_tree(), or else the order below the most central router.
UpDownOrder order_for_all_pairs(const Network& network, std::uint32_t threads);

}  // namespace unknot
