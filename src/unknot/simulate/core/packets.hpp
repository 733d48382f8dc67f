// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/support/bring_near.hpp"

namespace unknot::simulate {

inline constexpr std::uint32_t kNobody = 0xFFFFFFFFU;

/// A packet in the network, as its way through the routers sees it: the queue it lies in and where it goes.
/// It lies in the queue of the lane that its head has come to; the flits behind the head are alike and only
/// counted. Small, because a large network's packets do not fit the caches.
struct Packet {
  /// In `target`: a router, on the way to an intermediate one.
  static constexpr std::uint32_t kVia = 0x80000000U;
  /// In `target`: a multicast group. Its number in RoutePlan::multicast, and the index of the next copy that
  /// the router makes in Errand::message.
  static constexpr std::uint32_t kGroup = 0x40000000U;
  /// In `state`: on its way into a router's sink.
  static constexpr std::uint8_t kLost = 0xFF;

  std::uint32_t next;    ///< packet behind it in its queue; kNobody for the last
  std::uint32_t target;  ///< terminal it is routed to, kVia | router, or kGroup | group
  std::uint16_t hops;    ///< routers that it has left
  std::uint8_t state;    ///< service level, or lane of the lane scheme
  std::uint8_t flits;    ///< length
};
static_assert(sizeof(Packet) == 12);

/// The same for mode single, where a packet is a flit and has no choice of lanes.
struct SinglePacket {
  static constexpr std::uint32_t kTargetBits = 20, kHopsBits = 12;

  std::uint32_t next;
  std::uint32_t target : kTargetBits;
  std::uint32_t hops : kHopsBits;

  /// No way that ends is longer than there are routers.
  static bool fits(std::uint32_t routers, std::uint32_t terminals) {
    return routers < 1U << kHopsBits && terminals < 1U << kTargetBits;
  }
};
static_assert(sizeof(SinglePacket) == 8);

/// What is only of interest where a packet enters and leaves.
struct Journey {
  /// In `source`: the packet goes by way of an intermediate router.
  static constexpr std::uint32_t kIndirect = 0x80000000U;

  std::uint32_t created;   ///< cycle, its lower 32 bits: no packet lives longer
  std::uint32_t injected;  ///< cycle in which its head left the terminal, its lower 32 bits
  std::uint32_t source;    ///< terminal, and kIndirect
};
/// What only some routings and sources ask for.
struct Errand {
  std::uint32_t destination;  ///< terminal
  std::uint32_t message;      ///< of a workload
};

/// The packets in the network. Numbers are handed out again latest first, so that the live ones stay in
/// cache.
template <class Packet>
class Pool {
 public:
  std::uint32_t take() {
    ++live_;
    if (spare_.empty()) {
      packets_.emplace_back();
      journeys_.emplace_back();
      errands_.emplace_back();
      return static_cast<std::uint32_t>(packets_.size() - 1);
    }
    const std::uint32_t i = spare_.back();
    spare_.pop_back();
    return i;
  }
  void give_back(std::uint32_t i) {
    --live_;
    spare_.push_back(i);
  }
  /// Brings a packet near, and its journey where it ends.
  void prefetch(std::uint32_t i, bool ends) const {
    bring_near_to_write(packets_.data() + i);
    const void* const more = ends ? static_cast<const void*>(journeys_.data() + i) : packets_.data() + i;
    bring_near(more);
  }
  void prefetch_journey(std::uint32_t i) const { bring_near(journeys_.data() + i); }
  Packet& operator[](std::uint32_t i) { return packets_[i]; }
  const Packet& operator[](std::uint32_t i) const { return packets_[i]; }
  Journey& journey(std::uint32_t i) { return journeys_[i]; }
  [[nodiscard]] const Journey& journey(std::uint32_t i) const { return journeys_[i]; }
  Errand& errand(std::uint32_t i) { return errands_[i]; }
  [[nodiscard]] const Errand& errand(std::uint32_t i) const { return errands_[i]; }
  [[nodiscard]] std::uint32_t live() const { return live_; }

 private:
  std::vector<Packet> packets_;
  std::vector<Journey> journeys_;
  std::vector<Errand> errands_;
  std::vector<std::uint32_t> spare_;
  std::uint32_t live_ = 0;
};

}  // namespace unknot::simulate
