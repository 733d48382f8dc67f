// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "unknot/tables/lane_function.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {

/// What stops packets of that level right away: sets the kind, the lane and the place of the finding, whose
/// source is given. True when something does. Nothing is said where the adapter lets them out.
bool stopped_at_source(const Network& network, const LaneFunction& lanes, std::uint8_t level,
                       Finding& finding);
/// The same where they leave `at`.
bool stopped_at(const LaneFunction& lanes, std::uint8_t level, RouterId at, std::uint16_t in_port,
                std::uint16_t out_port, Finding& finding);

/// Lane of each service level (any byte) where no router looks at ports, the terminals' own included; nothing
/// where some router or adapter does.
using LaneOfLevel = std::array<std::uint8_t, 256>;
std::optional<LaneOfLevel> lanes_by_level(const Network& network, const LaneFunction& lanes);

}  // namespace unknot
