// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/program/completion_script.hpp"
#include "unknot/support/catalogue.hpp"

namespace unknot::cli {

namespace {

Action declare_completion(CLI::App& app, const Common& common) {
  const auto shell = std::make_shared<std::string>();
  app.add_option("SHELL", *shell, "bash, zsh or fish")->required()->type_name("");
  return [shell, &common]() -> Answer {
    const std::string script = find_row(completion_shells(), "shell", *shell).script(completion_words());
    if (common.json) return {kYes, {{"shell", *shell}, {"script", script}}, {}};
    return {kYes, {}, script};
  };
}

}  // namespace

Command completion_row() {
  return {
      .name = "completion",
      .summary = "Print what a shell reads to complete commands, options and names of the catalogues",
      .details =
          R"text(For bash: eval "$(unknot completion bash)". An installed unknot has it where the shells look.)text",
      .examples = {"unknot completion bash"},
      .declare = declare_completion};
}

}  // namespace unknot::cli
