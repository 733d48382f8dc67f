// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/design/search/lift.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

/// What is to be small: the sum of distances, or the loads of channels, see SplitLoads, in the mean of their
/// fourth powers. Loads take some twenty times as long to count.
enum class AnnealAim : std::uint8_t { distances, loads };

struct AnnealResult {
  Lift lift;
  LiftDistances distances;
  double cost = 0;  ///< distances.sum, or what loads make of it
};

/// Simulated annealing over turns of cables and exchanges of their ends within a pool, or within reach. Steps
/// are tried, not seconds: the same on any machine. A lift without cables to change comes back as it is.
AnnealResult anneal_lift(Lift lift, AnnealAim aim, std::uint64_t steps, Random& random,
                         const Progress& progress);

}  // namespace unknot
