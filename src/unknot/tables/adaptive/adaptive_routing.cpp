// SPDX-License-Identifier: Apache-2.0
#include "unknot/tables/adaptive/adaptive_routing.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "unknot/support/error.hpp"
#include "unknot/tables/lane_function.hpp"

namespace unknot {

AdaptiveLanes::AdaptiveLanes(const AdaptiveRouting& routing)
    : routing_(routing), lanes_(std::min(routing.data_lanes, stays() ? kLanesToldApart : LaneMap::kDrop)) {}

std::uint8_t AdaptiveLanes::next(std::uint8_t level, std::uint8_t lane, RouterId at, std::uint16_t in_port,
                                 std::uint16_t out_port) const {
  const std::uint8_t next = routing_.has_steps(at)
                                ? lane_of_hop(routing_.lane_steps.get(), lane, at, in_port, out_port)
                                : lane_of_hop(routing_.lane_map.get(), level, at, in_port, out_port);
  return next < lanes_ || next == kLaneMissing ? next : kLaneDropped;
}

std::uint8_t AdaptiveLanes::injected(std::uint8_t level, TerminalId source) const {
  if (level >= LaneMap::kLevels) return kLaneMissing;
  std::uint8_t lane = level;
  if (routing_.lane_map != nullptr) {
    const LaneMap::Row* row = routing_.lane_map->source(source);
    if (row != nullptr) lane = (*row)[level];
  }
  return lane < lanes_ ? lane : kLaneDropped;
}

void require_fit(const Network& network, const AdaptiveRouting& routing) {
  if (routing.planes.empty()) throw InputError("an adaptive routing needs a forwarding table");
  for (const AdaptivePlane& plane : routing.planes) {
    if (plane.router_count() != network.router_count() ||
        plane.terminal_count() != network.terminal_count()) {
      throw InputError(fmt::format(
          "the adaptive routing is for {} routers and {} terminals, the network has {} "
          "and {}",
          plane.router_count(), plane.terminal_count(), network.router_count(), network.terminal_count()));
    }
  }
  if (routing.plane_map && routing.plane_map->highest() >= routing.planes.size()) {
    throw InputError(fmt::format("a port looks packets up in plane {}, but there are only planes 0 to {}",
                                 routing.plane_map->highest(), routing.planes.size() - 1));
  }
}

}  // namespace unknot
