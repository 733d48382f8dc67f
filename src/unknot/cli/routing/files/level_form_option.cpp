// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/routing/files/level_form_option.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

namespace unknot::cli {

void add_level_form_option(CLI::App& app, LevelFormChoice& choice, const std::string& option) {
  app.add_option(
         "--lanes-format", choice.name,
         fmt::format(
             "Form of the file of {}: plain, a line for each path, as ibdmchk takes it; compact, a row "
             "for each source, as verify and the plug-in for OpenSM take it too",
             option))
      ->check(CLI::IsMember({"plain", "compact"}))
      ->capture_default_str()
      ->needs(app.get_option(option));
}

}  // namespace unknot::cli
