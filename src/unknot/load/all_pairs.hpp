// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/load/congestion.hpp"

namespace unknot {

/// congestion() for the one sample in which every terminal sends to every other, without listing the flows.
Congestion all_pairs_congestion(const Network& network, const Routing& routing, std::uint32_t threads,
                                Progress& progress);

/// channel_load() of the pairs that are delivered, whose lanes carry them, too: the same where no lane drops
/// any, else pair by pair. With several addresses (Routing::further) the loads of all added up, which is
/// addresses times the load where each pair sends evenly to them.
std::vector<std::uint64_t> delivered_load(const Network& network, const Routing& routing,
                                          std::uint32_t threads);

}  // namespace unknot
