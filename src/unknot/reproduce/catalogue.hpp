// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "unknot/reproduce/experiment.hpp"

namespace unknot {

const std::vector<Experiment>& experiments();
/// Row of that name; InputError with the near names otherwise.
const Experiment& find_experiment(std::string_view name);

/// The row that "name" or "name:key=value,..." speaks of, and its parameters. With `quick`, those that the
/// spec does not give come from the row's quick values. InputError for a wrong spec.
struct ChosenExperiment {
  const Experiment* experiment = nullptr;
  Parameters parameters;
};
ChosenExperiment choose_experiment(std::string_view spec, bool quick);

}  // namespace unknot
