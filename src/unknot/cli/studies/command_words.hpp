// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "unknot/cli/command/command.hpp"

namespace unknot::cli {

/// The command that was parsed, as words for a shell, without what does not change its results: the output
/// file, threads, --json and --quiet. Options stand in the order of the help.
std::string command_words(const CLI::App& app, const Common& common);

}  // namespace unknot::cli
