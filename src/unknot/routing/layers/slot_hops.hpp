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
    std::uint32_t target, slot;  // the first, counted from the first of the router's row
  };
  SlotHops(const Network& network, const DependencySlots& slots) {
    hops_.reserve(network.channel_count());
    for (const RouterId r : network.routers()) {
      const IdRange<ChannelId> out = network.out(r);
      rows_.push_back({slots.first(out.first()), out.first()});
      for (const ChannelId c : out) {
        const std::uint64_t slot = slots.first(c.value) - rows_.back().first_slot;
        hops_.push_back({network.target(c).value, static_cast<std::uint32_t>(slot)});
      }
    }
    rows_.push_back({slots.count(), network.channel_count()});
  }
  /// Of the channels that leave the router, by position.
  [[nodiscard]] std::span<const Hop> out(std::uint32_t router) const {
    return {hops_.data() + rows_[router].channel, hops_.data() + rows_[router + 1].channel};
  }
  [[nodiscard]] std::uint64_t first_slot(std::uint32_t router) const { return rows_[router].first_slot; }

 private:
  struct Row {
    std::uint64_t first_slot;
    std::uint32_t channel;  // the first
  };
  std::vector<Hop> hops_;
  std::vector<Row> rows_;  // by router, and one more
};

}  // namespace unknot
