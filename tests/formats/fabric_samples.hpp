// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "unknot/formats/fabric/fabric_catalogue.hpp"
#include "unknot/network/network.hpp"

namespace unknot::test {

struct Sample {
  std::string name;
  Network network;
};

/// Small networks that between them have everything a format may have to hold: parallel cables, two-port
/// adapters, service nodes, odd names, rates, LIDs, gaps in the ports, one-way links, coordinates, levels, no
/// terminals.
const std::vector<Sample>& fabric_samples();

/// The row of a format.
const FabricFormat& fabric_format(const std::string& name);

/// True when the format has links in one direction.
bool holds_one_way(const FabricFormat& format);

/// True when what the format writes is the same network when it is read: ports, names, addresses and rates.
bool keeps_all(const FabricFormat& format);

/// Fails for every difference between two networks: ids, ports, channels, names, addresses, rates, service
/// nodes.
void expect_same(const Network& a, const Network& b);
/// What a list of links tells as well: no GUIDs of adapters, rates or reverse channels.
void expect_same_wiring(const Network& a, const Network& b);

/// A network as a sorted list of facts that do not depend on the numbering of routers and terminals: cables,
/// terminals and service nodes by GUID and port, with LIDs and names. Rates are left out.
std::vector<std::string> facts(const Network& network);

}  // namespace unknot::test
