// SPDX-License-Identifier: Apache-2.0
#pragma once

// Modes packets and trains: from the front of an input lane through the switch to the channel. See core.hpp.
#include <algorithm>
#include <bit>

#include "unknot/simulate/core/core.hpp"

namespace unknot::simulate {

/// The first packet of the lane is to go to one of these lanes of the output: the one that has most room now.
template <class Shape, Mode kMode>
auto Core<Shape, kMode>::request_crossing(std::uint32_t port, std::uint32_t own, Choice choice) -> Place {
  if constexpr (kWhole) {
    const auto lane_at = [](std::uint32_t lanes) {
      return static_cast<std::uint32_t>(std::countr_zero(lanes));
    };
    std::uint32_t out_lane = (port << shift()) | lane_at(choice.allowed);
    for (std::uint32_t rest = choice.allowed & (choice.allowed - 1); rest != 0; rest &= rest - 1) {
      const std::uint32_t other = (port << shift()) | lane_at(rest);
      if (routers_.out_lane(other).room > routers_.out_lane(out_lane).room) out_lane = other;
    }
    Bits::set(routers_.wants_lane(out_lane), own);
    bool can = routers_.out_lane(out_lane).room > 0;
    bool now = can;
    if constexpr (kTrains) {
      can = can && !crossing_inputs_.test(port - choice.place + (own >> shift()));
      now = can && !crossing_outputs_.test(port);
    }
    Bits::set_if(can, routers_.wants_switch(port), own);
    switch_active_.set_if(now, port);
    return static_cast<Place>((choice.place << shift()) | vc_of(out_lane));
  }
  return {};
}

/// The input lane that an output chooses: its lanes with room in turn, and those who want a lane in turn.
/// With one turn for all lanes of an output, some inputs would wait for a lane that is mostly full far longer
/// than others.
template <class Shape, Mode kMode>
std::uint32_t Core<Shape, kMode>::grant_packet(std::uint32_t port) {
  if constexpr (kWhole) {
    std::uint32_t lanes = 0;
    for (std::uint32_t vc = 0; vc < settings_.vcs; ++vc) {
      const std::uint32_t out_lane = (port << shift()) | vc;
      const bool asked = routers_.out_lane(out_lane).room > 0 && Bits::any(can_cross(out_lane), words());
      lanes |= std::uint32_t{asked} << vc;
    }
    const std::uint32_t chosen = first_from(std::uint64_t{lanes}, routers_.out_port(port).preferred);
    const std::uint32_t out_lane = (port << shift()) | chosen;
    return Bits::first_from(can_cross(out_lane), words(), lane_preferred_[out_lane]);
  }
  return 0;
}

/// Input lanes with a packet for this lane of the output whose inputs are free, where the lane has room.
template <class Shape, Mode kMode>
const std::uint64_t* Core<Shape, kMode>::can_cross(std::uint32_t out_lane) {
  const std::uint64_t* const wanting = routers_.wants_lane(out_lane);
  if constexpr (!kTrains) return wanting;
  const std::uint64_t* const able = routers_.wants_switch(out_lane >> shift());
  for (std::uint32_t w = 0; w < words(); ++w) candidates_[w] = wanting[w] & able[w];
  return candidates_.data();
}

/// The packet goes to the output: on to the channel, whose time is then given away, where it has only to wait
/// its turn, else into the queue of its lane.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::cross_packet(std::uint32_t port, std::uint32_t index, std::uint32_t own) {
  if constexpr (kWhole) {
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
    const std::uint32_t head = lane.head;
    end_asking(index, port);
    const std::uint32_t p = copies_ ? take_copy(index) : lane.pop(packets_);
    const std::uint32_t flits = flits_of(p);
    const std::uint64_t tail = std::uint64_t{flits - 1} * link.period;  // leaves that long after the head
    // So many flits may wait for their turns beside the queues. A packet that does not fit there whole takes
    // a place of its lane as well, until its tail has left.
    const std::uint64_t wait = leaves - flit_leaves_;
    const std::uint64_t turns = std::uint64_t{taking_turns_} * settings_.packet_flits * link.period;
    const bool in_turn = wait <= turns;
    const bool beside_queue = wait + tail <= turns;
    flit_hops_ += flits;
    see(WatchEvent::Kind::crossing, p, 0, step_, port, 1U << vc);
    if (to_terminal || (in_turn && out.link_requests == 0 && to.head == kNobody && to.credits > 0)) {
      routers_.link_free(port) = leaves + tail + link.period;
      out.sent += flits;
      see(WatchEvent::Kind::sent, p, 0, leaves, port, 1U << vc);
      if (to_terminal) {
        see(WatchEvent::Kind::arrived, p, 0, leaves + tail + link.latency, port, 0);
        // Nothing but those before it holds it up.
        if (!in_turn) {
          --to.room;
          credits_.add(leaves + tail, out_lane);
        }
        eject(p, leaves + tail + link.latency);
      } else {
        --to.credits;
        if (beside_queue) in_transit_until(port, leaves + tail);
        send_flit(port, leaves + link.latency + behind_head(flits, link.period), link.input + vc, p);
      }
      if (kTrains && in_turn && !beside_queue) {
        --to.room;
        emptied_.add(step_ + wait + tail, out_lane);
      }
    } else {
      --to.room;
      to.push(packets_, p);
      if (to.credits > 0) ask_link(out_lane);
    }
    if (p == head) return_credit(index >> shift(), vc_of(index), flits - 1);
    // The next one is routed at the end of this step.
    heads_.set_if(lane.head != kNobody, index);
    if (large_ && lane.head != kNobody) packets_.prefetch(lane.head, false);
    withdraw(port, out_lane, own);
    if (flits > 1) begin_crossing(index >> shift(), port, flits);
  }
}

