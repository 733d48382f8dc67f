// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/program/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <string>

#include "unknot/cli/command/help.hpp"
#include "unknot/support/version.hpp"

namespace unknot::cli {
namespace {

constexpr std::uint32_t kMaxThreads = 1024;
constexpr std::size_t kHelpWidth = 80;  // of the right column

void add_common(CLI::App& app, Common& common) {
  const char* group = "Options of every command";
  app.add_option("--seed", common.seed, "Seed of every random choice; same seed, same bytes")
      ->check(whole_number(0, UINT64_MAX))
      ->type_name("N")
      ->capture_default_str()
      ->group(group);
  app.add_option("--threads", common.threads, "Threads, 0 for all of the machine; no result depends on it")
      ->check(whole_number(0, kMaxThreads))
      ->type_name("N")
      ->capture_default_str()
      ->group(group);
  app.add_flag("--json", common.json, "One JSON document on standard output")->group(group);
  app.add_flag("--quiet,-q", common.quiet, "Nothing on standard error but errors")->group(group);
}

std::string footer(const Command& command) {
  std::string text;
  if (!command.details.empty()) text += command.details + "\n\n";
  text += command.examples.size() == 1 ? "Example:\n" : "Examples:\n";
  for (const std::string& example : command.examples) text += "  " + example + "\n";
  return text;
}

}  // namespace

CommandLine::CommandLine(evolve::Exchange* exchange)
    : app_(std::make_unique<CLI::App>(
          "Unknot reads or makes interconnection networks, computes their routing tables, proves them\n"
          "deadlock-free, measures their balance and writes them for OpenSM, a subnet manager.",
          "unknot")) {
  common_.exchange = exchange;
  app_->set_version_flag("--version,-V", std::string("unknot ") + version());
  app_->set_help_flag("--help,-h", "Print this help and exit");
  app_->require_subcommand(0, 1);
  app_->allow_extras();
  app_->footer(
      "Exit code 0: done, and the answer is yes. 1: done, and the answer is no. 2: bad usage or input.\n"
      "unknot COMMAND --help shows examples.");
  add_common(*app_, common_);
  for (const Command& command : commands()) {
    CLI::App* sub = app_->add_subcommand(command.name, command.summary);
    sub->set_help_flag("--help,-h", "Print this help and exit");
    sub->allow_extras();
    sub->footer(footer(command));
    Action action = command.declare(*sub, common_);
    add_common(*sub, common_);
    for (CLI::Option* option : sub->get_options()) {
      option->description(wrapped(option->get_description(), kHelpWidth));
    }
    actions_.emplace_back(sub, std::move(action));
  }
}

CommandLine::~CommandLine() = default;

std::size_t CommandLine::row_of(const CLI::App& subcommand) const {
  const auto row = std::find_if(actions_.begin(), actions_.end(),
                                [&](const auto& action) { return action.first == &subcommand; });
  return static_cast<std::size_t>(row - actions_.begin());
}

const Command& CommandLine::command_of(const CLI::App& subcommand) const {
  return commands().at(row_of(subcommand));
}

Answer CommandLine::run(const CLI::App& subcommand) const {
  return actions_.at(row_of(subcommand)).second();
}

}  // namespace unknot::cli
