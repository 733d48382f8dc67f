// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "unknot/network/faults.hpp"
#include "unknot/network/network.hpp"

namespace unknot {

/// The routers and channels that a network has lost, where it is `whole` less these and nothing else has
/// changed: routers by GUID, terminals by port GUID and port, channels by the ports at both ends, all in the
/// same order. Nothing where it is not so; a terminal that is gone from a router that is still there is such
/// a case. O(networks).
std::optional<Faults> lost_parts(const Network& whole, const Network& now);

/// A network with the routers, channels and terminals of both, of which each is it less some parts
/// (lost_parts()). Nothing where there is none: a port leads to one place here and to another there, a router
/// has other terminals, or numbers are in another order. GUIDs and ports are those of the two; it has no
/// names, LIDs or rates. O(networks log networks).
std::optional<Network> joined_network(const Network& a, const Network& b);

}  // namespace unknot
