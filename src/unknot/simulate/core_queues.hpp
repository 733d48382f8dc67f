// SPDX-License-Identifier: Apache-2.0
#pragma once

// Mode packets: from the front of an input lane through the switch to the channel. See core.hpp.
#include <algorithm>
#include <bit>

#include "unknot/simulate/core.hpp"

namespace unknot::simulate {

/// The first packet of the lane is to go to one of these lanes of the output: the one that has most room now.
template <class Shape, Mode kMode>
auto Core<Shape, kMode>::request_crossing(std::uint32_t port, std::uint32_t own, Choice choice) -> Place {
  if constexpr (kPackets) {
    const auto lane_at = [](std::uint32_t lanes) {
      return static_cast<std::uint32_t>(std::countr_zero(lanes));
    };
    std::uint32_t out_lane = (port << shift()) | lane_at(choice.allowed);
    for (std::uint32_t rest = choice.allowed & (choice.allowed - 1); rest != 0; rest &= rest - 1) {
      const std::uint32_t other = (port << shift()) | lane_at(rest);
      if (routers_.out_lane(other).room > routers_.out_lane(out_lane).room) out_lane = other;
    }
    Bits::set(routers_.wants_lane(out_lane), own);
    const bool room = routers_.out_lane(out_lane).room > 0;
    Bits::set_if(room, routers_.wants_switch(port), own);
    switch_active_.set_if(room, port);
    return static_cast<Place>((choice.place << shift()) | vc_of(out_lane));
  }
  return {};
}

/// The input lane that an output chooses: its lanes with room in turn, and those who want a lane in turn.
/// With one turn for all lanes of an output, some inputs would wait for a lane that is mostly full far longer
/// than others.
template <class Shape, Mode kMode>
std::uint32_t Core<Shape, kMode>::grant_packet(std::uint32_t port) const {
  if constexpr (kPackets) {
    std::uint32_t lanes = 0;
    for (std::uint32_t vc = 0; vc < settings_.vcs; ++vc) {
      const std::uint32_t out_lane = (port << shift()) | vc;
      const bool asked =
          routers_.out_lane(out_lane).room > 0 && Bits::any(routers_.wants_lane(out_lane), words());
      lanes |= std::uint32_t{asked} << vc;
    }
    const std::uint32_t chosen = first_from(std::uint64_t{lanes}, routers_.out_port(port).preferred);
    const std::uint32_t out_lane = (port << shift()) | chosen;
    return Bits::first_from(routers_.wants_lane(out_lane), words(), lane_preferred_[out_lane]);
  }
  return 0;
}

/// The packet goes to the output: on to the channel, whose time is then given away, where it has only to wait
/// its turn, else into the queue of its lane.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::cross_packet(std::uint32_t port, std::uint32_t index, std::uint32_t own) {
  if constexpr (kPackets) {
    InLane& lane = routers_.in_lane(index);
    const std::uint32_t vc = vc_of(lane.out);
    const std::uint32_t out_lane = (port << shift()) | vc;
    OutPort& out = routers_.out_port(port);
    OutLane& to = routers_.out_lane(out_lane);
    const OutLink& link = routers_.out_link(port);
    const bool to_terminal = link.input == kNobody;
    out.preferred = static_cast<Place>(vc + 1);
    lane_preferred_[out_lane] = static_cast<Place>(own + 1);
    const std::uint64_t leaves = std::max(flit_leaves_, routers_.link_free(port));
    const bool in_turn = leaves - flit_leaves_ <= std::uint64_t{taking_turns_} * link.period;
    ++flit_hops_;
    const std::uint32_t p = pop(lane);
    if (to_terminal || (in_turn && out.link_requests == 0 && to.head == kNobody && to.credits > 0)) {
      routers_.link_free(port) = leaves + link.period;
      ++out.sent;
      if (to_terminal) {
        // Nothing but those before it holds it up.
        if (!in_turn) {
          --to.room;
          credits_.add(leaves, out_lane);
        }
        eject(p, leaves + link.latency);
      } else {
        --to.credits;
        in_transit_until(port, leaves);
        flits_.add(leaves + link.latency, {link.input + vc, p});
      }
    } else {
      --to.room;
      push(to, p);
      if (to.credits > 0) ask_link(out_lane);
    }
    return_credit(index >> shift(), vc_of(index));
    // The next one is routed at the end of this step.
    heads_.set_if(lane.head != kNobody, index);
    if (large_ && lane.head != kNobody) packets_.prefetch(lane.head, false);
    withdraw(port, out_lane, own);
  }
}

/// The packet of this input lane has crossed. Others that want the same lane wait where that is full now.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::withdraw(std::uint32_t port, std::uint32_t out_lane, std::uint32_t own) {
  if constexpr (kPackets) {
    std::uint64_t* const asking = routers_.wants_switch(port);
    std::uint64_t* const of_lane = routers_.wants_lane(out_lane);
    Bits::clear(asking, own);
    Bits::clear(of_lane, own);
    if (routers_.out_lane(out_lane).room == 0) Bits::remove(asking, of_lane, words());
    switch_active_.clear_if(!Bits::any(asking, words()), port);
  }
}

/// A lane's queue has room for a packet more.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::give_room_to_packets(std::uint32_t out_lane) {
  if constexpr (kPackets) {
    if (++routers_.out_lane(out_lane).room != 1) return;
    const std::uint32_t port = out_lane >> shift();
    Bits::add(routers_.wants_switch(port), routers_.wants_lane(out_lane), words());
    if (!Bits::any(routers_.wants_switch(port), words())) return;
    switch_active_.set(port);
    wake_block(port);
  }
}

/// UGAL counts a packet as long as it takes room at its output, whatever it waits for.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::in_transit_until(std::uint32_t port, std::uint64_t leaves) {
  if constexpr (kPackets) {
    if (!counts_transit_) return;
    ++in_transit_[port];
    left_.add(leaves, port);
  }
}

/// Packets of which nothing is known but the time at which the channel will be free of them.
template <class Shape, Mode kMode>
std::uint32_t Core<Shape, kMode>::waiting(std::uint32_t port) const {
  if constexpr (kPackets) {
    const std::uint64_t free = routers_.link_free(port);
    const std::uint32_t period = routers_.out_link(port).period;
    return free <= flit_leaves_ ? 0 : (static_cast<std::uint32_t>(free - flit_leaves_) + period - 1) / period;
  }
  return {};
}

}  // namespace unknot::simulate
