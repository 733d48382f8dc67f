// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "unknot/cli/command/command.hpp"

namespace unknot::cli {

class Processes;

/// The whole program: parses the command line, runs the command, returns the exit code. 0: done, and the
/// answer is yes. 1: done, and the answer is no. 2: bad usage or bad input, one sentence on stderr. 130: the
/// user stopped it. May be called any number of times in one process, one call at a time. `processes`: those
/// that have been started together, where there are several; standard output of all but process 0 is to go
/// nowhere.
int run(int argc, const char* const* argv, Processes* processes = nullptr);

/// A command inside another one: nothing is printed. Exceptions pass through, and Ctrl-C is left to the outer
/// command. Several may run at a time, on threads of their own.
Answer run_inside(const std::vector<std::string>& words);

/// Throws InputError where one of these commands would, as far as that can be told without running it: an
/// option that there is not, a value outside its range.
void check_words(const std::vector<std::vector<std::string>>& lines);

}  // namespace unknot::cli
