// SPDX-License-Identifier: Apache-2.0
#include "unknot/load/lane_drops.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

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
  // Packets that turn back arrive where they were: by tables they never get out of that.
  const bool may_turn = routing.routes != nullptr;
  std::vector<std::uint16_t> in, out;
  for (const RouterId r : network.routers()) {
    in.clear();
    out.clear();
    for (const ChannelId c : network.in(r)) in.push_back(network.target_port(c));
    for (const ChannelId c : network.out(r)) out.push_back(network.source_port(c));
    for (const TerminalId t : network.terminals_at(r)) {
      in.push_back(network.terminal_port(t));
      out.push_back(network.terminal_port(t));
    }
    for (const std::uint16_t from : in) {
      for (const std::uint16_t to : out) {
        if (from == to && !may_turn) continue;
        const LaneMap::Row& row = map->get(r, from, to);
        if (std::ranges::any_of(row, [](std::uint8_t lane) { return lane >= LaneMap::kDrop; })) return true;
      }
    }
  }
  return false;
}

}  // namespace unknot
