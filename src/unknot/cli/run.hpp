// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace unknot::cli {

/// The whole program: parses the command line, runs the command, returns the exit code. 0: done, and the
/// answer is yes. 1: done, and the answer is no. 2: bad usage or bad input, one sentence on stderr. 130: the
/// user stopped it. May be called any number of times in one process, one call at a time.
int run(int argc, const char* const* argv);

}  // namespace unknot::cli
