// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "unknot/simulate/settings/settings_file.hpp"

namespace unknot::simulate {

/// Named settings. `text` is a settings file: what a user can copy and change.
struct Preset {
  std::string name;
  std::string summary;
  std::string source;  ///< where the values come from
  std::string text;
};

const std::vector<Preset>& presets();
/// Row of that name; InputError with the near names otherwise.
const Preset& find_preset(std::string_view name);
/// The preset as a layer.
SettingsLayer preset_layer(std::string_view name);

}  // namespace unknot::simulate
