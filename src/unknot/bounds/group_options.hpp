// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "unknot/network/network.hpp"
#include "unknot/tables/adaptive/adaptive_routing.hpp"

namespace unknot {

/// Of a routing with one table for all ports and lanes; InputError for one with several private ones.
const AdaptivePlane& only_plane(const AdaptiveRouting& routing);

/// Levels that packets of a pair may have, of those that there are, a bit each.
std::uint16_t levels_of(const AdaptiveRouting& routing, TerminalId source, TerminalId destination);

/// Positions among network.out(r) that a packet may take there whose entry is a choice, neither
/// AdaptivePlane::kHere nor kNone; perhaps none.
std::span<const std::uint16_t> options_of(const AdaptivePlane& plane, RouterId r, std::uint16_t entry,
                                          bool adaptive);

/// For packets that may come to a router twice, and so need not arrive.
[[noreturn]] void refuse_return(const Network& network, const AdaptiveRouting& routing, TerminalId source,
                                TerminalId destination, RouterId at);

}  // namespace unknot
