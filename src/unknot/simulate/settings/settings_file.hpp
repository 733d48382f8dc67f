// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/simulate/settings/settings_keys.hpp"

namespace unknot::simulate {

/// How a `[[link]]` of a file gives a latency or a speed.
struct LinkRow {
  enum class Latency : std::uint8_t { none, cycles, steps, ns };
  enum class Speed : std::uint8_t { none, bandwidth, gbps, period };
  std::string match;
  Latency latency_kind = Latency::none;
  double latency = 0;
  Speed speed_kind = Speed::none;
  double speed = 0;
  std::size_t line = 0;
};

/// Settings from one place: a preset, a file, or the command line. Later layers have the last word.
struct SettingsLayer {
  struct Entry {
    const SettingKey* key = nullptr;
    SettingValue value;
    std::size_t line = 0;  ///< 0: none
  };
  std::string name;    ///< of the file, "preset booksim" or "--set"
  std::string preset;  ///< the layer below this one; "": none
  std::size_t preset_line = 0;
  std::vector<Entry> entries;  ///< no two decide the same
  std::vector<LinkRow> links;

  /// "name:line: " or "name: ", for messages.
  [[nodiscard]] std::string place(std::size_t line) const;
};

/// Reads a file of settings (TOML): any key of setting_keys(), `preset = "NAME"`, and tables `[[link]]`.
/// Every key and value is checked, and two keys for the same thing are refused. Throws InputError, one
/// sentence with file and line. What the settings say together is checked when they are resolved.
SettingsLayer parse_settings(std::string_view text, const std::string& name);
SettingsLayer read_settings(const std::string& path);

/// The layer of `--set key=value` options.
SettingsLayer parse_assignments(const std::vector<std::string>& assignments);

/// The settings as such a file, every key in cycles and flits: what a result file says of its run. Reading it
/// back and resolving it gives the same settings.
std::string settings_text(const Settings& settings);

}  // namespace unknot::simulate
