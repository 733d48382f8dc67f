// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "unknot/network/network.hpp"
#include "unknot/routing/layers/cycle_breaking.hpp"
#include "unknot/support/parameters.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// Gives the routing its lanes, spread over all of the budget where asked for. Throws RoutingFailure, in the
/// name of routing.engine, where more lanes are needed than allowed.
void take_lanes(const Network& network, LaneAssignment lanes, std::uint32_t budget, bool spread,
                Routing& routing);

/// Throws RoutingFailure, in the name of the engine, where more lanes are needed than allowed.
void require_lanes(const std::string& engine, std::uint32_t needed, std::uint32_t budget);

/// The engines' parameter `spread`.
Parameter spread_parameter();

}  // namespace unknot
