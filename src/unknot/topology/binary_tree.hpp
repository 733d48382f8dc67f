// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/network/network.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {

/// Complete binary tree in which every router carries terminals: router 0 is the root, 2i+1 and 2i+2 are the
/// children of i. Port 1 leads up, but at the root; then the children, then terminals.
Network full_tree(std::uint32_t routers, const TerminalPlacement& terminals);

/// Binary tree of switches with the terminals below: N/2 switches at the lowest level, N-1 in all, two
/// terminals on each of the lowest by default. An XGFT with one parent for each switch.
Topology btree_topology();
Topology fulltree_topology();

}  // namespace unknot
