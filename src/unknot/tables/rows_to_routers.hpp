// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/network/managed_network.hpp"
#include "unknot/tables/forwarding_table.hpp"

namespace unknot {

/// Whether tables of a network with management lead to some router from another one: third-party tables may
/// have rows for hosts alone. O(routers^2).
bool lead_to_routers(const ManagedNetwork& managed, const ForwardingTable& table);

}  // namespace unknot
