// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "unknot/topology/machines/machine.hpp"

namespace unknot {

/// The text of a file that a machine names, by its path as seen from here.
using MachineFileText = std::function<std::string(const std::string& path)>;

/// A machine of boxes with GPUs, as docs/machines.md says: TOML with one [[box]] for each kind of box and a
/// [network] that joins them. Throws InputError, with file and line, for what is no such file, keys that are
/// not known or do not go together, rails that no card leads to, boxes that nothing joins, and beyond
/// kMaxRouters, kMaxCables, kMaxTerminals, kMostGpusOfABox or 16 MiB. O(machine).
MachinePlan read_machine_plan(std::string_view text, const std::string& name, const MachineFileText& text_of);
/// The same as a network; files that it names are looked for beside it.
Network read_machine(std::string_view text, const std::string& name);
/// True when a line of `head` begins with [[box]].
bool looks_like_machine(std::string_view head);

}  // namespace unknot
