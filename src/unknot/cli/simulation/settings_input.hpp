// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "unknot/simulate/settings/settings_draft.hpp"

namespace CLI {
class App;
}

namespace unknot::cli {

/// Settings of a simulation as the command line says them.
struct SettingsInput {
  std::string preset, config;
  std::vector<std::string> assignments;
};

/// --preset, with `about` as its help, --config and --set.
void add_settings_options(CLI::App& app, SettingsInput& input, const std::string& about);

/// What is said, each above those before it: the preset, the file, the single settings. InputError where one
/// of them is not known.
std::vector<simulate::SettingsLayer> layers_of(const SettingsInput& input);

}  // namespace unknot::cli
