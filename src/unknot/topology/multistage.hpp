// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/network/network.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {

/// One-way multistage networks. Packets enter at the first stage of switches and leave at the last.
///
/// A terminal belongs to one router, but here it would inject at one switch and receive from another. So each
/// endpoint is a leaf: a router with one channel out, to the first stage (the injector), and one in, from the
/// last (the receiver). Routers are numbered stage by stage, then the leaves, leaf t last but N-1-t. Shortest
/// paths between leaves pass no third one. Switches leave by ports 1, 2, ... and are entered by those after;
/// a leaf leaves by port 1, is entered by port 2, and has its terminals (one by default) from port 3.

/// Omega network: log2 N times a perfect shuffle of the N lines, then N/2 switches 2 x 2. `lines` is a power
/// of two. One path for each pair, by the bits of the destination, high to low. [Lawrie 1975]
Network omega(std::uint32_t lines, const TerminalPlacement& terminals);
/// Butterfly: log2 N stages of N/2 switches 2 x 2; stage s joins the lines that differ in bit log2 N - 1 - s.
Network butterfly(std::uint32_t lines, const TerminalPlacement& terminals);

/// Clos network of three stages: `outer` switches n x m, m switches outer x outer, `outer` switches m x n.
/// Any permutation can be routed without conflict where m >= n. [Clos 1953; Benes 1965]
struct ClosParams {
  std::uint32_t n = 2;      ///< terminals of an outer switch
  std::uint32_t m = 2;      ///< middle switches
  std::uint32_t outer = 2;  ///< switches of the first stage, and of the last
};
Network clos(const ClosParams& shape, const TerminalPlacement& terminals);

Topology omega_topology();
Topology butterfly_topology();
Topology clos_topology();

}  // namespace unknot
