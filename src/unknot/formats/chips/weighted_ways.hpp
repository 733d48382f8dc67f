// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

/// Where gem5's Garnet sends packets for one router.
struct WeightedWays {
  /// By router: positions among network.out(router), ascending; none at the destination and where no way
  /// leads there.
  std::vector<std::vector<std::uint16_t>> positions;
  std::uint64_t farthest = 0;  ///< largest total weight of a least way
};

/// Garnet's table routing: at each router, of the links that ways of least total weight begin with, those
/// whose own weight is least (Topology.cc and garnet/RoutingUnit.cc of gem5). `weight`: by channel, above 0.
/// O(channels log channels) time.
WeightedWays weighted_ways(const Network& network, std::span<const std::uint32_t> weight, RouterId to);

}  // namespace unknot
