// SPDX-License-Identifier: Apache-2.0
#pragma once

// Allocation of lanes and of the switch, and the crossing of flits. See core.hpp.
#include <algorithm>
#include <bit>

#include "unknot/simulate/core.hpp"

namespace unknot::simulate {

/// Outputs with a lane that can be given and an input lane that asks for it: their lanes 0, in this word of
/// the mask.
template <class Shape, Mode kMode>
std::uint64_t Core<Shape, kMode>::lanes_to_give(Router self, std::uint32_t word) const {
  if constexpr (kFull) return first_of_groups(self.free()[word] & self.waiting()[word], shift());
  return first_of_groups(self.free()[word], shift()) & self.waiting()[word];
}

template <class Shape, Mode kMode>
void Core<Shape, kMode>::allocate_lanes(Router self, std::uint32_t router) {
  for (std::uint32_t w = 0; w < words(); ++w) {
    for (std::uint64_t rest = lanes_to_give(self, w); rest != 0; rest &= rest - 1) {
      const std::uint32_t port = (w * 64 + static_cast<std::uint32_t>(std::countr_zero(rest))) >> shift();
      if constexpr (kFull) {
        allocate_given_lanes(self, router, port);
      } else {
        allocate_any_lane(self, router, port);
      }
    }
  }
}

/// The input lane takes one of these lanes of the output. Its arbiter starts after the lane that it had, if
/// that was one of this output.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::take_one_of(Router self, std::uint32_t router, std::uint32_t port,
                                     std::uint32_t local, std::uint32_t lanes) {
  InLane& lane = self.in_lane(local);
  const std::uint32_t preferred = lane.preferred;
  const std::uint32_t start = vc_of(preferred) & (preferred >> shift() == port ? ~0U : 0U);
  const std::uint32_t vc = first_from(std::uint64_t{lanes}, start);
  const std::uint32_t taken = (port << shift()) | vc;
  const auto withdraw = [&](std::uint32_t row, std::uint32_t asked) {
    std::uint64_t* const requests = self.wants_lane(row);
    Bits::clear(requests, local);
    Bits::clear_if(!Bits::any(requests, words()), self.waiting(), asked);
  };
  if constexpr (kFull) {
    for (std::uint32_t row = port << shift(); row < (port << shift()) + settings_.vcs; ++row)
      withdraw(row, row);
  } else {
    withdraw(port, port << shift());
  }
  Bits::clear(self.free(), taken);
  lane.out = static_cast<Place>(taken);
  // The number after; where that is none, the arbiters begin at the lowest, which is the same.
  lane.preferred = static_cast<Place>(taken + 1);
  OutLane& out = self.out_lane(port, vc);
  out.owner = static_cast<Place>(local);
  out.preferred = static_cast<Place>(local + 1);
  if constexpr (kSingle) {
    Bits::set_if(out.room > 0, self.wants_switch(port), local);
    OutputBits::set_if(out.room > 0, self.switch_active(), port);
  } else {
    lane.stage = LaneStage::active;
    if (settings_.vc_alloc_delay > 1) {
      granted_later_.add(step_ + settings_.vc_alloc_delay, routers_.first_lane(router) + local);
    } else if (lane.present > 0 && out.room > 0) {
      request_switch(self, router, port, local);
    }
  }
}

/// Input lanes that have been chosen by lanes of the output take one of them each.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::accept_lanes(Router self, std::uint32_t router, std::uint32_t port) {
  for (const std::uint32_t local : touched_) {
    take_one_of(self, router, port, local, granted_lanes_[local]);
    granted_lanes_[local] = 0;
  }
  touched_.clear();
}

template <class Shape, Mode kMode>
void Core<Shape, kMode>::allocate_any_lane(Router self, std::uint32_t router, std::uint32_t port) {
  const std::uint64_t* const requests = self.wants_lane(port);
  const std::uint32_t free = lanes_of(self.free(), port);
  if (Bits::one(requests, words())) {
    take_one_of(self, router, port, Bits::first_from(requests, words(), 0), free);
    return;
  }
  for (std::uint32_t rest = free; rest != 0; rest &= rest - 1) {
    const auto vc = static_cast<std::uint32_t>(std::countr_zero(rest));
    const std::uint32_t local = Bits::first_from(requests, words(), self.out_lane(port, vc).preferred);
    touched_.add_if(granted_lanes_[local] == 0, local);
    granted_lanes_[local] |= 1U << vc;
  }
  accept_lanes(self, router, port);
}

