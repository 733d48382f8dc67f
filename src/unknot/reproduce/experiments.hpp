// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/reproduce/experiment.hpp"

namespace unknot {

/// Rows of the catalogue, one for each experiment's file.
Experiment dfsssp_heuristics_experiment();
Experiment dfsssp_offline_online_experiment();
Experiment dfsssp_table1_experiment();
Experiment dfsssp_table2_experiment();
Experiment dfsssp_figure4_experiment();
Experiment dfsssp_figure5_experiment();
Experiment dfsssp_figure6_experiment();
Experiment dfsssp_figure7_experiment();
Experiment dfsssp_figure8_experiment();
Experiment dfsssp_figure9_experiment();
Experiment dfsssp_figure10_experiment();
Experiment dfsssp_figure12_experiment();
Experiment dfsssp_figure13_experiment();

Experiment angara_table2_experiment();
Experiment angara_single_routes_experiment();
Experiment angara_calls_experiment();
Experiment angara_balance_experiment();
Experiment angara_runtime_experiment();
Experiment angara_patterns_experiment();
Experiment angara_desmos_experiment();
Experiment angara_table3_experiment();

Experiment diameter2_table2_experiment();
Experiment diameter2_scale_experiment();
Experiment diameter2_bisection_experiment();
Experiment diameter2_diversity_experiment();
Experiment diameter2_worst_cases_experiment();
Experiment diameter2_oblivious_experiment();
Experiment diameter2_ugal_sf_experiment();
Experiment diameter2_ugal_mlfm_experiment();
Experiment diameter2_ugal_oft_experiment();
Experiment diameter2_all_to_all_experiment();
Experiment diameter2_neighbours_experiment();

Experiment jaros_success_experiment();
Experiment jaros_exact_experiment();
Experiment jaros_further_experiment();
Experiment jaros_simulated_experiment();
Experiment jaros_steps_experiment();
Experiment jaros_faults_experiment();
Experiment jaros_repair_experiment();
Experiment jaros_many_experiment();
Experiment jaros_times_experiment();
Experiment jaros_quality_experiment();
Experiment jaros_speed_experiment();

Experiment known_algorithms_experiment();
Experiment sccl_front_experiment();
Experiment collectives_open_experiment();
Experiment open_lanes_experiment();

}  // namespace unknot
