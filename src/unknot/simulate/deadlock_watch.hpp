// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unknot/simulate/core/engine.hpp"

namespace unknot::simulate {

/// A lane that is part of a deadlock: it waits for the next one of the circle.
struct DeadlockStep {
  std::uint32_t input = 0, lane = 0;          ///< buffer in which the packet waits
  std::uint32_t source = 0, destination = 0;  ///< of the packet; see destination_name()
  bool for_lane = false;  ///< it waits for a lane that another packet holds; else for room in a full buffer
  std::uint32_t others = 0;  ///< adaptive: lanes that it may take as well, all of them held or full for ever
};

/// Lanes that wait for each other in a circle; the last one waits for the first. Empty: no deadlock.
using DeadlockCycle = std::vector<DeadlockStep>;

/// Looks for packets that can never move again, whatever else happens: lanes that can still move are found by
/// working backwards from those that can now, and what remains is dead. Exact for packets that want one
/// output, and for those that may take any of several. O(lanes * longest chain of waiting), mostly O(lanes).
DeadlockCycle find_deadlock(const Engine& engine, const RoutePlan& plan, const Settings& settings);

/// "H-4", or "group 0xc000".
std::string destination_name(const RoutePlan& plan, std::uint32_t destination);
/// "S-3 port 2, lane 1: H-4 to H-9 waits for ..." one line a step.
std::string describe(const DeadlockCycle& cycle, const RoutePlan& plan);

}  // namespace unknot::simulate
