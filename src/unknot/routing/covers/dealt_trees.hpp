// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/network/network.hpp"
#include "unknot/routing/covers/lane_turns.hpp"
#include "unknot/routing/covers/path_prices.hpp"
#include "unknot/routing/covers/path_sets.hpp"
#include "unknot/routing/covers/safe_trees.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// What trees are dealt by. All of it must outlive the dealing.
struct DealingPlan {
  const Network& network;
  const PathSets& sets;
  const LaneTurns& turns;
  const SafeTrees& safe;     ///< every path of which some lane allows
  const PathPrices& prices;  ///< by which allowed paths share the terminals
};

/// A tree of shortest paths for each terminal, each path on one of the lanes that allow it: routers deal the
/// terminals of a destination router out to the candidates that a lane allows. Where that leaves a router
/// none, it takes the path that the safe tree has for it.
///
/// The same at any number of threads (0: all). O(routers * terminals). Throws Interrupted.
Routing dealt_trees(const DealingPlan& plan, std::uint32_t threads, Progress& progress);

}  // namespace unknot
