// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

/// Number of lanes in a mask. By a table: without a processor to be sure of, the compiler calls a function.
class LaneCount {
 public:
  [[nodiscard]] static std::uint32_t of(std::uint16_t mask) {
    return std::uint32_t{kBits[mask & 0xFFU]} + kBits[mask >> 8];
  }

 private:
  static constexpr std::array<std::uint8_t, 256> kBits = [] {
    std::array<std::uint8_t, 256> bits{};
    for (std::size_t i = 1; i < bits.size(); ++i) bits[i] = static_cast<std::uint8_t>(bits[i / 2] + i % 2);
    return bits;
  }();
};

/// By channel: the number of its first turn, as LaneOrders counts them; one more entry at the end.
std::vector<std::uint32_t> first_turns(const Network& network);

/// Virtual lanes, each a total order of the channels: a packet on the lane may go on from channel a to
/// channel b only where a comes before b. So a lane is deadlock-free by construction, and a search may
/// change orders at will. Kept for each turn (a, b), b a channel out of a's target: the lanes that allow it.
///
/// Turns are numbered by a, then by b's position among the channels out of a's target.
class LaneOrders {
 public:
  using Mask = std::uint16_t;  // one bit a lane

  /// All lanes in order of channel id. 1 to 16 lanes.
  LaneOrders(const Network& network, std::uint32_t lanes);

  [[nodiscard]] std::uint32_t lanes() const { return lanes_; }
  [[nodiscard]] Mask all_lanes() const { return static_cast<Mask>((1U << lanes_) - 1); }
  /// One lane that allows every turn, for networks on which shortest paths cannot close a cycle. It has no
  /// order: nothing may be moved.
  static LaneOrders unrestricted(const Network& network);

  /// Gives a lane the order of `channels`, which names each channel once. O(turns).
  void set_order(std::uint32_t lane, std::span<const std::uint32_t> channels);

  /// Channels of a lane in its order.
  [[nodiscard]] std::vector<std::uint32_t> order(std::uint32_t lane) const;

  /// Whether `a` comes after `b` on the lane.
  [[nodiscard]] bool after(std::uint32_t lane, std::uint32_t a, std::uint32_t b) const {
    return lane_[lane].key[a] > lane_[lane].key[b];
  }

  [[nodiscard]] std::uint32_t first_turn(std::uint32_t channel) const { return first_turn_[channel]; }
  [[nodiscard]] Mask allowed(std::uint32_t turn) const { return allowed_[turn]; }
  [[nodiscard]] const std::vector<Mask>& allowed() const { return allowed_; }

  /// A turn that a move has allowed or forbidden on its lane.
  struct Flip {
    std::uint32_t from, to;  // channels
    bool allowed;
  };
  /// What undo() needs.
  struct Move {
    std::uint32_t lane, channel, before;  // `before`: the channel it came after, or none
    std::uint64_t key;
  };
  /// Puts `channel` directly before or after `other` on the lane. Lists the turns that changed. O(degree),
  /// now and then O(channels).
  Move move(std::uint32_t lane, std::uint32_t channel, std::uint32_t other, bool before,
            std::vector<Flip>& flips);
  /// Takes the latest move back.
  void undo(const Move& move, const std::vector<Flip>& flips);

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  static constexpr std::uint64_t kGap = std::uint64_t{1} << 36;

  struct Lane {
    std::vector<std::uint64_t> key;             // by channel: grows along the order
    std::vector<std::uint32_t> previous, next;  // by channel; the entry after the last is the list's head
  };
  void unlink(Lane& lane, std::uint32_t channel) const;
  void link_after(Lane& lane, std::uint32_t channel, std::uint32_t other) const;
  void respace(Lane& lane) const;
  void flip(std::uint32_t lane, const Flip& flip);

  const Network& network_;
  std::uint32_t lanes_;
  std::uint32_t channels_;
  std::vector<std::uint32_t> first_turn_;  // by channel
  std::vector<Mask> allowed_;              // by turn
  std::vector<Lane> lane_;
};

}  // namespace unknot
