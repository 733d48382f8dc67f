// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace unknot {

/// A switch that can be bought.
struct SwitchModel {
  std::string name;
  std::uint32_t ports = 0;
  double price = 0;  ///< in whatever currency, optics and cables apart
  double power = 0;  ///< watts
};

/// TOML with one [[switch]] for each model: name, ports (2 to kMostDesignRadix), price and power, 0 where
/// they are not given. Throws InputError, with file and line, for what is no such file, for unknown keys, a
/// name given twice, and where there is no model.
std::vector<SwitchModel> read_switch_models(std::string_view text, const std::string& name);

}  // namespace unknot
