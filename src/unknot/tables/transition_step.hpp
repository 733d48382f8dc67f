// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// An entry of the forwarding tables that is no longer what it was. Positions among the router's channels in
/// the new network, or a mark of ForwardingTable: none for an entry that leads into a port where nothing is.
struct EntryChange {
  RouterId router;
  TerminalId destination;
  std::uint32_t before, after;
};

/// The service level of the paths of one row (a router's terminals, or one terminal) to a destination.
struct LevelChange {
  std::uint32_t row;
  TerminalId destination;
  std::uint8_t before, after;
};

/// Changes that may be made at the same time, router by router and source by source in any order; the next
/// step begins when all of them are in force.
struct TransitionStep {
  std::string what;  ///< for people: "new entries and levels"
  std::vector<EntryChange> entries;
  std::vector<LevelChange> levels;  ///< to ServiceLevels::kMissing: the path is withdrawn, nothing is sent
  /// The step begins no sooner than a packet's lifetime after all of the step before is in force: whatever
  /// earlier tables have sent has arrived by then, or is lost.
  bool wait = false;
};

/// Makes the changes of a step. O(changes).
void apply_step(const TransitionStep& step, Routing& routing);

}  // namespace unknot
