// SPDX-License-Identifier: Apache-2.0
#include "unknot/tables/adaptive/adaptive_routing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

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

std::uint16_t level_mask(const ServiceLevels& levels) {
  std::uint32_t mask = levels.empty() ? 1U : 0U;
  for (std::uint32_t row = 0; !levels.empty() && row < levels.row_count(); ++row) {
    for (const std::uint8_t level : levels.row(row))
      if (level < LaneMap::kLevels) mask |= 1U << level;
  }
  return static_cast<std::uint16_t>(mask);
}

void take_pair_levels(AdaptiveRouting& routing, ServiceLevels levels, const std::string& name) {
  if (!routing.service_levels.empty()) {
    throw InputError(fmt::format("{}: {} has the service level of each pair already", name, routing.source));
  }
  const std::uint8_t highest = levels.highest();
  if (highest >= LaneMap::kLevels && highest != ServiceLevels::kMissing) {
    throw InputError(
        fmt::format("{}: service level {}, expected 0 to {}", name, highest, LaneMap::kLevels - 1));
  }
  routing.service_levels = std::move(levels);
  routing.fixed_levels = level_mask(routing.service_levels);
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
