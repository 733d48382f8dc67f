// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/angara/system.hpp"

namespace unknot::angara {

struct SsspResult {
  RouteTable table;
  std::uint64_t calls = 0;  ///< rounds of the second stage: calls of BUILD_SSSP, Figure 4 of the paper
};

/// The paper's SSSP algorithm [section 4.3, Algorithms 3 and 4]: pairs with a single shortest route take it.
/// The others are sorted by their fewest turns, then length, then source. The pairs that agree in all three
/// are a group. Each round gives every pair that is left in the group its lightest shortest route, and
/// accepts those, in the order of destinations, that share no channel with one accepted in this round.
///
/// Loads are compared among routes of equal length, which is what the paper's initial weight of |N|^2 is for.
/// Among equally light routes the first listed wins. Without `unique_first` there is no first stage: pairs
/// with a single route are sorted and grouped like the others. O(routes * hops * rounds of a group). Throws
/// Interrupted.
SsspResult sssp(const System& system, const RouteChoices& choices, Progress& progress,
                bool unique_first = true);

}  // namespace unknot::angara
