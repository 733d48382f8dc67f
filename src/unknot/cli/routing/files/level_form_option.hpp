// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/formats/tables/table_catalogue.hpp"

namespace CLI {
class App;
}

namespace unknot::cli {

/// How the file of service levels is written: "plain" or "compact".
struct LevelFormChoice {
  std::string name = "plain";
  [[nodiscard]] LevelForm form() const { return name == "compact" ? LevelForm::compact : LevelForm::plain; }
};

/// Declares --lanes-format, for the file of `option` ("--lanes").
void add_level_form_option(CLI::App& app, LevelFormChoice& choice, const std::string& option);

}  // namespace unknot::cli
