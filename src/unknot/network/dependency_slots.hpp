// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

/// A number for each possible channel dependency: a channel, and one that leaves the router it enters. The
/// slots of a channel are consecutive, in the order of the next channels, and end with one more that means
/// "packets on this channel end here". Sum over channels of (out-degree of the target + 1) slots.
class DependencySlots {
 public:
  explicit DependencySlots(const Network& network) {
    first_.reserve(network.channel_count() + std::size_t{1});
    std::uint64_t total = 0;
    for (const ChannelId c : network.channels()) {
      first_.push_back(total);
      total += network.out(network.target(c)).size() + std::uint64_t{1};
    }
    first_.push_back(total);
  }
  [[nodiscard]] std::uint64_t count() const { return first_.back(); }
  [[nodiscard]] std::uint64_t first(std::uint32_t channel) const { return first_[channel]; }
  /// Slot of the dependency on the channel at `position` among those leaving the router that `channel`
  /// enters.
  [[nodiscard]] std::uint64_t slot(std::uint32_t channel, std::uint32_t position) const {
    return first_[channel] + position;
  }
  [[nodiscard]] std::uint64_t end_slot(std::uint32_t channel) const { return first_[channel + 1] - 1; }

 private:
  std::vector<std::uint64_t> first_;
};

}  // namespace unknot
