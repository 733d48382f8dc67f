// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "unknot/support/solve/sat_solver.hpp"

namespace unknot {

/// Clauses by which at most this many of some literals are true: pairs where that is smaller, else a
/// sequential counter [Sinz 2005]. `most` is at least 1. O(most * literals).
void add_at_most(SatSolver& solver, std::uint32_t most, std::span<const int> literals);

}  // namespace unknot
