// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>

#include "unknot/cli/command.hpp"
#include "unknot/cli/completion_script.hpp"
#include "unknot/cli/output.hpp"
#include "unknot/support/find_row.hpp"

namespace unknot::cli {

Action declare_completion(CLI::App& app, const Common& /*common*/) {
  const auto shell = std::make_shared<std::string>();
  app.add_option("SHELL", *shell, "bash, zsh or fish")->required()->type_name("");
  return [shell] {
    print(find_row(completion_shells(), "shell", *shell).script(completion_words()));
    return kYes;
  };
}

}  // namespace unknot::cli
