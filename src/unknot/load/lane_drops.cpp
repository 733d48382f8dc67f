// SPDX-License-Identifier: Apache-2.0
#include "unknot/load/lane_drops.hpp"

#include <algorithm>

namespace unknot {

bool lanes_carry(const Network& network, const Routing& routing, TerminalId source, TerminalId destination,
                 std::span<const ChannelId> path) {
  const LaneMap* const map = routing.lane_map.get();
  if (map == nullptr && routing.service_levels.empty()) return true;
  const std::uint8_t level = routing.service_levels.get(source, destination);
  if (level == ServiceLevels::kMissing) return false;
  if (map == nullptr) return true;
  if (level >= LaneMap::kLevels) return false;
  RouterId at = network.router_of(source);
  std::uint16_t in_port = network.terminal_port(source);
  for (const ChannelId c : path) {
    if (map->lane(level, at, in_port, network.source_port(c)) >= LaneMap::kDrop) return false;
    at = network.target(c);
    in_port = network.target_port(c);
  }
  return map->lane(level, at, in_port, network.terminal_port(destination)) < LaneMap::kDrop;
}

bool lanes_may_drop(const Network& network, const Routing& routing) {
  const ServiceLevels& levels = routing.service_levels;
  for (std::uint32_t row = 0; !levels.empty() && row < levels.row_count(); ++row) {
    if (std::ranges::find(levels.row(row), ServiceLevels::kMissing) != levels.row(row).end()) return true;
  }
  const LaneMap* const map = routing.lane_map.get();
  if (map == nullptr) return false;
  for (const RouterId r : network.routers()) {
    const std::uint16_t ports = network.port_count(r);
    for (std::uint32_t in = 0; in <= ports; ++in) {
      for (std::uint32_t out = 0; out <= ports; ++out) {
        const LaneMap::Row& row =
            map->get(r, static_cast<std::uint16_t>(in), static_cast<std::uint16_t>(out));
        if (std::ranges::any_of(row, [](std::uint8_t lane) { return lane >= LaneMap::kDrop; })) return true;
      }
    }
  }
  return false;
}

}  // namespace unknot
