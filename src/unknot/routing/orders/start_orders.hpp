// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/routing/orders/lane_orders.hpp"

namespace unknot {

/// Where a search for lane orders starts.
enum class StartOrders : std::uint8_t {
  up_down,    ///< Up*/Down* from far-apart roots, one for each lane
  linear,     ///< Up*/Down* along one arrangement of the routers, upwards and downwards in turn: by id first,
              ///< then by distance from a router at the rim
  dimension,  ///< dimension order, every ring cut; each lane cuts elsewhere (networks with coordinates)
  random,     ///< no order at all
};

/// Ranks of the routers along a breadth-first search from `root`; those that it does not reach come last, by
/// id. O(channels).
std::vector<std::uint32_t> breadth_first_ranks(const Network& network, std::uint32_t root);

/// Channels towards lower ranks, the highest source first; then those towards higher ranks, the lowest
/// first: Up*/Down*, of which the router of rank 0 is the top. `rank`: by router, all different. O(channels
/// log channels).
std::vector<std::uint32_t> up_then_down(const Network& network, const std::vector<std::uint32_t>& rank);

/// Whether the start fits the network: `dimension` needs coordinates.
bool fits(StartOrders start, const Network& network);

/// Gives every lane its order. `variant` picks other roots, arrangements and cuts. O(lanes * turns).
void set_start_orders(const Network& network, StartOrders start, std::uint64_t variant, LaneOrders& orders);

}  // namespace unknot
