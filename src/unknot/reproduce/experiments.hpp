// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/reproduce/experiment.hpp"

namespace unknot {

/// Rows of the catalogue, one for each experiment's file.
Experiment dfsssp_heuristics_experiment();

Experiment angara_table2_experiment();
Experiment angara_single_routes_experiment();
Experiment angara_calls_experiment();
Experiment angara_balance_experiment();
Experiment angara_runtime_experiment();
Experiment angara_patterns_experiment();

}  // namespace unknot
