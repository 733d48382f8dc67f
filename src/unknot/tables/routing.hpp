// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "unknot/tables/forwarding_table.hpp"
#include "unknot/tables/lane_map.hpp"
#include "unknot/tables/service_levels.hpp"

namespace unknot {

/// A routing of one network: forwarding tables, the service level of each path, and the lane each level
/// travels on. A value, made by an engine or read from files, valid for the network it was made from.
struct Routing {
  std::string engine;  ///< engine, or file, it came from
  ForwardingTable table;
  ServiceLevels service_levels;
  /// SL-to-VL tables; null: level l travels on lane l everywhere.
  std::shared_ptr<const LaneMap> lane_map;
  /// Lanes in use. Without a lane map service levels lie in [0, virtual_lanes); with one they may be any of
  /// the sixteen, and the map's lanes lie there.
  std::uint32_t virtual_lanes = 1;
  /// Lanes the engine needed before it spread paths over spare ones; equals virtual_lanes where it spreads
  /// nothing.
  std::uint32_t lanes_needed = 1;
  /// What the engine has to say of the result, one sentence: that it had to take detours, say. Often empty.
  std::string note = {};
};

}  // namespace unknot
