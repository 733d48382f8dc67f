// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/slurm/topology/topology_tree.hpp"

namespace unknot::slurm {

/// What a file says of one switch: hosts, or names of switches.
struct SwitchLine {
  std::uint32_t line = 0;
  std::string name;
  std::vector<std::string> hosts, switches;
};

/// Names of a host list; InputError with file and line.
std::vector<std::string> read_host_list(std::string_view text, const std::string& file, std::uint32_t line);

/// The tree that the lines of `file` make, level by level as topology_tree() has it. InputError at the line
/// for a switch with neither hosts nor switches or with both, a name given twice, a child that has no line, a
/// switch below none or below two, circles, several roots. At least one line. O((lines + names) log lines).
TopologyTree join_switches(std::vector<SwitchLine> lines, const std::string& file);

}  // namespace unknot::slurm
