// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/collective/solvers/solver.hpp"

namespace unknot {

/// Row of the catalogue of solvers: any small problem, exactly, as a ScheduleFormula. Where the formula has
/// no solution, there is no schedule of this many steps. InputError where it would be too large.
Solver sat_schedules();

}  // namespace unknot
