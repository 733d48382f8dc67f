// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/network/network.hpp"
#include "unknot/tables/forwarding_table.hpp"

namespace unknot {

/// Mean number of paths from a router with terminals to the addresses of a port elsewhere
/// (addressed_network()) of which no two take one channel, each address in turn counting where it may: what
/// address_spread() measures, for engines. 1 where each port has one address. All paths must arrive.
/// O(routers * terminals * hops).
double disjoint_paths(const Network& network, const ForwardingTable& table);

}  // namespace unknot