template <class Shape, Mode kMode>
void Core<Shape, kMode>::allocate_given_lanes(Router self, std::uint32_t router, std::uint32_t port) {
  const auto packet = static_cast<int>(settings_.packet_flits);
  for (std::uint32_t rest = lanes_of(self.free(), port) & lanes_of(self.waiting(), port); rest != 0;
       rest &= rest - 1) {
    const auto vc = static_cast<std::uint32_t>(std::countr_zero(rest));
    const std::uint32_t place = (port << shift()) | vc;
    const OutLane& out = self.out_lane(port, vc);
    const std::uint64_t* row = self.wants_lane(place);
    if (plan_.bubble && out.room < 2 * packet) {
      // Without room for a bubble nobody enters the ring.
      const std::uint64_t* const entering = entering_.data() + entering_row(router, port);
      for (std::uint32_t w = 0; w < words(); ++w) candidates_[w] = row[w] & ~entering[w];
      row = candidates_.data();
      if (!Bits::any(row, words())) {
        Bits::clear(self.free(), place);  // until there is more room, or somebody else asks
        continue;
      }
    }
    const std::uint32_t local = Bits::first_from(row, words(), out.preferred);
    touched_.add_if(granted_lanes_[local] == 0, local);
    granted_lanes_[local] |= 1U << vc;
  }
  accept_lanes(self, router, port);
}

template <class Shape, Mode kMode>
void Core<Shape, kMode>::allocate_switch(Router self, std::uint32_t router) {
  std::uint64_t* const granted = granted_.data();  // by input
  std::uint64_t chosen = 0;                        // inputs, where a word holds them
  for (std::uint32_t w = 0; w < output_words(); ++w) {
    for (std::uint64_t rest = self.switch_active()[w]; rest != 0; rest &= rest - 1) {
      const std::uint32_t port = w * 64 + static_cast<std::uint32_t>(std::countr_zero(rest));
      const std::uint32_t local = Bits::first_from(self.wants_switch(port), words(),
                                                   std::uint32_t{self.out_port(port).preferred} << shift());
      const std::uint32_t input = local >> shift();
      if (large_) {
        const std::uint32_t head = self.in_lane(local).head;
        if (kSingle || head != kNobody) packets_.prefetch(head, self.out_port(port).input == kNobody);
      }
      std::uint64_t* const row = granted + std::size_t{input} * output_words();
      if constexpr (Shape::kFixed) {
        chosen |= std::uint64_t{1} << input;
      } else {
        chosen_.add_if(!OutputBits::any(row, output_words()), input);
      }
      OutputBits::set(row, port);
    }
  }
  const auto accept = [&](std::uint32_t input) {
    std::uint64_t* const row = granted + std::size_t{input} * output_words();
    const std::uint32_t port = OutputBits::first_from(row, output_words(), self.in_port(input).preferred);
    std::fill(row, row + output_words(), 0);
    cross(self, router, input, port);
  };
  if constexpr (Shape::kFixed) {
    for (; chosen != 0; chosen &= chosen - 1) accept(static_cast<std::uint32_t>(std::countr_zero(chosen)));
  } else {
    for (const std::uint32_t input : chosen_) accept(input);
    chosen_.clear();
  }
}

/// The place that a flit has left is told to the sender.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::return_credit(Router self, const InLane& lane, std::uint32_t input,
                                       std::uint32_t vc) {
  if constexpr (kSingle) {
    credits_.add(credit_leaves_ + lane.credit_steps, lane.upstream);
  } else {
    std::uint64_t leaves = credit_leaves_;
    if (speedup_ > 1 && links_on_grid_) {
      leaves = std::max(leaves, self.credit_free(input));
      self.credit_free(input) = leaves + speedup_;
    }
    const CreditWay& way = self.credit_way(input);
    credits_.add(leaves + way.steps, way.upstream + vc);
  }
}

