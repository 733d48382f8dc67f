// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace unknot::simulate {

inline constexpr std::uint32_t kNobody = 0xFFFFFFFFU;

/// A packet in the network. It lies in the queue of the lane that its head has come to; the flits behind the
/// head are alike and only counted. Half a cache line: a head that moves touches one line of its own.
struct Packet {
  /// In `target`: a router, on the way to an intermediate one.
  static constexpr std::uint32_t kVia = 0x80000000U;
  /// In `source`: the packet goes by way of an intermediate router.
  static constexpr std::uint32_t kIndirect = 0x80000000U;

  std::uint32_t next;         ///< packet behind it in the queue
  std::uint32_t target;       ///< terminal it is routed to, or kVia | router
  std::uint32_t created;      ///< cycle, its lower 32 bits: no packet lives longer
  std::uint32_t injected;     ///< cycle in which its head left the terminal, its lower 32 bits
  std::uint32_t source;       ///< terminal, and kIndirect
  std::uint32_t destination;  ///< terminal
  std::uint32_t message;      ///< of a workload
  std::uint8_t flits;         ///< length
  std::uint8_t state;         ///< service level, or lane of the lane scheme
  std::uint16_t hops;         ///< routers that it has left
};
static_assert(sizeof(Packet) == 32);

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
  /// Nothing happens for numbers of nothing.
  void prefetch(std::uint32_t i) const {
    if (i < items_.size()) __builtin_prefetch(items_.data() + i, 1);
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