/// The input and the output are given to a packet for as many steps as it has flits, this one included: no
/// lane of the input can send another, and the output asks nobody.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::begin_crossing(std::uint32_t input, std::uint32_t output, std::uint32_t flits) {
  if constexpr (kTrains) {
    const std::uint32_t first = routers_.first_port(routers_.router_of(input));
    for (std::uint32_t l = input << shift(); l < (input + 1) << shift(); ++l) {
      const std::uint32_t port = first + (routers_.in_lane(l).out >> shift());
      std::uint64_t* const asking = routers_.wants_switch(port);
      Bits::clear(asking, l - (first << shift()));
      switch_active_.clear_if(!Bits::any(asking, words()), port);
    }
    crossing_inputs_.set(input);
    crossing_outputs_.set(output);
    switch_active_.clear(output);
    crossed_.add(step_ + flits, {input, output});
  }
}

/// The input and the output are free for others.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::end_crossing(Crossing crossing) {
  if constexpr (kTrains) {
    crossing_inputs_.clear(crossing.input);
    crossing_outputs_.clear(crossing.output);
    const std::uint32_t first_port = routers_.first_port(routers_.router_of(crossing.input));
    const std::uint32_t first = first_port << shift();
    for (std::uint32_t l = crossing.input << shift(); l < (crossing.input + 1) << shift(); ++l) {
      // What a lane without a packet, or with one that is not routed yet, wanted last it does not want now.
      const std::uint32_t out_lane = first + routers_.in_lane(l).out, port = out_lane >> shift();
      const bool asks =
          Bits::test(routers_.wants_lane(out_lane), l - first) && routers_.out_lane(out_lane).room > 0;
      Bits::set_if(asks, routers_.wants_switch(port), l - first);
      switch_active_.set_if(asks && !crossing_outputs_.test(port), port);
    }
    switch_active_.set_if(Bits::any(routers_.wants_switch(crossing.output), words()), crossing.output);
    wake_block(crossing.input);
  }
}

/// The packet of this input lane has crossed. Others that want the same lane wait where that is full now.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::withdraw(std::uint32_t port, std::uint32_t out_lane, std::uint32_t own) {
  if constexpr (kWhole) {
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
  if constexpr (kWhole) {
    if (++routers_.out_lane(out_lane).room != 1) return;
    const std::uint32_t port = out_lane >> shift();
    if (adapts_) room_at(port);
    std::uint64_t* const asking = routers_.wants_switch(port);
    const std::uint64_t* const wanting = routers_.wants_lane(out_lane);
    if constexpr (kTrains) {
      const std::uint32_t first = routers_.first_port(routers_.router_of(port));
      Bits::for_each(wanting, words(), [&](std::uint32_t own) {
        Bits::set_if(!crossing_inputs_.test(first + (own >> shift())), asking, own);
      });
      if (crossing_outputs_.test(port)) return;
    } else {
      Bits::add(asking, wanting, words());
    }
    if (!Bits::any(asking, words())) return;
    switch_active_.set(port);
    wake_block(port);
  }
}

/// The tail of a packet has left the lane's queue: its way through the switch is still before it.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::leave_output(std::uint32_t out_lane) {
  if constexpr (kTrains) {
    in_transit_until(out_lane >> shift(), step_ + traversal_);
    give_room(out_lane);
  }
}

/// UGAL counts a packet as long as it takes room at its output, whatever it waits for.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::in_transit_until(std::uint32_t port, std::uint64_t leaves) {
  if constexpr (kWhole) {
    if (!counts_transit_) return;
    ++in_transit_[port];
    left_.add(leaves, port);
  }
}

/// Flits of which nothing is known but the time at which the channel will be free of them.
template <class Shape, Mode kMode>
std::uint32_t Core<Shape, kMode>::waiting(std::uint32_t port) const {
  if constexpr (kWhole) {
    // What crosses in this step leaves then; flits of steps before are gone or will be sooner.
    const std::uint64_t free = routers_.link_free(port);
    const std::uint64_t leaves = grid(step_ + traversal_ - 1);
    const std::uint32_t period = routers_.out_link(port).period;
    return free <= leaves ? 0 : (static_cast<std::uint32_t>(free - leaves) + period - 1) / period;
  }
  return {};
}

}  // namespace unknot::simulate
