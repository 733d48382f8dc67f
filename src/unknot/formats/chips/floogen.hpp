// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "unknot/network/network.hpp"

/// FlooGen, the generator of FlooNoC: docs/generators.md.
namespace unknot {

/// True when a line of the text begins as the top level of FlooGen's YAML does.
bool looks_like_floogen(std::string_view head);
/// The network that FlooGen makes of its YAML: routers alone, in arrays and in trees, endpoints alone and in
/// arrays, and their connections. Ports of a router are FlooGen's outgoing ones, from 1 (North is 1). What
/// says nothing of the topology (protocols, addresses, the algorithm of routing) is passed over. InputError
/// with file and line for what FlooGen refuses of the rest, an endpoint that is not on exactly one router,
/// more than a million routers or endpoints, and a fabric in several parts.
Network read_floogen(std::string_view text, const std::string& name);

/// A YAML file of routers and endpoints one by one, with the ports of the network as directions; all names as
/// they are where they are identifiers of SystemVerilog, else router_0, endpoint_0 and so on. AXI of 64 bits
/// and 64 KiB of addresses for each endpoint stand in for what a network does not say. Service nodes are left
/// out. InputError for parallel cables and one-way links, which FlooGen does not take.
std::string write_floogen(const Network& network);

}  // namespace unknot
