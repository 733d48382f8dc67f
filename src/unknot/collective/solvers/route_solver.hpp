// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/collective/solvers/solver.hpp"

namespace unknot {

/// "on-routes": schedules of problems on routes, scatters by route_packing.hpp, broadcasts by
/// route_broadcasts.hpp, reductions in reversed time.
Solver route_solver();

}  // namespace unknot
