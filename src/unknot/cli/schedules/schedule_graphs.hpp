// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/cli/command/command.hpp"

namespace unknot::cli {

/// NCCL's graphs for the boxes of a machine, which must be alike. InputError where the file is no machine.
std::string nccl_graphs_of(const std::string& fabric);
/// Lays the graphs of a file over the boxes of a machine, and says what is wrong with them.
Answer check_nccl_graphs(const std::string& fabric, const std::string& file, const std::string& text,
                         const Common& common);

}  // namespace unknot::cli
