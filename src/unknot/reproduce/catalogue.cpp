// SPDX-License-Identifier: Apache-2.0
#include "unknot/reproduce/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "unknot/reproduce/experiments.hpp"
#include "unknot/support/catalogue.hpp"

namespace unknot {
namespace {

std::vector<std::string_view> items_of(std::string_view text) {
  std::vector<std::string_view> items;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    items.push_back(text.substr(0, comma));
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
  return items;
}

std::string_view key_of(std::string_view item) {
  return item.substr(0, item.find('='));
}

}  // namespace

const std::vector<Experiment>& experiments() {
  static const std::vector<Experiment> rows = {
      dfsssp_heuristics_experiment(),    dfsssp_offline_online_experiment(),
      dfsssp_table1_experiment(),        dfsssp_figure4_experiment(),
      dfsssp_figure5_experiment(),       dfsssp_figure6_experiment(),
      dfsssp_figure7_experiment(),       dfsssp_figure8_experiment(),
      dfsssp_figure9_experiment(),       dfsssp_figure10_experiment(),
      dfsssp_figure12_experiment(),      dfsssp_figure13_experiment(),
      dfsssp_table2_experiment(),        angara_table2_experiment(),
      angara_single_routes_experiment(), angara_calls_experiment(),
      angara_balance_experiment(),       angara_runtime_experiment(),
      angara_patterns_experiment(),      angara_desmos_experiment(),
      angara_table3_experiment(),        diameter2_table2_experiment(),
      diameter2_scale_experiment(),      diameter2_bisection_experiment(),
      diameter2_diversity_experiment(),  diameter2_worst_cases_experiment(),
      diameter2_oblivious_experiment(),  diameter2_ugal_sf_experiment(),
      diameter2_ugal_mlfm_experiment(),  diameter2_ugal_oft_experiment(),
      diameter2_all_to_all_experiment(), diameter2_neighbours_experiment(),
      jaros_success_experiment(),        jaros_exact_experiment(),
      jaros_steps_experiment(),          jaros_faults_experiment(),
      jaros_many_experiment(),           jaros_times_experiment(),
      jaros_quality_experiment(),        jaros_speed_experiment(),
      jaros_further_experiment(),        jaros_simulated_experiment(),
      jaros_repair_experiment(),         known_algorithms_experiment(),
      sccl_front_experiment(),           collectives_open_experiment(),
      open_lanes_experiment(),
  };
  return rows;
}

const Experiment& find_experiment(std::string_view name) {
  return find_row(experiments(), "reproduction", name, "unknot list reproductions");
}

ChosenExperiment choose_experiment(std::string_view spec, bool quick) {
  const auto [name, given_values] = split_spec(spec);
  const Experiment& row = find_experiment(name);
  std::string values(given_values);
  if (quick) {
    const std::vector<std::string_view> given = items_of(values);
    std::string rest;
    for (const std::string_view item : items_of(row.quick)) {
      const bool overridden = std::any_of(
          given.begin(), given.end(), [&](std::string_view other) { return key_of(other) == key_of(item); });
      if (!overridden) rest += fmt::format(",{}", item);
    }
    values = values.empty() && !rest.empty() ? rest.substr(1) : values + rest;
  }
  return {&row, parse_parameters(fmt::format("reproduction {}", row.name), row.parameters, values)};
}

}  // namespace unknot
