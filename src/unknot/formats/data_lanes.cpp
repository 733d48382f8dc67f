// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "unknot/formats/catalogue.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

/// Which levels some path has.
std::array<bool, LaneMap::kLevels> levels_in_use(const ServiceLevels& levels) {
  std::array<bool, LaneMap::kLevels> used{};
  used[0] = levels.empty();
  for (std::uint32_t r = 0; r < levels.row_count(); ++r) {
    for (const std::uint8_t level : levels.row(r)) {
      if (level < used.size()) used[level] = true;
    }
  }
  return used;
}

/// A level that a router puts on the lane of management; kLevels where there is none.
std::uint32_t dropped_level(const Network& network, const Routing& routing) {
  const auto used = levels_in_use(routing.service_levels);
  if (routing.lane_map == nullptr) return used[LaneMap::kDrop] ? LaneMap::kDrop : LaneMap::kLevels;
  const auto dropped = [&](RouterId r, std::uint16_t in) {
    for (const ChannelId c : network.out(r)) {
      if (network.source_port(c) == in) continue;  // no path turns back
      const LaneMap::Row& row = routing.lane_map->get(r, in, network.source_port(c));
      for (std::uint32_t level = 0; level < row.size(); ++level) {
        if (used[level] && row[level] == LaneMap::kDrop) return level;
      }
    }
    return LaneMap::kLevels;
  };
  for (const RouterId r : network.routers()) {
    std::uint32_t level = LaneMap::kLevels;
    for (const ChannelId c : network.in(r)) level = std::min(level, dropped(r, network.target_port(c)));
    for (const TerminalId t : network.terminals_at(r))
      level = std::min(level, dropped(r, network.terminal_port(t)));
    if (level < LaneMap::kLevels) return level;
  }
  return LaneMap::kLevels;
}

}  // namespace

void require_data_lanes(const Network& network, const Routing& routing) {
  const std::uint32_t level = dropped_level(network, routing);
  if (level == LaneMap::kLevels) return;
  throw InputError(
      fmt::format("service level {} would travel on virtual lane {}, which InfiniBand keeps for management: "
                  "its files hold {} lanes at most (--vls {})",
                  level, LaneMap::kDrop, LaneMap::kDrop, LaneMap::kDrop));
}

}  // namespace unknot
