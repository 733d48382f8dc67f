// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace unknot::simulate {

inline constexpr std::uint32_t kNobody = 0xFFFFFFFFU;

/// A packet in the buffer of one lane: an entry of the lane's queue. The flits behind its head are alike and
/// only counted. A packet of one flit keeps its entry all the way; a longer one has an entry in each buffer
/// that it lies in.
struct Entry {
  static constexpr std::uint32_t kVia = 0x80000000U;

  std::uint32_t next;  ///< entry behind it in the queue; undefined for the last
  std::uint32_t packet;
  std::uint32_t target;  ///< terminal it is routed to; kVia | router on the way to an intermediate router
  std::uint8_t flits;    ///< length of the packet
  std::uint8_t state;    ///< service level, or lane of the lane scheme
  std::uint16_t hops;    ///< routers that it has left
};
static_assert(sizeof(Entry) == 16);

/// What is known of a packet wherever it is.
struct Packet {
  std::uint64_t created;   ///< cycle
  std::uint64_t injected;  ///< cycle in which its head left the terminal
  std::uint32_t source;
  std::uint32_t destination;
  std::uint32_t message;   ///< of a workload
  std::uint32_t indirect;  ///< 1: sent by way of an intermediate router
};

/// Things with numbers, handed out again latest first, so that the live ones stay in cache.
template <class T>
class Pool {
 public:
  std::uint32_t take() {
    ++live_;
    if (spare_.empty()) {
      items_.emplace_back();
      return static_cast<std::uint32_t>(items_.size() - 1);
    }
    const std::uint32_t i = spare_.back();
    spare_.pop_back();
    return i;
  }
  void give_back(std::uint32_t i) {
    --live_;
    spare_.push_back(i);
  }
  T& operator[](std::uint32_t i) { return items_[i]; }
  const T& operator[](std::uint32_t i) const { return items_[i]; }
  [[nodiscard]] std::uint32_t live() const { return live_; }

 private:
  std::vector<T> items_;
  std::vector<std::uint32_t> spare_;
  std::uint32_t live_ = 0;
};

}  // namespace unknot::simulate
