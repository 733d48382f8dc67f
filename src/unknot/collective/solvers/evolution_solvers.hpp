// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "unknot/collective/solvers/solver.hpp"

namespace unknot {

/// A row of the catalogue of solvers for each optimiser of evolve/catalogue.hpp.
std::vector<Solver> evolution_solvers();

}  // namespace unknot
