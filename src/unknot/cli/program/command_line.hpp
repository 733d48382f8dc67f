// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "unknot/cli/command/command.hpp"

namespace unknot::cli {

/// All commands with their options: what a line of words is parsed with, and what manual pages and
/// completions are made from.
class CommandLine {
 public:
  explicit CommandLine(evolve::Exchange* exchange = nullptr);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  CLI::App& app() { return *app_; }
  Common& common() { return common_; }
  /// Of each row of `commands()`, in their order.
  [[nodiscard]] const CLI::App& subcommand(std::size_t row) const { return *actions_[row].first; }

  /// The row of a subcommand of `app()`.
  [[nodiscard]] const Command& command_of(const CLI::App& subcommand) const;
  /// Runs it, once `app()` has parsed.
  [[nodiscard]] Answer run(const CLI::App& subcommand) const;

 private:
  [[nodiscard]] std::size_t row_of(const CLI::App& subcommand) const;

  Common common_;
  std::unique_ptr<CLI::App> app_;
  std::vector<std::pair<const CLI::App*, Action>> actions_;
};

}  // namespace unknot::cli
