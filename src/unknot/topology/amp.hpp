// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/network/network.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {

/// "A Minimum Path" network: degree 4, the mean distance as small as a search finds. The published networks
/// were evolved and their cables were never printed; these come of a search of our own with the same aim, so
/// names and distances agree, cables need not. [Chalmers, Tregidgo 2002; Jaros 2010, section 4.1.3]
struct AmpParams {
  std::uint32_t routers = 8;  ///< 5 to 256
  std::uint64_t seed = 1;
  std::uint32_t moves = 20'000;  ///< exchanges tried
};

/// Simulated annealing from the midimew circulant: two cables exchange ends, accepted by the sum of
/// distances. Stops early where that meets the bound (4 routers at distance 1, 12 at 2, 36 at 3, ...).
/// Deterministic. O(moves n^2 diameter / 64): tens of milliseconds for 53 routers.
Network amp(const AmpParams& params, const TerminalPlacement& terminals);

Topology amp_topology();

}  // namespace unknot
