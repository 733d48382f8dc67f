// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "unknot/network/network.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/support/solve/sat_solver.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// How hard a question was.
struct LaneSearch {
  std::uint64_t rounds = 0;  ///< solutions that had cycles
  std::uint64_t cuts = 0;    ///< cycles forbidden
  double seconds = 0;
};

/// Whether some destination-based routing on shortest paths is deadlock-free on `lanes` virtual lanes, one
/// lane for each path from end to end, chosen freely for each pair: all tables and all assignments are asked
/// for at once, by satisfiability.
///
/// One tree for each destination router stands for all: giving every terminal of a router the tree, and every
/// source terminal the lane, of one of them takes dependencies away and adds none. A variable says which
/// candidate channel a router takes towards a destination router, one that the path from there on may be on a
/// lane, one that a lane has a dependency; a solution with cycles is answered with clauses that forbid them,
/// on every lane, until none is left (counterexample-guided refinement).
///
/// After a few rounds the channels are numbered and cycles cannot occur any more: the solver is called at
/// most five times.
///
/// `routing` gets tables and lanes where the answer is yes. For networks of some tens of routers; no memory
/// is reserved for cycles before they occur.
SatAnswer shortest_paths_fit(const Network& network, std::uint32_t lanes, const SatLimits& limits,
                             const Progress& progress, Routing* routing, LaneSearch* search = nullptr);

struct LaneBounds {
  std::uint32_t lower = 1;  ///< fewer lanes are impossible
  std::optional<Routing>
      routing;        ///< with the fewest lanes known; none where no number was shown to be enough
  LaneSearch search;  ///< over all numbers of lanes
  [[nodiscard]] bool proven() const { return routing && routing->virtual_lanes == lower; }
};

/// The minimum number of lanes for shortest paths, known to be at least `least`: asks for this many lanes,
/// and one more as long as they are not enough, up to `most` lanes or until the time is over.
LaneBounds minimum_lanes(const Network& network, std::uint32_t least, std::uint32_t most, double seconds,
                         const Progress& progress);

}  // namespace unknot
