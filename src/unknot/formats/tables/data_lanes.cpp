// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "unknot/formats/tables/table_catalogue.hpp"
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

/// Calls visit(row) for the SL-to-VL row of each way through the router to a channel that a path can take.
template <class Visit>
void for_each_row(const Network& network, const LaneMap& map, RouterId r, const Visit& visit) {
  const auto rows_from = [&](std::uint16_t in) {
    for (const ChannelId c : network.out(r)) {
      if (network.source_port(c) != in) visit(map.get(r, in, network.source_port(c)));  // no path turns back
    }
  };
  for (const ChannelId c : network.in(r)) rows_from(network.target_port(c));
  for (const TerminalId t : network.terminals_at(r)) rows_from(network.terminal_port(t));
}

/// A level that a router puts on the lane of management; kLevels where there is none.
std::uint32_t dropped_level(const Network& network, const Routing& routing) {
  const auto used = levels_in_use(routing.service_levels);
  if (routing.lane_map == nullptr) return used[LaneMap::kDrop] ? LaneMap::kDrop : LaneMap::kLevels;
  for (const RouterId r : network.routers()) {
    std::uint32_t lowest = LaneMap::kLevels;
    for_each_row(network, *routing.lane_map, r, [&](const LaneMap::Row& row) {
      for (std::uint32_t level = 0; level < lowest; ++level) {
        if (used[level] && row[level] == LaneMap::kDrop) lowest = level;
      }
    });
    if (lowest < LaneMap::kLevels) return lowest;
  }
  return LaneMap::kLevels;
}

}  // namespace

std::uint32_t lanes_in_use(const Network& network, const Routing& routing) {
  std::uint32_t lanes = 1;
  for (const Routing& further : routing.further) lanes = std::max(lanes, lanes_in_use(network, further));
  if (routing.lane_map == nullptr) return std::max(lanes, routing.service_levels.highest() + 1U);
  const auto used = levels_in_use(routing.service_levels);
  for (const RouterId r : network.routers()) {
    for_each_row(network, *routing.lane_map, r, [&](const LaneMap::Row& row) {
      for (std::uint32_t level = 0; level < row.size(); ++level) {
        if (used[level] && row[level] < LaneMap::kDrop) lanes = std::max(lanes, row[level] + 1U);
      }
    });
  }
  return lanes;
}

void require_data_lanes(const Network& network, const Routing& routing) {
  const std::uint32_t level = dropped_level(network, routing);
  if (level == LaneMap::kLevels) return;
  throw InputError(
      fmt::format("service level {} would travel on virtual lane {}, which InfiniBand keeps for management: "
                  "its files hold {} lanes at most (--vls {})",
                  level, LaneMap::kDrop, LaneMap::kDrop, LaneMap::kDrop));
}

}  // namespace unknot
