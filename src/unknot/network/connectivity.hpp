// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

/// Partition of the routers. Parts are numbered by their smallest router.
struct RouterParts {
  std::uint32_t count = 0;
  std::vector<std::uint32_t> part;  ///< by router
};

/// Parts whose routers are joined by channels, directions aside. O(routers + channels).
RouterParts weakly_connected_parts(const Network& network);
/// Parts whose routers all reach each other along the channels (Tarjan 1972). O(routers + channels).
RouterParts strongly_connected_parts(const Network& network);

/// Empty when each terminal can reach each other one; else one sentence that names the parts, largest first.
/// Routers without terminals matter only as a way between those that have some; where no router has any, all
/// count.
std::string describe_disconnection(const Network& network);

/// Ordered pairs of distinct terminals that no path joins, whatever the routing, and the first of them.
struct DisconnectedPairs {
  std::uint64_t count = 0;
  TerminalId source, destination;  ///< invalid where count is 0
};

/// O(routers + channels) where all routers reach each other, else O(routers * (routers + channels)).
DisconnectedPairs disconnected_pairs(const Network& network);

}  // namespace unknot
