// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/network/live/live_network.hpp"
#include "unknot/routing/dealing/legal_reach.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/forwarding_table.hpp"

namespace unknot {

/// Nobody counts: each router deals the terminals of a destination router out evenly to its candidates there.
/// O(routers * (destinations * candidates + terminals)). The same at any number of threads. Throws
/// Interrupted.
ForwardingTable dealt_table(const LiveNetwork& network, const LegalReach& reach, std::uint32_t threads,
                            Progress& progress);

}  // namespace unknot
