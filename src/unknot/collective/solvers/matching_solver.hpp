// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/collective/solvers/solver.hpp"

namespace unknot {

/// Row of the catalogue of solvers: broadcasts of several owners, and the reductions that reverse them, by
/// ReceiverMatching, with random restarts. Never proves that a number of steps is impossible.
Solver matching_solver();

}  // namespace unknot
