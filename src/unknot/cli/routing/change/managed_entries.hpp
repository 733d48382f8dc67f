// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/cli/routing/managed_run.hpp"
#include "unknot/network/network.hpp"
#include "unknot/routing/reroute/reroute.hpp"

namespace unknot::cli {

/// Entries to hosts that management, null where it is not covered, has made anew beside those that the
/// rerouting changes: no host's packet meets them. O(entries).
std::uint64_t made_for_management(const Network& network, const Rerouted& rerouted,
                                  const ManagedRun* management);

/// Of the entries that the rerouting changes, those that management has made again, as no host's packet meets
/// them, become the ones of management: what is written is what the changes lead to. O(changes).
void take_from_management(const Network& network, const ManagedRun& management, Rerouted& rerouted);

}  // namespace unknot::cli
