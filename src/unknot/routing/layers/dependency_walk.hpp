// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/dependency_slots.hpp"
#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// The lanes, a bit each, on which packets make each dependency: by slot. Tables without a lane map, levels
/// below 16 or ServiceLevels::kMissing; what no packet takes does not count. Throws RoutingFailure where
/// packets go in a loop. `threads` 0: all. O(routers * terminals).
std::vector<std::uint16_t> dependency_lanes(const Network& network, const Routing& routing,
                                            const DependencySlots& slots, std::uint32_t threads = 0);

}  // namespace unknot
