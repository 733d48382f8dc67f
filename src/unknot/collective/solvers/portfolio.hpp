// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/collective/solvers/solver.hpp"

namespace unknot {

/// The row `auto` of the catalogue of solvers: those that suit a problem in turn, first with little effort
/// for as many steps as it takes, then with more for fewer. Once it has a schedule, an interruption ends the
/// search and does not lose it.
Solver portfolio_solver();

}  // namespace unknot
