// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/collective/placed/placed_ranks.hpp"

namespace unknot {

/// An order of hosts, as a closed ring.
struct RingOrder {
  std::vector<TerminalId> hosts;
  /// Messages beyond the first on each channel between routers, when each host sends to the next: 0 where the
  /// ring is free of contention.
  std::uint64_t meetings = 0;
};

/// Of the order in which ranks are placed.
std::uint64_t ring_meetings(const PlacedRanks& placed);

/// The order given where it is free of meetings. Else looks for one in which the routes from each host to the
/// next, and from the last to the first, share no channel: hosts change places, or move elsewhere in the
/// ring, by simulated annealing, begun anew up to `tries` times, mostly from an order that goes on to the
/// nearest host. The first order without a meeting, else the one with fewest. What is not found may exist.
/// Same seed, same order. O(tries * ranks * (ranks + log ranks * hops)).
RingOrder find_ring_order(const PlacedRanks& placed, std::uint32_t tries, std::uint64_t seed);

}  // namespace unknot
