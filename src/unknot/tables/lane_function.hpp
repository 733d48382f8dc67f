// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// Answers of a lane function that are no lane.
inline constexpr std::uint8_t kLaneDropped =
    0xFE;  ///< lane 15 of an SL-to-VL table, or one that is not there
inline constexpr std::uint8_t kLaneMissing = 0xFF;  ///< no service level, or one that cannot exist
/// Lanes the checker tells apart: 64 where the lane is the level itself, 15 with SL-to-VL tables.
inline constexpr std::uint32_t kLanesToldApart = Routing::kAnyLanes;

/// Lane of a hop, or kLaneDropped or kLaneMissing. `map` null: the level itself. Ports as LaneMap::lane().
inline std::uint8_t lane_of_hop(const LaneMap* map, std::uint8_t level, RouterId at, std::uint16_t in_port,
                                std::uint16_t out_port) {
  if (map == nullptr) return level < kLanesToldApart ? level : kLaneMissing;
  if (level >= LaneMap::kLevels) return kLaneMissing;
  const std::uint8_t lane = map->lane(level, at, in_port, out_port);
  return lane < LaneMap::kDrop ? lane : kLaneDropped;
}

/// The same within the lanes that carry data, the cables of terminals included: a packet chooses a lane when
/// it leaves its adapter, and at each router a new one, at the last for the cable to its destination.
class LaneFunction {
 public:
  explicit LaneFunction(const Routing& routing)
      : map_(routing.lane_map.get()),
        lanes_(std::min(routing.data_lanes, map_ == nullptr ? kLanesToldApart : LaneMap::kDrop)) {}

  /// Lane, or kLaneDropped or kLaneMissing. Ports as LaneMap::lane().
  [[nodiscard]] std::uint8_t lane(std::uint8_t level, RouterId at, std::uint16_t in_port,
                                  std::uint16_t out_port) const {
    const std::uint8_t lane = lane_of_hop(map_, level, at, in_port, out_port);
    return lane < lanes_ || lane == kLaneMissing ? lane : kLaneDropped;
  }
  /// The same for the cable from a terminal to its router; 0 where only the adapter would know.
  [[nodiscard]] std::uint8_t injected(std::uint8_t level, TerminalId source) const {
    if (level >= levels()) return kLaneMissing;
    const std::uint8_t lane = injection_wanted(level, source);
    return drops(lane) ? kLaneDropped : lane;
  }
  /// For a level that lane() or injected() drops, what it would travel on: for messages.
  [[nodiscard]] std::uint8_t wanted(std::uint8_t level, RouterId at, std::uint16_t in_port,
                                    std::uint16_t out_port) const {
    return map_ == nullptr ? level : map_->lane(level, at, in_port, out_port);
  }
  [[nodiscard]] std::uint8_t injection_wanted(std::uint8_t level, TerminalId source) const {
    if (map_ == nullptr) return level;
    const LaneMap::Row* row = map_->source(source);
    return row == nullptr ? std::uint8_t{0} : (*row)[level];
  }
  /// True when the table drops a packet on that lane.
  [[nodiscard]] bool drops(std::uint8_t lane) const { return lane >= lanes_; }
  /// Lanes 0 to this - 1 carry data.
  [[nodiscard]] std::uint32_t lanes() const { return lanes_; }
  [[nodiscard]] const LaneMap* map() const { return map_; }

 private:
  [[nodiscard]] std::uint32_t levels() const { return map_ == nullptr ? kLanesToldApart : LaneMap::kLevels; }

  const LaneMap* map_;
  std::uint32_t lanes_;
};

/// Whether the lanes of a pair carry its packets along `path`, the whole way into the destination. O(hops).
bool lanes_carry(const Network& network, const Routing& routing, TerminalId source, TerminalId destination,
                 std::span<const ChannelId> path);

/// False where the lanes of no pair can keep its packets back, so that paths alone say what is delivered.
/// O(service levels), and with SL-to-VL tables O(their entries).
bool lanes_may_drop(const Network& network, const Routing& routing);

}  // namespace unknot
