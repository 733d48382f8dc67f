// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/live/live_network.hpp"
#include "unknot/routing/up_down/up_down_order.hpp"

namespace unknot {

/// Sets of destinations, a bit each, by hops and router: `words` words at (hops * routers + router) * words.
struct ReachRows {
  std::uint32_t words = 0;
  std::uint32_t levels = 0;  ///< of hops, 0 among them
  std::vector<std::uint64_t> at;

  [[nodiscard]] const std::uint64_t* row(std::uint32_t routers, std::uint32_t hops, std::uint32_t r) const {
    return at.data() + (std::size_t{hops} * routers + r) * words;
  }
};

/// What routers decide from the top (LegalReach::Rule::shorter).
struct ShorterWays {
  ReachRows rows;                        ///< by the hops of the way that is taken
  std::vector<std::uint64_t> goes_down;  ///< by router: destinations it goes down to, those here among them
};

/// `down`: destinations by hops of the shortest way that only goes down; `up`: by channel, 1 where it leads
/// up. Destinations go their ways apart, a cache line of them together, so that any number of threads finds
/// the same. O(channels * words * hops).
ShorterWays shorter_ways(const LiveNetwork& network, const UpDownOrder& order,
                         std::span<const std::uint8_t> up, const ReachRows& down, std::uint32_t threads);

}  // namespace unknot
