// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace unknot::watch {

/// How a command ended.
struct CommandEnd {
  std::string output;   ///< what it wrote to standard output, where that was to be kept
  std::string failure;  ///< "" for exit code 0; else one sentence without the command itself
};

/// Runs a command by /bin/sh in a process group of its own, without standard input, and waits for its end;
/// what is left of the group at `seconds` is killed. Standard output is kept, at most `most` bytes (more is a
/// failure), or goes to standard error where `most` is 0. `variables` ("NAME=value") join the environment.
/// Throws Interrupted, the group killed, when the user asks to stop.
CommandEnd run_command(const std::string& command, double seconds, std::uint64_t most,
                       const std::vector<std::string>& variables = {});

}  // namespace unknot::watch
