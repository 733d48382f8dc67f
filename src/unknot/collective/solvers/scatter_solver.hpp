// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/collective/solvers/solver.hpp"

namespace unknot {

/// A row of the catalogue of solvers: scatters with one source and gathers, by one maximum flow that is then
/// divided into steps. Exact for paths of any length and for shortest paths: for every number of steps it
/// gives a schedule or proves that there is none. For lengths between, what it calls impossible is so, but it
/// may miss schedules.
Solver scatter_flow_solver();

}  // namespace unknot
