// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// The buffers (MessageBuffers) that a packet of `source` to `destination` holds one after the other, the
/// send queue of its source first; the receive queue of its destination last where it gets there. Empty where
/// its adapter does not let it out; a loop is followed until everything in it has come twice. Shares nothing
/// with message_flows(). O(hops).
std::vector<std::uint32_t> message_path(const Network& network, const Routing& routing, TerminalId source,
                                        TerminalId destination);

}  // namespace unknot
