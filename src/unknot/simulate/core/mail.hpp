// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/simulate/core/packets.hpp"

namespace unknot::simulate {

/// What a part of a network sends to another in a window of time. Steps are the lower 32 bits. Aligned: the
/// next one is filled by another thread while this one is read.
template <class Packet>
struct alignas(128) Mail {
  /// A flit for an input lane or a credit for an out lane.
  struct Event {
    std::uint32_t lane, step;
  };
  /// A flit with which its packet goes.
  struct Head {
    Event event;
    Packet packet;
    Journey journey;
  };

  std::vector<Head> heads;
  std::vector<Errand> errands;  ///< of the heads, where the core keeps them
  std::vector<Event> flits;     ///< other than heads
  std::vector<Event> credits;

  void clear() {
    heads.clear();
    errands.clear();
    flits.clear();
    credits.clear();
  }
};

}  // namespace unknot::simulate
