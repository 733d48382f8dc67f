// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "unknot/simulate/core/bit_scan.hpp"
#include "unknot/simulate/core/packets.hpp"

namespace unknot::simulate {

/// Packets in a row, first in, first out, threaded through `next` of the packets themselves: a packet lies in
/// one queue at most. `packets` is the same Pool in all calls. Packets are seldom near: one that is alone in
/// its queue is not touched, and what its `next` says, or that of the last one, is of no meaning. O(1) each,
/// count() aside.
struct PacketQueue {
  std::uint32_t head = kNobody;  ///< kNobody: empty
  std::uint32_t tail = 0;        ///< of an empty queue any packet that there is

  template <class Packet>
  void push(Pool<Packet>& packets, std::uint32_t packet) {
    // Without a jump, which would often be guessed wrong.
    const std::array<std::uint32_t*, 2> places = {&packets[tail].next, &head};
    *places[head == kNobody ? 1 : 0] = packet;
    tail = packet;
  }
  /// The queue must not be empty.
  template <class Packet>
  std::uint32_t pop(const Pool<Packet>& packets) {
    const std::uint32_t p = head;
    head = packets[p].next | static_cast<std::uint32_t>(all_if(p == tail));
    return p;
  }
  template <class Packet>
  [[nodiscard]] std::uint32_t count(const Pool<Packet>& packets) const {
    if (head == kNobody) return 0;
    std::uint32_t number = 1;
    for (std::uint32_t p = head; p != tail; p = packets[p].next) ++number;
    return number;
  }
};

}  // namespace unknot::simulate
