// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/forwarding_table.hpp"

namespace unknot {

/// A packet that would go down and then up again.
struct DownUpTurn {
  TerminalId destination;
  ChannelId down, up;
};

/// Looks for a table entry that sends a packet up which another entry had sent down to that router. `place`
/// is by router: smaller is higher, all different. None found: the table obeys Up*/Down*, hence is free of
/// deadlock on one lane. Checks every router and destination, whether or not a terminal's packets get there.
/// O(routers * terminals).
std::optional<DownUpTurn> find_down_up_turn(const Network& network, const ForwardingTable& table,
                                            const std::vector<std::uint32_t>& place);

}  // namespace unknot
