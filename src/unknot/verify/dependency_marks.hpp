// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "unknot/deadlock/dependency_graph.hpp"
#include "unknot/network/dependency_slots.hpp"
#include "unknot/network/network.hpp"

// From the marks that a walk has left on slots to the channel dependency graph.
namespace unknot {

/// The channel and the one it waits for that a slot stands for.
class SlotCursor {
 public:
  SlotCursor(const Network& network, const DependencySlots& slots) : network_(network), slots_(slots) {}
  /// Slots must come in ascending order.
  void move_to(std::uint64_t slot) {
    while (slots_.first(channel_ + 1) <= slot) ++channel_;
    position_ = static_cast<std::uint32_t>(slot - slots_.first(channel_));
  }
  [[nodiscard]] std::uint32_t channel() const { return channel_; }
  /// Channel waited for; invalid for the slot that means "packets end here".
  [[nodiscard]] ChannelId next() const {
    const IdRange<ChannelId> out = network_.out(network_.target(ChannelId(channel_)));
    return position_ < out.size() ? out[position_] : ChannelId();
  }

 private:
  const Network& network_;
  const DependencySlots& slots_;
  std::uint32_t channel_ = 0;
  std::uint32_t position_ = 0;
};

/// Calls visit(from channel, from lane, to channel or invalid, to lane) for every mark.
template <class Marks, class Visit>
void for_each_dependency(const Network& network, const DependencySlots& slots, const Marks& marks,
                         std::uint32_t lanes_in_key, const Visit& visit) {
  SlotCursor cursor(network, slots);
  marks.for_each([&](std::uint64_t key, typename Marks::Mask mask) {
    cursor.move_to(key / lanes_in_key);
    const ChannelId next = cursor.next();
    const auto from_lane = static_cast<std::uint32_t>(key % lanes_in_key);
    for (std::uint64_t left = mask; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
      visit(cursor.channel(), lanes_in_key == 1 ? lane : from_lane, next, lane);
    }
  });
}

/// The graph of all marks. Keys are slots and masks lanes where `lanes_in_key` is 1; else keys are slot *
/// lanes_in_key + lane and masks the lanes of the channel waited for.
template <class Marks>
DependencyGraph make_graph(const Network& network, const DependencySlots& slots, const Marks& marks,
                           std::uint32_t lanes_in_key) {
  std::uint32_t lanes = 1;
  for_each_dependency(network, slots, marks, lanes_in_key,
                      [&](std::uint32_t, std::uint32_t lane, ChannelId next, std::uint32_t next_lane) {
                        lanes = std::max(lanes, lane + 1);
                        if (next.valid()) lanes = std::max(lanes, next_lane + 1);
                      });
  const std::uint32_t channels = network.channel_count();
  std::vector<std::uint8_t> used(static_cast<std::size_t>(channels) * lanes, 0);
  for_each_dependency(network, slots, marks, lanes_in_key,
                      [&](std::uint32_t channel, std::uint32_t lane, ChannelId, std::uint32_t) {
                        used[static_cast<std::size_t>(lane) * channels + channel] = 1;
                      });
  return {channels, lanes, std::move(used), [&](const auto& visit) {
            for_each_dependency(
                network, slots, marks, lanes_in_key,
                [&](std::uint32_t channel, std::uint32_t lane, ChannelId next, std::uint32_t next_lane) {
                  if (next.valid()) visit(lane * channels + channel, next_lane * channels + next.value);
                });
          }};
}

}  // namespace unknot
