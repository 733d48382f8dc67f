// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/adaptive/adaptive_routing.hpp"
#include "unknot/verify/adaptive/adaptive_verdict.hpp"

namespace unknot {

/// Where packets of one level and kind may be, and the lanes they go on by, whatever their destination.
///
/// A buffer is a channel on a lane, lane * channel_count + channel. All buffers of a router from which
/// packets are looked up in one plane and leave on the same lanes are one *stand*: what goes on from there
/// depends on the stand and the destination alone.
class PacketWays {
 public:
  static constexpr std::uint32_t kNowhere = 0xFFFFFFFFU;
  struct Stand {
    RouterId router;
    std::uint8_t plane = 0;
    std::uint32_t lanes = 0;  ///< where its lanes begin
  };
  /// Terminals of a router that begin at one stand and send on the same levels.
  struct Entrance {
    std::uint32_t stand = 0;
    TerminalId terminal;
  };

  /// O(channels * lanes * degree) where ports make a difference, else O(channels).
  PacketWays(const Network& network, const AdaptiveRouting& routing, PacketClass packets);

  [[nodiscard]] PacketClass packets() const { return packets_; }
  [[nodiscard]] std::uint32_t lanes() const { return lanes_; }
  [[nodiscard]] std::uint32_t stand_count() const { return static_cast<std::uint32_t>(stands_.size()); }
  [[nodiscard]] const Stand& stand(std::uint32_t s) const { return stands_[s]; }
  /// By position among network.out(): the lane, or kLaneDropped or kLaneMissing.
  [[nodiscard]] std::uint8_t lane(std::uint32_t s, std::uint32_t position) const {
    return lane_pool_[stands_[s].lanes + position];
  }
  /// Stand of the packets of a buffer, kNowhere where none can come.
  [[nodiscard]] std::uint32_t stand_of(std::uint32_t buffer) const { return stand_of_[buffer]; }
  [[nodiscard]] std::uint32_t buffer_count() const { return static_cast<std::uint32_t>(stand_of_.size()); }
  [[nodiscard]] std::span<const std::uint32_t> stands_at(RouterId r) const { return stands_at_[r.value]; }
  [[nodiscard]] std::span<const Entrance> entrances() const { return entrances_; }
  /// Terminals whose own adapter drops the level.
  [[nodiscard]] std::span<const TerminalId> shut_out() const { return shut_out_; }

 private:
  std::uint32_t stand_for(RouterId r, std::uint16_t in_port, std::uint8_t lane);

  const Network& network_;
  const AdaptiveRouting& routing_;
  AdaptiveLanes lane_rule_;
  PacketClass packets_;
  std::uint32_t lanes_ = 1;
  std::vector<Stand> stands_;
  std::vector<std::uint8_t> lane_pool_;
  std::vector<std::uint32_t> stand_of_;
  std::vector<std::vector<std::uint32_t>> stands_at_;
  std::vector<Entrance> entrances_;
  std::vector<TerminalId> shut_out_;
};

/// Lanes that packets of the relation may be on: all lower than this.
std::uint32_t lane_bound(const Network& network, const AdaptiveRouting& routing);

}  // namespace unknot
