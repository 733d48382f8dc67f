// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unknot/ethernet/model/parts.hpp"
#include "unknot/support/progress.hpp"

namespace unknot::ethernet {

/// What was collected from the switches of a fabric: in a folder for each switch, or in one folder with the
/// name of the switch and a dot before those of the files:
///
///   lldp.json, lldp.txt                 neighbours; one of the two
///   routes.json, routes6.json           routes, IPv6 in a file of its own where a tool prints it so
///   config_db.json                      SONiC's, where there is one
///
/// Other names are not looked at. Switches in the order of their names, read by `threads` threads (0: all).
/// InputError where a file cannot be read, where a switch has no routes or no neighbours, and where there is
/// no switch. Interrupted when `progress` is.
std::vector<SwitchParts> read_folder(const std::string& folder, std::uint32_t threads, Progress& progress);

}  // namespace unknot::ethernet
