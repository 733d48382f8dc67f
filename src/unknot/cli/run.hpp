// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace unknot::cli {

class Processes;

/// The whole program: parses the command line, runs the command, returns the exit code. 0: done, and the
/// answer is yes. 1: done, and the answer is no. 2: bad usage or bad input, one sentence on stderr. 130: the
/// user stopped it. May be called any number of times in one process, one call at a time. `processes`: those
/// that have been started together, where there are several; standard output of all but process 0 is to go
/// nowhere.
int run(int argc, const char* const* argv, Processes* processes = nullptr);

}  // namespace unknot::cli
