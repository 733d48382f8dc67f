// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/collective/solvers/solver.hpp"

namespace unknot {

/// Scatters of several owners by ejection search, alike under automorphisms that move the steps, too: the row
/// `packing` of the catalogue. See packing.hpp.
Solver packing_solver();

}  // namespace unknot
