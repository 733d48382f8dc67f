// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/ethernet/relation/forwarding.hpp"

namespace unknot::ethernet {

/// A packet comes by `channel` as `flow` and goes on by `next` as `next_flow`; from a host where there is no
/// channel. States number where it has been: equal ones are one and the same packet to all that follows.
struct Hop {
  std::uint32_t channel = kNone, state = kNone;
  std::uint32_t next = 0, next_state = 0;
};

struct ExpectedHops {
  std::vector<Hop> hops;  ///< those that bring a packet to a state before those that take it on
  std::uint32_t states = 0;
  bool all = true;  ///< false: a circle has too many ways through it, and they were left out
};

/// What packets to a destination do that get there: hops of ways from a source out of the fabric that come to
/// no switch twice as the same flow, while those links are down. Ways that go through circles of the tables
/// are listed one by one, at most kMostSteps hops of them. O(pairs of channels at switches) without circles.
ExpectedHops expected_hops(const Forwarding& forwarding, std::uint32_t destination, DeadChannels dead);

inline constexpr std::size_t kMostSteps = 200'000;

}  // namespace unknot::ethernet
