// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// The routing of `network` that is in force where each terminal has the addresses that `addressed` has for
/// it (addressed_network(), of both with their management or of both without): the tables that lead to the
/// first address, and in Routing::further those to the others. A terminal with fewer is led to by its first.
/// Source routes have one address alone: InputError. O(entries of the addressed routing).
Routing with_further_addresses(const Network& network, const Network& addressed, const Routing& routing);

/// The tables to each address of terminals, the lowest first: `routing` itself, then those of
/// Routing::further.
std::vector<const Routing*> tables_to_addresses(const Routing& routing);

/// Gives the tables to further addresses what is one for all: engine, lanes, SL-to-VL tables, flow control.
void share_with_further(Routing& routing);

/// The other way round: a network that has each terminal as often as the routing has addresses, and the
/// routing to each of them. For networks without routers' own ports. O(entries).
struct OnEveryAddress {
  Network network;
  Routing routing;
};
OnEveryAddress on_every_address(const Network& network, const Routing& routing);

}  // namespace unknot
