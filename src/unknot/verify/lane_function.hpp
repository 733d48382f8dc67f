// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// Answers of a lane function that are no lane.
inline constexpr std::uint8_t kLaneDropped = 0xFE;  ///< the SL-to-VL table sends the packet to lane 15
inline constexpr std::uint8_t kLaneMissing = 0xFF;  ///< no service level, or one that cannot exist
/// Lanes the checker tells apart: 64 where the lane is the level itself, 15 with SL-to-VL tables.
inline constexpr std::uint32_t kLanesToldApart = 64;

/// Lane of a hop, or kLaneDropped or kLaneMissing. `map` null: the level itself. Ports as LaneMap::lane().
inline std::uint8_t lane_of_hop(const LaneMap* map, std::uint8_t level, RouterId at, std::uint16_t in_port,
                                std::uint16_t out_port) {
  if (map == nullptr) return level < kLanesToldApart ? level : kLaneMissing;
  if (level >= LaneMap::kLevels) return kLaneMissing;
  const std::uint8_t lane = map->lane(level, at, in_port, out_port);
  return lane < LaneMap::kDrop ? lane : kLaneDropped;
}

/// Lane of each service level (any byte) where no router looks at ports, the terminals' own included; nothing
/// where some router does.
using LaneOfLevel = std::array<std::uint8_t, 256>;
std::optional<LaneOfLevel> lanes_by_level(const Network& network, const LaneMap* map);

}  // namespace unknot
