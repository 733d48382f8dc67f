// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/network/network.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {

/// A fabric like Deimos (Technische Universitaet Dresden, 2007; 724 endpoints): three chassis of 288 ports in
/// a chain A-B-C. A chassis is 12 spine and 24 line crossbars of 24 ports, each line joined to each spine; 30
/// cables join neighbouring chassis, `pack` of them on a line crossbar before the next has its turn: 1 is
/// round robin over all, 12 fills a line crossbar. [Domke, Hoefler, Nagel 2011, section V; how cables and
/// endpoints sit on line crossbars is our reading]
///
/// 108 routers: for each chassis the spines, then the lines, named so. Terminals go on line crossbars, a
/// spread total in proportion to the ports that are free; InputError when they do not fit.
Network deimos(std::uint32_t pack, const TerminalPlacement& terminals);

Topology deimos_topology();

}  // namespace unknot
