// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/dependency_slots.hpp"
#include "unknot/network/network.hpp"

namespace unknot {

/// What a walk of tables asks of each channel, side by side: where it leads, and the slots of what follows.
class SlotHops {
 public:
  struct Hop {
    std::uint32_t target, first_slot;
  };
  SlotHops(const Network& network, const DependencySlots& slots) {
    hops_.reserve(network.channel_count());
    for (const ChannelId c : network.channels())
      hops_.push_back({network.target(c).value, static_cast<std::uint32_t>(slots.first(c.value))});
    first_.reserve(network.router_count() + std::size_t{1});
    for (const RouterId r : network.routers()) first_.push_back(network.out(r).first());
    first_.push_back(network.channel_count());
  }
  /// Of the channels that leave the router, by position.
  [[nodiscard]] std::span<const Hop> out(std::uint32_t router) const {
    return {hops_.data() + first_[router], hops_.data() + first_[router + 1]};
  }

 private:
  std::vector<Hop> hops_;
  std::vector<std::uint32_t> first_;  // by router
};

}  // namespace unknot
