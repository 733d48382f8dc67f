// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "unknot/load/channel_load.hpp"
#include "unknot/network/connectivity.hpp"
#include "unknot/network/network.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/verify/transition/transition_check.hpp"
#include "unknot/verify/verify.hpp"
#include "unknot/watch/fabric_difference.hpp"
#include "unknot/watch/route_damage.hpp"

namespace unknot::watch {

struct WatchOptions {
  /// A busiest channel that carries so much more than before hurts: 0.1 for a tenth.
  double load_rise = 0.1;
  std::uint32_t threads = 0;
};

/// Tables of one moment, judged.
struct TablesState {
  Verdict verdict;
  LoadStatistics load;  ///< pairs of terminals on each channel
};

/// Two moments of a fabric side by side.
struct WatchReport {
  FabricDifference difference;
  DisconnectedPairs disconnected;             ///< in the new network
  std::optional<RouteDamage> damage;          ///< with the old tables
  std::optional<TablesState> before;          ///< the old tables on the old network
  std::optional<TablesState> carried;         ///< the old tables on the new network
  std::optional<TablesState> now;             ///< the new tables on the new network
  std::optional<TransitionVerdict> together;  ///< while both are in force
  std::string not_together;                   ///< why that was not looked at; empty where it was
  /// Why the administrator should look, one sentence each; empty where nothing hurts.
  std::vector<std::string> hurts;
};

/// Compares, follows the old tables on the new fabric, and checks the new ones. What hurts: parts that are
/// gone, moved or slower; terminals that no path joins; without new tables, pairs that the old ones no longer
/// deliver; tables in force that lose pairs or can deadlock, and a busiest channel that carries much more.
/// Parts that have come, names and faster cables hurt nobody.
///
/// Either routing may be null. InputError as compare_networks(), and for source routes.
WatchReport watch(const Network& before, const Routing* old_routing, const Network& after,
                  const Routing* new_routing, const WatchOptions& options, Progress& progress);

}  // namespace unknot::watch
