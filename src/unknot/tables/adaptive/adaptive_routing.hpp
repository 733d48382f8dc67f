// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/adaptive/adaptive_plane.hpp"
#include "unknot/tables/adaptive/plane_map.hpp"
#include "unknot/tables/lane_map.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/tables/service_levels.hpp"

namespace unknot {

/// An adaptive routing of one network, a routing relation: for each packet at a router the channels it may
/// leave by. A value, made by unknot or read from a fabric's dumps, valid for the network it was made from.
///
/// A packet has a destination, a service level that it keeps, and a kind it keeps as well: adaptive, or fixed
/// (switches let a packet be adaptive by its service level, or by a bit of its header). At a router it finds
/// its plane by the port and the lane (or level) it came with, there the entry of its destination, and in it
/// the channels that its kind may take. The channel it leaves by decides its next lane.
struct AdaptiveRouting {
  std::string source;  ///< engine, or file, it came from

  /// At least one. Entries of terminals that nobody sends to by a plane may be kNone there.
  std::vector<AdaptivePlane> planes;
  /// Null: plane 0 everywhere. Names planes that are there (require_fit()).
  std::shared_ptr<const PlaneMap> plane_map;

  /// SL-to-VL tables; null: level l travels on lane l.
  std::shared_ptr<const LaneMap> lane_map;
  /// VL-to-VL tables, which rule instead where a router has them: rows are looked up by the lane a packet
  /// came on instead of by its level. Null: no router has them.
  std::shared_ptr<const LaneMap> lane_steps;
  /// Routers that have VL-to-VL tables, by router; empty: all, where lane_steps is not null.
  std::vector<bool> steps_at;
  /// As Routing::data_lanes: a packet that would leave on another lane is dropped.
  std::uint32_t data_lanes = Routing::kAnyLanes;

  /// Service levels whose packets may be adaptive, and those whose packets may be fixed: bit l for level l.
  /// Where nobody says, both kinds exist on each level that is used.
  std::uint16_t adaptive_levels = 1;
  std::uint16_t fixed_levels = 1;
  /// The level of each pair, where it is known: kMissing for pairs that never send. Without rows
  /// (service_levels.empty()) packets of each pair may have any level of the masks.
  ServiceLevels service_levels;

  [[nodiscard]] bool has_steps(RouterId r) const {
    return lane_steps != nullptr && (steps_at.empty() || steps_at[r.value]);
  }
  [[nodiscard]] std::uint16_t levels() const {
    return static_cast<std::uint16_t>(adaptive_levels | fixed_levels);
  }
};

/// The lane of a hop, and of the cable from a terminal to its router; kLaneDropped where it carries no data,
/// kLaneMissing for a level that cannot be.
class AdaptiveLanes {
 public:
  explicit AdaptiveLanes(const AdaptiveRouting& routing);
  /// `lane`: the one it came on. Ports as LaneMap::lane().
  [[nodiscard]] std::uint8_t next(std::uint8_t level, std::uint8_t lane, RouterId at, std::uint16_t in_port,
                                  std::uint16_t out_port) const;
  /// The level itself where nobody has told what the adapter does, as for pairs of ports without a row:
  /// planes and VL-to-VL tables may look at it, which no table of ports alone does
  /// (LaneFunction::injected()).
  [[nodiscard]] std::uint8_t injected(std::uint8_t level, TerminalId source) const;
  /// Neither levels, ports nor routers make a difference: a packet stays on the lane it began on.
  [[nodiscard]] bool stays() const { return routing_.lane_map == nullptr && routing_.lane_steps == nullptr; }

 private:
  const AdaptiveRouting& routing_;
  std::uint32_t lanes_;
};

/// The levels that pairs have, a bit each; level 0 where there are no rows.
std::uint16_t level_mask(const ServiceLevels& levels);

/// Takes the level of each pair, as told by the file `name` or anybody. Packets of all levels that pairs have
/// may be fixed; InputError where the routing has its levels already.
void take_pair_levels(AdaptiveRouting& routing, ServiceLevels levels, const std::string& name);

/// InputError when the relation has not the sizes of the network, or names planes that are not there.
void require_fit(const Network& network, const AdaptiveRouting& routing);

}  // namespace unknot
