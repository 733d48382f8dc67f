// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/ethernet/relation/forwarding.hpp"

namespace unknot::ethernet {

/// A packet comes by `channel` as `flow` and goes on by `next` as `next_flow`; from a host where there is no
/// channel.
struct Hop {
  std::uint32_t channel = kNone, flow = 0;
  std::uint32_t next = 0, next_flow = 0;
};

/// What packets to a destination do that get there: hops that some packet takes which is delivered without
/// going round in a circle, while those links are down. In an order in which packets take them.
/// O(pairs of channels at switches).
std::vector<Hop> expected_hops(const Forwarding& forwarding, std::uint32_t destination, DeadChannels dead);

}  // namespace unknot::ethernet
