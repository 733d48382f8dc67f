// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/lane_function.hpp"

#include <algorithm>
#include <vector>

namespace unknot {
namespace {

/// True when some packet that arrives at its last router would be dropped on the way to its terminal.
bool drops_at_terminals(const Network& network, const LaneMap& map) {
  for (const TerminalId t : network.terminals()) {
    const RouterId r = network.router_of(t);
    for (const ChannelId c : network.in(r)) {
      const LaneMap::Row& row = map.get(r, network.target_port(c), network.terminal_port(t));
      if (std::any_of(row.begin(), row.end(), [](std::uint8_t lane) { return lane >= LaneMap::kDrop; }))
        return true;
    }
  }
  return false;
}

}  // namespace

std::optional<LaneOfLevel> lanes_by_level(const Network& network, const LaneMap* map) {
  LaneOfLevel lane{};
  lane.fill(kLaneMissing);
  if (map == nullptr) {
    for (std::uint32_t level = 0; level < kLanesToldApart; ++level)
      lane[level] = static_cast<std::uint8_t>(level);
    return lane;
  }
  LaneMap::Row common{};
  if (!map->uniform(network, &common) || drops_at_terminals(network, *map)) return std::nullopt;
  for (std::uint32_t level = 0; level < LaneMap::kLevels; ++level)
    lane[level] = common[level] < LaneMap::kDrop ? common[level] : kLaneDropped;
  return lane;
}

}  // namespace unknot
