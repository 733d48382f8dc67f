// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/network/managed_network.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// A routing of `network` on the network with management, still without levels: data as it was, and each
/// router that has hosts is sent to and sends as one of them, along the same channels (SL-to-VL tables too:
/// port 0 is the host's). So no dependency comes about that was not there. Routers without hosts are sent to
/// by nobody yet. `threads` 0: all. O(routers * terminals).
Routing copied_routes(const Network& network, const Routing& data, const ManagedNetwork& managed,
                      std::uint32_t threads);

/// The levels that go with it, in rows by `ServiceLevels::Rows::grouped`, each router's own port with one of
/// its own. Routers without hosts send on `bare`: nothing yet (ServiceLevels::kMissing), or on one level.
ServiceLevels copied_levels(const Network& network, const Routing& data, const ManagedNetwork& managed,
                            std::uint8_t bare, std::uint32_t threads);

}  // namespace unknot
