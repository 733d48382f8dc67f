// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace unknot::cli {

/// The whole program: parses the command line, runs the command, returns the exit code (0 yes, 1 no, 2 bad
/// usage or input).
int run(int argc, char** argv);

}  // namespace unknot::cli
