// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/routing/live/live_clos.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace unknot::cli {

/// How tables of engine clos follow a change: "sticky" or "exact".
struct UpkeepChoice {
  std::string name = "sticky";
  const CLI::Option* option = nullptr;
  [[nodiscard]] Upkeep upkeep() const { return name == "exact" ? Upkeep::exact : Upkeep::sticky; }
};

/// Declares --upkeep. Returns it.
CLI::Option* add_upkeep_option(CLI::App& app, UpkeepChoice& choice);

/// InputError where it is given for tables of another engine.
void require_clos(const UpkeepChoice& choice, const std::string& engine, const char* command);

}  // namespace unknot::cli
