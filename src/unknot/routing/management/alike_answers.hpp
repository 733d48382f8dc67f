// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/managed_network.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

struct ManagementPair {
  TerminalId source, destination;  ///< of the network with management
  bool operator==(const ManagementPair&) const = default;
};

/// Puts what the hosts (of the network without management) ask the routers and what those answer on one
/// level, as InfiniBand's management datagrams do; paths stay, lanes are those in use and then more, up to
/// `lanes`. Returns the pairs, from a host to a router's own port, whose answer has no such level and keeps
/// its own. Not for SL-to-VL tables: what differs there is only named. Throws RoutingFailure where the tables
/// can deadlock.
std::vector<ManagementPair> answer_alike(const ManagedNetwork& managed, std::span<const TerminalId> hosts,
                                         std::uint32_t lanes, Routing& routing);

}  // namespace unknot
