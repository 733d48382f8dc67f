// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

/// Pairs that have a path, and yet are not delivered: their service level is missing, or an SL-to-VL table on
/// the way sends it to lane 15, which carries no data.
namespace unknot {

/// Whether the lanes of a pair carry its packets along `path`, the whole way into the destination. O(hops).
bool lanes_carry(const Network& network, const Routing& routing, TerminalId source, TerminalId destination,
                 std::span<const ChannelId> path);

/// False where the lanes of no pair can keep its packets back, so that paths alone say what is delivered.
/// O(service levels), and with SL-to-VL tables O(their entries).
bool lanes_may_drop(const Network& network, const Routing& routing);

}  // namespace unknot
