// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/dependency_slots.hpp"
#include "unknot/network/managed_network.hpp"
#include "unknot/tables/forwarding_table.hpp"

namespace unknot {

/// The routers without hosts whose packets, all on the first lane, cannot simply follow the table: it has no
/// way for them, or one with a dependency that no packet of data makes. By terminal of the network with
/// management; nothing for the own ports of routers without hosts, which all others would have to seek.
/// `uses`: the lanes on which data makes each dependency, by slot. `threads` 0: all.
/// O(routers * terminals).
std::vector<std::vector<RouterId>> seeking_routers(const ManagedNetwork& managed,
                                                   const ForwardingTable& table, const DependencySlots& slots,
                                                   std::span<const std::uint16_t> uses,
                                                   std::uint32_t threads);

}  // namespace unknot
