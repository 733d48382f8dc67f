// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/network/live/live_network.hpp"

namespace unknot {

/// disconnected_pairs() of what lives: ordered pairs of terminals that no path joins. O(channels) where every
/// living channel has a living reverse, else as that is.
std::uint64_t cut_pairs(const LiveNetwork& network);

}  // namespace unknot
