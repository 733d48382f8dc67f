// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/support/bulk_vector.hpp"

namespace unknot {

/// Virtual lanes, each a total order of the channels (as LaneOrders, which can be changed; these cannot): a
/// packet on the lane may go on from channel a to channel b only where a comes before b. For each turn the
/// lanes that allow it, a bit each, in as few bytes as will do: the turns of thousands of routers with tens
/// of ports are more than a cache holds.
class LaneTurns {
 public:
  static constexpr std::uint32_t kMostLanes = 16;

  /// `orders`: by lane, all channels. O(turns * lanes).
  LaneTurns(const Network& network, const std::vector<std::vector<std::uint32_t>>& orders,
            std::uint32_t threads);

  [[nodiscard]] std::uint32_t lanes() const { return lanes_; }
  [[nodiscard]] std::uint16_t all() const { return static_cast<std::uint16_t>((1U << lanes_) - 1); }
  /// Calls work(Mask{}), Mask the type that masks of lanes are kept in: std::uint8_t for up to 8 lanes, else
  /// std::uint16_t.
  template <class Work>
  void with_mask_type(const Work& work) const {
    if (lanes_ <= 8) {
      work(std::uint8_t{});
    } else {
      work(std::uint16_t{});
    }
  }
  /// Lanes that allow the turns of a channel: by position of the next one among those out of its target.
  template <class Mask>
  [[nodiscard]] const Mask* of(std::uint32_t channel) const {
    if constexpr (sizeof(Mask) == 1) {
      return narrow_.data() + first_[channel];
    } else {
      return wide_.data() + first_[channel];
    }
  }
  /// How many channels come before it in the order of a lane.
  [[nodiscard]] std::uint32_t place(std::uint32_t channel, std::uint32_t lane) const {
    return place_[std::size_t{channel} * lanes_ + lane];
  }

 private:
  template <class Mask>
  void find(const Network& network, BulkVector<Mask>& allowed, std::uint32_t threads) const;

  std::uint32_t lanes_;
  std::vector<std::uint32_t> first_;  // by channel: its first turn
  std::vector<std::uint32_t> place_;  // by channel and lane
  BulkVector<std::uint8_t> narrow_;   // by turn: lanes, of 8 at most
  BulkVector<std::uint16_t> wide_;    // by turn, where there are more
};

}  // namespace unknot