/// A lane of the input sends a flit to the output: the first that can after the one that did last.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::cross(Router self, std::uint32_t router, std::uint32_t input, std::uint32_t port) {
  InPort& in = self.in_port(input);
  OutPort& out = self.out_port(port);
  std::uint64_t* const requests = self.wants_switch(port);
  const std::uint32_t in_vc = first_from(std::uint64_t{lanes_of(requests, input)}, in.preferred_lane);
  // Numbers after the last are as good as the first: masks have no bits there.
  in.preferred_lane = static_cast<std::uint8_t>(in_vc + 1);
  in.preferred = static_cast<Place>(port + 1);
  out.preferred = static_cast<Place>(input + 1);

  const std::uint32_t local = (input << shift()) | in_vc;
  InLane& lane = self.in_lane(local);
  const std::uint32_t out_place = lane.out;
  OutLane& to = self.out_lane(port, vc_of(out_place));
  bool is_head = true, is_tail = true;
  if constexpr (!kSingle) {
    is_head = lane.stage == LaneStage::active;
    is_tail = lane.left == 1;
    --lane.left;
    --lane.present;
    lane.stage = LaneStage::body;
  }
  const std::uint32_t next_input = out.input;
  const bool to_terminal = next_input == kNobody;
  ++flit_hops_;
  --to.room;
  // A packet goes with its head, but to a terminal with its tail: nothing happens to it in between.
  const std::uint32_t p = (to_terminal ? is_tail : is_head) ? pop(lane) : kNobody;

  if (kFull && queued_outputs_ && !to_terminal) {
    queued_.add(step_ + traversal_, {routers_.first_lane(router) + out_place, p});
  } else {
    // Nothing holds the flit up behind the switch but flits before it: its arrival is known.
    std::uint64_t departure = flit_leaves_;
    if constexpr (!kSingle) {
      if (!steady_links_) {
        departure = std::max(departure, self.link_free(port));
        self.link_free(port) = departure + out.period;
      }
    }
    const std::uint64_t arrival = departure + out.latency;
    ++out.sent;
    if (!to_terminal) {
      flits_.add(arrival, {next_input + vc_of(out_place), p});
    } else {
      const std::uint64_t back = arrival + out.latency + speedup() + credit_delay_;
      credits_.add(kFull && queued_outputs_ ? departure : back, routers_.first_lane(router) + out_place);
      if (is_tail) eject(p, arrival);
    }
  }
  return_credit(self, lane, input, in_vc);

  if (is_tail) {
    to.owner = kNoOwner;
    // Lanes of whole packets without room for another are free once there is.
    const bool free = !kFull || !whole_packets_ || to.room >= static_cast<int>(settings_.packet_flits);
    Bits::set_if(free, freed_.data(), out_place);
    const bool more = lane.head != kNobody;
    Bits::set_if(more, self.behind(), local);
    if constexpr (!kSingle) lane.stage = more ? LaneStage::routing : LaneStage::idle;
  }
  bool stops = is_tail;
  if constexpr (!kSingle) stops = is_tail || lane.present == 0 || to.room <= 0;
  if (stops) {
    Bits::clear(requests, local);
    OutputBits::clear_if(!Bits::any(requests, words()), self.switch_active(), port);
  }
}

/// The tail is on its way to the terminal and nothing can stop it.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::eject(std::uint32_t p, std::uint64_t arrival) {
  recorder.packet(packets_[p], packets_.journey(p), cycle_, arrival);
  if constexpr (kFull) {
    if (wants_messages_) arrived_.add(arrival, packets_.errand(p).message);
  }
  packets_.give_back(p);
}

/// Channels behind output buffers send, a flit each, their lanes in turn.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::send_from_outputs(Router self, std::uint32_t router) {
  std::uint64_t* const active = self.link_active();
  for (std::uint32_t w = 0; w < output_words(); ++w) {
    for (std::uint64_t rest = active[w]; rest != 0; rest &= rest - 1) {
      const std::uint32_t port = w * 64 + static_cast<std::uint32_t>(std::countr_zero(rest));
      if (self.link_free(port) > step_) continue;
      OutPort& out = self.out_port(port);
      const std::uint32_t vc = first_from(std::uint64_t{out.link_requests}, out.preferred_lane);
      LinkLane& lane = self.link_lane(port, vc);
      out.preferred_lane = static_cast<std::uint8_t>(vc + 1);
      self.link_free(port) = step_ + out.period;
      ++out.sent;
      --lane.queued;
      --lane.credits;
      std::uint32_t p = kNobody;
      if (lane.left == 0) {
        p = pop(lane);
        lane.left = settings_.packet_flits == 1 ? std::uint8_t{1} : packets_[p].flits;
      }
      --lane.left;
      flits_.add(step_ + out.latency, {out.input + vc, p});
      if (lane.queued == 0 || lane.credits == 0) {
        out.link_requests &= static_cast<typename Shape::LaneBits>(~(1U << vc));
        OutputBits::clear_if(out.link_requests == 0, active, port);
      }
      give_room(self.out_lane(port, vc), routers_.first_lane(router) + (port << shift()) + vc);
    }
  }
}

}  // namespace unknot::simulate
