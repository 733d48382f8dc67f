// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/reproduce/experiment.hpp"

namespace unknot {

/// Rows of the catalogue, one for each experiment's file.
Experiment dfsssp_heuristics_experiment();

}  // namespace unknot
