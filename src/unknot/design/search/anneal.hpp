// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/design/search/lift.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

struct AnnealResult {
  Lift lift;
  LiftDistances distances;
};

/// Simulated annealing over turns of cables and exchanges of their ends within a pool, for the smallest sum
/// of distances. Steps are tried, not seconds: the same on any machine. A lift without cables to change comes
/// back as it is.
AnnealResult anneal_lift(Lift lift, std::uint64_t steps, Random& random, const Progress& progress);

}  // namespace unknot
