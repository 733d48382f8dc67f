// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

/// A network with its management: each router can be sent to and sends, as a subnet manager, a performance
/// manager and diagnostics do. It is a network as any other, with a terminal more at each router, on port 0
/// (InfiniBand's management port), which has the router's name, GUID and LID. Routers and channels are those
/// of the network without, so that what is known of those holds for both.
struct ManagedNetwork {
  Network network;
  std::vector<TerminalId> of_terminal;  ///< by terminal of the network without: the same host
  std::vector<TerminalId> of_router;    ///< by router: its own port
  std::vector<TerminalId> host;         ///< by terminal of `network`: the host without; invalid for own ports
};

/// O(routers + channels + terminals).
ManagedNetwork managed_network(const Network& network);

}  // namespace unknot
