// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "unknot/simulate/settings/settings.hpp"
#include "unknot/simulate/settings/settings_file.hpp"

namespace unknot::simulate {

/// Settings as they are to be simulated, and what has been rounded on the way, one sentence each.
struct ResolvedSettings {
  Settings settings;
  std::vector<std::string> notes;
};

/// Puts layers on top of each other: in order of adding, a key of a later layer replaces what earlier layers
/// say about the same thing, in whatever units; links add up. A layer that names a preset stands on that
/// preset: that is refused where the draft has a preset already.
///
///     SettingsDraft draft;
///     draft.add(preset_layer("paper-sc15"));
///     draft.add(parse_assignments({"vcs=4", "seed=7"}));
///     Settings settings = for_lanes(draft.resolve().settings, lanes);
class SettingsDraft {
 public:
  void add(SettingsLayer layer);
  /// Converts physical units, then checks all of it. Throws InputError, one sentence with the place of the
  /// key that is wrong. A link class takes effect by link_times().
  [[nodiscard]] ResolvedSettings resolve() const;

 private:
  std::vector<SettingsLayer> layers_;
  std::string preset_;  ///< name of the layer that brought one
};

}  // namespace unknot::simulate
