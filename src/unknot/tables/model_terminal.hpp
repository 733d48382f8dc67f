// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/forwarding_table.hpp"

namespace unknot {

/// The terminal of a router whose tree the most routers are on, the first among equals: what is sent to the
/// router itself can go as what is sent there. Invalid where the router has none. O(terminals of the router *
/// routers).
TerminalId model_terminal(const Network& network, const ForwardingTable& table, RouterId router);
/// The same of all routers, in the order in which tables lie. O(terminals * routers).
std::vector<TerminalId> model_terminals(const Network& network, const ForwardingTable& table);

}  // namespace unknot
