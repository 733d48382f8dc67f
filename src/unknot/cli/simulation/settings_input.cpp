// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/simulation/settings_input.hpp"

#include <CLI/CLI.hpp>

#include "unknot/simulate/settings/presets.hpp"

namespace unknot::cli {

void add_settings_options(CLI::App& app, SettingsInput& input, const std::string& about) {
  app.add_option("--preset", input.preset, about)->type_name("NAME");
  app.add_option("--config", input.config, "Settings in a file, TOML; see unknot list settings")
      ->type_name("FILE.toml");
  app.add_option("--set", input.assignments, "One setting; may be given many times")
      ->type_name("KEY=VALUE")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
}

std::vector<simulate::SettingsLayer> layers_of(const SettingsInput& input) {
  std::vector<simulate::SettingsLayer> layers;
  if (!input.preset.empty()) layers.push_back(simulate::preset_layer(input.preset));
  if (!input.config.empty()) layers.push_back(simulate::read_settings(input.config));
  if (!input.assignments.empty()) layers.push_back(simulate::parse_assignments(input.assignments));
  return layers;
}

}  // namespace unknot::cli
