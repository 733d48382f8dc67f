// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

/// A network in which closed routers cannot carry anything between others, whatever an engine does: each is
/// cut into stubs, one for each neighbour that is not closed, with the cables to that neighbour alone and a
/// share of its terminals; neighbours for whom there is no terminal get no stub. A path that enters a stub
/// ends there.
///
/// Where the open routers are in several parts, a closed router that touches more than one of them has its
/// terminals in each: there is a copy of a terminal for each such part, and none of the copies reaches
/// another.
///
/// Stubs keep the name, GUID, level and ports of their router, so that what is said by GUID (guidance.hpp)
/// and what trees are recognised by holds. Closed routers without terminals are left out; so are cables
/// between closed routers, one-way links of theirs and coordinates.
struct StubNetwork {
  Network network;
  std::vector<RouterId> router;      ///< by router of it: whose stub it is, or the router itself
  std::vector<std::uint32_t> part;   ///< by router of it: which part of the open routers it belongs to
  std::vector<TerminalId> terminal;  ///< by terminal of it: of whom it is a copy
  std::vector<ChannelId> channel;    ///< by channel of it
  std::vector<std::vector<RouterId>> stubs;  ///< by router of the whole: its stubs; one where it is open
};

/// `closed`: ascending. Terminals of a closed router are dealt out over its cables in turn, so that no cable
/// has two where another has none. O(network).
StubNetwork stub_network(const Network& network, const std::vector<RouterId>& closed);

}  // namespace unknot
