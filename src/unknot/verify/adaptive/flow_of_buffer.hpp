// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/adaptive/adaptive_routing.hpp"
#include "unknot/verify/adaptive/packet_ways.hpp"
#include "unknot/verify/adaptive/relation_view.hpp"

namespace unknot {

/// A terminal whose packets of this level and kind to `destination` may come to stand in the buffer, one of
/// the nearest; invalid where none may. O(channels * lanes).
TerminalId source_of(const Network& network, const PacketWays& ways, const RelationView& view,
                     const ServiceLevels& levels, TerminalId destination, std::uint32_t buffer);

}  // namespace unknot
