// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "unknot/formats/systems/system_models.hpp"
#include "unknot/network/network.hpp"

namespace unknot {

/// ibutils' topology file (.topo): systems by type and name, and the cables between the ports on their
/// panels. What is inside of a system comes from IBNL files, looked for in system_model_folders(). Devices
/// are named as ibutils names them, system/board/device; they have no addresses of their own: GUIDs and LIDs
/// are systematic. See assemble() for what is checked; InputError too for a system without an IBNL file or of
/// two types, and for a port that it does not have. O(n log n) time for n ports.
Network read_topology_file(std::string_view text, const std::string& name);

/// The same with models that are at hand.
Network read_topology_file(std::string_view text, const std::string& name, SystemModels& models);

/// True when the first lines are a system and a cable of it.
bool looks_like_topology_file(std::string_view head);

}  // namespace unknot
