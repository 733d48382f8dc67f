// SPDX-License-Identifier: Apache-2.0
#pragma once

// Terminals: their next packets, and flits on their way into the network. See core.hpp.
#include <algorithm>

#include "unknot/simulate/core/core.hpp"

namespace unknot::simulate {

template <class Shape, Mode kMode>
void Core<Shape, kMode>::request_packet(std::uint32_t terminal, std::uint64_t cycle) {
  Nic& nic = nics_[terminal];
  nic.waiting = source_.next(terminal, cycle, nic.next);
  if (nic.waiting && nic.next.created <= cycle) {
    nic_active_.set(terminal);
  } else {
    nic_active_.clear(terminal);
    if (nic.waiting) created_.add(terminal, nic.next.created);
  }
}

template <class Shape, Mode kMode>
void Core<Shape, kMode>::ask_anew() {
  for (std::uint32_t t = 0; t < nics_.size(); ++t) {
    if (nics_[t].left > 0) continue;
    nics_[t].blocked = false;
    request_packet(t, cycle());
  }
}

/// Counts a packet that leaves a network with sinks. True where it is lost, and gone.
template <class Shape, Mode kMode>
bool Core<Shape, kMode>::leaves(std::uint32_t p) {
  if constexpr (kFull) {
    const auto since =
        static_cast<std::int32_t>(packets_.journey(p).injected - static_cast<std::uint32_t>(passage_.marked));
    passage_.before -= since < 0 ? 1 : 0;
    if (packets_[p].state != Packet::kLost) return false;
    ++passage_.lost;
    passage_.lost_since += since < 0 ? 0 : 1;
    packets_.give_back(p);
    return true;
  }
  return false;
}

template <class Shape, Mode kMode>
void Core<Shape, kMode>::inject(std::uint32_t terminal) {
  Nic& nic = nics_[terminal];
  // Off the grid of cycles a slow link may be free in the middle of this one.
  if (!kSingle && nic.free >= step_ + speedup()) return;
  const bool begins = nic.left == 0;
  // A packet goes on the first lane with room after the one taken last, around; its body on the same one.
  if ((begins ? nic.open : kTrains ? 1U : nic.open >> nic.lane & 1U) == 0) {
    nic.blocked = true;
    nic_active_.clear(terminal);
    return;
  }
  std::uint32_t head = kNobody;
  if (begins) {
    nic.lane = static_cast<std::uint8_t>(first_from(std::uint64_t{nic.open}, nic.lane + 1U));
    nic.left = static_cast<std::uint8_t>(nic.next.flits);
    if (copies_ && (nic.next.destination & simulate::Packet::kGroup) != 0) {
      recorder.sent_to_group(cycle_);
    } else {
      recorder.injected(nic.next.created);
    }
    head = packets_.take();
    Packet& packet = packets_[head];
    packet = {};
    packet.target = nic.next.destination;
    if constexpr (!kSingle) packet.flits = nic.left;
    packets_.journey(head) = {static_cast<std::uint32_t>(nic.next.created),
                              static_cast<std::uint32_t>(cycle_), terminal};
    if constexpr (kFull) {
      if (errands_) packets_.errand(head) = {nic.next.destination, nic.next.message};
      if (adapts_) {
        packet.state = plan_.adaptive->level(TerminalId(terminal), TerminalId(nic.next.destination), random_);
      } else if (plan_.lanes == RoutePlan::Lanes::level) {
        packet.state =
            copies_ && (packet.target & simulate::Packet::kGroup) != 0
                ? plan_.multicast.groups[packet.target & ~simulate::Packet::kGroup].level
                : plan_.routing.service_levels.get(TerminalId(terminal), TerminalId(nic.next.destination));
        const std::uint32_t lane = lane_function_.injected(packet.state, TerminalId(terminal));
        if (lane >= kLanesToldApart) no_lane(plan_.network.router_of(TerminalId(terminal)).value, lane);
      }
    }
  }
  std::uint64_t leaves = step_;
  if constexpr (!kSingle) {
    if (nic.period > speedup()) {
      leaves = std::max(leaves, nic.free);
      nic.free = leaves + nic.period;
    }
  }
  if (!kTrains || begins) {
    std::int16_t& room = injection_room_[(terminal << shift()) + nic.lane];
    if (--room == 0) nic.open &= ~(1U << nic.lane);
    const std::uint64_t whole = kTrains ? behind_head(nic.left, nic.period) : 0;
    flits_.add(leaves + nic.latency + whole, {nic.input_lane + nic.lane, head});
  }
  if (--nic.left == 0) {
    if constexpr (kFull) {
      if (wants_messages_) source_.sent(nic.next.message, cycle_);
    }
    request_packet(terminal, cycle_);
  }
}

/// The buffer in front of a terminal's lane has room for a flit more.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::injection_credit(std::uint32_t lane) {
  if (++injection_room_[lane] != 1) return;
  const std::uint32_t t = lane >> shift();
  Nic& nic = nics_[t];
  nic.open |= 1U << vc_of(lane);
  if (!nic.blocked) return;
  nic.blocked = false;
  nic_active_.set(t);
}

}  // namespace unknot::simulate
