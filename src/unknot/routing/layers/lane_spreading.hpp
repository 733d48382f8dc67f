// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/routing/layers/cycle_breaking.hpp"
#include "unknot/tables/forwarding_table.hpp"
#include "unknot/tables/service_levels.hpp"

namespace unknot {

/// Load of each channel on each lane: ordered pairs of terminals whose path takes it there, at [channel *
/// lanes + lane]. O(routers with terminals * terminals * hops).
std::vector<std::uint64_t> lane_loads(const Network& network, const ForwardingTable& table,
                                      const ServiceLevels& levels, std::uint32_t lanes);

/// Spreads the paths over all `budget` lanes as spread_over_spare_lanes() does, but by load: each spare lane
/// goes to the layer with the busiest channel, and each path to that of its layer's lanes on which its
/// busiest channel is least busy. Buffers belong to a channel and a lane, so this, not the number of paths on
/// a lane, is what packets share. Returns the number of lanes in use. O(paths * hops * lanes of a layer).
std::uint32_t spread_by_load(const Network& network, const ForwardingTable& table, LaneAssignment& assignment,
                             std::uint32_t budget);

}  // namespace unknot
