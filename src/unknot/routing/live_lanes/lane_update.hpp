// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/tables/transition_step.hpp"

namespace unknot {

/// What an event has changed in tables with lanes. Positions are among all channels of the router, rows those
/// of ServiceLevels::Rows::by_router. All changes of one destination stand together.
struct LaneUpdate {
  std::vector<EntryChange> entries;
  std::vector<LevelChange> levels;
  std::uint32_t escaped = 0;  ///< destinations that took paths of the escape for want of others
  bool escape_moved = false;  ///< the order of the escape's lane is another
};

}  // namespace unknot
