// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/program/completion_script.hpp"
#include "unknot/support/find_row.hpp"

namespace unknot::cli {

Action declare_completion(CLI::App& app, const Common& common) {
  const auto shell = std::make_shared<std::string>();
  app.add_option("SHELL", *shell, "bash, zsh or fish")->required()->type_name("");
  return [shell, &common] {
    const std::string script = find_row(completion_shells(), "shell", *shell).script(completion_words());
    if (common.json) {
      print_json({{"shell", *shell}, {"script", script}});
    } else {
      print(script);
    }
    return kYes;
  };
}

}  // namespace unknot::cli
