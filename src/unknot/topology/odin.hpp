// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/network/network.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {

/// A fabric like Odin (Indiana University; 128 endpoints on one 144-port switch): the switch is a folded Clos
/// of crossbars of 24 ports, 12 lines with 12 ports down, 6 spines, two cables from each line to each spine.
/// [Domke, Hoefler, Nagel 2011, section V, says "a pure fat tree with only one 144-port switch"; its inside
/// and how endpoints sit on it are our reading]
///
/// 18 routers: the lines, then the spines, named so, with levels. Terminals go on lines, a
/// spread total as evenly as can be, 10 or 11 on each by default; InputError for more than 12 on a line.
Network odin(const TerminalPlacement& terminals);

Topology odin_topology();

}  // namespace unknot
