// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iterator>
#include <random>
#include <set>
#include <vector>

#include "unknot/network/live/live_network.hpp"

namespace unknot {

/// Cables and routers that die or come back; dead ones come back more often, so that much lives.
class RandomEvents {
 public:
  RandomEvents(const LiveNetwork& network, std::uint32_t seed) : network_(network), random_(seed) {}

  LiveChange next() {
    LiveChange change;
    const std::uint32_t parts = random_() % 4 == 0 ? 1 + random_() % 4 : 1;
    for (std::uint32_t i = 0; i < parts; ++i) {
      if (random_() % 5 == 0) {
        const RouterId r(static_cast<std::uint32_t>(random_() % network_.router_count()));
        (network_.alive(r) ? change.dead_routers : change.back_routers).push_back(r);
      } else {
        const bool back = !dead_.empty() && random_() % 2 == 0;
        const ChannelId c = back
                                ? *std::next(dead_.begin(), static_cast<long>(random_() % dead_.size()))
                                : ChannelId(static_cast<std::uint32_t>(random_() % network_.channel_count()));
        std::vector<ChannelId>& list = back ? change.back_channels : change.dead_channels;
        for (const ChannelId half : {c, network_.network().reverse(c)}) {
          if (!half.valid()) continue;
          list.push_back(half);
          if (back) {
            dead_.erase(half);
          } else {
            dead_.insert(half);
          }
        }
      }
    }
    return change;
  }

 private:
  const LiveNetwork& network_;
  std::mt19937 random_;
  std::set<ChannelId> dead_;
};

}  // namespace unknot
