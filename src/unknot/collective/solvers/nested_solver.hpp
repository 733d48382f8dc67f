// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/collective/solvers/solver.hpp"

namespace unknot {

/// A row of the catalogue of solvers: broadcasts from one node and reductions to one, by a search over nested
/// flows.
Solver nested_flows_solver();

}  // namespace unknot
