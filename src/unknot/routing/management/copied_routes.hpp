// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/network/managed_network.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// A routing of `network` on the network with management: data as it was, and each router that has hosts is
/// sent to and sends as one of them, along the same channels on the same lanes (SL-to-VL tables too: port 0
/// is the host's). So no dependency comes about that was not there. Routers without hosts are sent to by
/// nobody yet, and send nothing (ServiceLevels::kMissing). Levels are in rows by
/// `ServiceLevels::Rows::grouped`, each router's own port with one of its own. O(routers * terminals).
Routing copied_routes(const Network& network, const Routing& data, const ManagedNetwork& managed);

}  // namespace unknot
