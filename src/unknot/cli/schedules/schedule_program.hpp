// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/cli/command/command.hpp"

namespace unknot::cli {

/// Executes a third-party program of MSCCL or plan of MSCCL++ and says whether it keeps what its collective
/// promises. Returns the exit code. Throws InputError for a file that is no such program.
Answer check_program(const std::string& file, const Common& common);

}  // namespace unknot::cli
