// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/load/congestion.hpp"

namespace unknot {

/// congestion() for the one sample in which every terminal sends to every other, without listing the flows.
Congestion all_pairs_congestion(const Network& network, const Routing& routing, std::uint32_t threads,
                                Progress& progress);

}  // namespace unknot
