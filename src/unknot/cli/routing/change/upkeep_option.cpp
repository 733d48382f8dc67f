// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/routing/change/upkeep_option.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "unknot/support/error.hpp"

namespace unknot::cli {

CLI::Option* add_upkeep_option(CLI::App& app, UpkeepChoice& choice) {
  auto* option =
      app.add_option("--upkeep", choice.name,
                     "How tables of engine clos follow a change: sticky, few entries change; exact, "
                     "they are those that it makes anew");
  option->check(CLI::IsMember({"sticky", "exact"}))->capture_default_str();
  choice.option = option;
  return option;
}

void require_clos(const UpkeepChoice& choice, const std::string& engine, const char* command) {
  if (choice.option->count() > 0 && engine != "clos")
    throw InputError(fmt::format("{}: --upkeep is for tables of engine clos (--engine clos)", command));
}

}  // namespace unknot::cli
