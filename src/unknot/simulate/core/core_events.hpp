// SPDX-License-Identifier: Apache-2.0
#pragma once

// What happens in a step, and what events do. See core.hpp.
#include <algorithm>

#include "unknot/simulate/core/core.hpp"
#include "unknot/support/bring_near.hpp"

namespace unknot::simulate {

template <class Shape, Mode kMode>
bool Core<Shape, kMode>::idle() const {
  return busy_.empty() && nic_active_.empty();
}

/// First step at or after this one in which something is to happen where nothing is to be done now; kNothing
/// for none.
template <class Shape, Mode kMode>
std::uint64_t Core<Shape, kMode>::next_event() const {
  static_assert(kNothing == EventWheel<std::uint32_t>::kNever);
  std::uint64_t next = std::min({flits_.next(step_), credits_.next(step_), routed_.next(step_),
                                 granted_later_.next(step_), queued_.next(step_), arrived_.next(step_),
                                 left_.next(step_), crossed_.next(step_), emptied_.next(step_)});
  if (!created_.empty()) {
    next = std::min(next, created_.next((step_ + speedup() - 1) / speedup()) * speedup());
  }
  if (kFull && wants_messages_ && source_.next_timer() != Source::kNever) {
    next = std::min(next, std::max(source_.next_timer() * speedup(), step_));
  }
  return next;
}

template <class Shape, Mode kMode>
bool Core<Shape, kMode>::run_until(std::uint64_t cycle) {
  return advance(cycle * speedup());
}

/// Runs to this step. False where nothing is left to happen by itself.
template <class Shape, Mode kMode>
bool Core<Shape, kMode>::advance(std::uint64_t end) {
  while (step_ < end) {
    if (idle()) {
      // Nothing can act before the next event: go there at once.
      const std::uint64_t next = next_event();
      if (next == kNothing) {
        step_ = end;
        return false;
      }
      step_ = std::min(next, end);
      if (step_ == end) break;
    }
    if constexpr (steps_flat<Shape>(kMode)) {
      do_flat_step();
    } else {
      do_step<>();
    }
    ++step_;
  }
  return true;
}

template <class Shape, Mode kMode>
template <class>
void Core<Shape, kMode>::do_step() {
  cycle_ = speedup() == 1 ? step_ : step_ / speedup();
  const bool new_cycle = cycle_ * speedup() == step_;
  credit_leaves_ = grid(step_ + 1);
  flit_leaves_ = grid(step_ + traversal_);
  take_events();
  std::uint32_t before = kNobody;
  busy_.for_each([&](std::uint32_t block) {
    const std::uint32_t first = block * block_ports_;
    // The state of all routers does not fit the caches: fetch that of the next ones while these are busy.
    if (large_) fetch_block(first, std::min(first + block_ports_, ports_));
    if (before != kNobody) step_block(before, before + block_ports_);
    before = first;
  });
  if (before != kNobody) step_block(before, std::min(before + block_ports_, ports_));
  route_next();
  if (new_cycle) {
    if constexpr (kFull) {
      while (wants_messages_ && source_.next_timer() <= cycle_) source_.advance(cycle_);
    }
    created_.drain(cycle_, [this](std::uint32_t t) { nic_active_.set(t); });
    if constexpr (kMessages) {
      inject_in_turn();
    } else {
      nic_active_.for_each([this](std::uint32_t t) { inject(t); });
    }
  }
}

/// Brings near what a block's routers look up.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::fetch_block([[maybe_unused]] std::uint32_t first_port,
                                     [[maybe_unused]] std::uint32_t last_port) const {
  if constexpr (!kFull) {
    const std::uint32_t end = routers_.router_of(last_port - 1) + 1;
    for (std::uint32_t r = routers_.router_of(first_port); r < end; ++r) plan_.to_endpoint.prefetch_row(r);
  }
}

/// What arrives in this step.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::take_events() {
  const auto credit_comes = [this](std::uint32_t lane) { credit(lane); };
  const auto flit_comes = [this](const FlitEvent& event) { flit(event.lane, event.packet); };
  if (large_) {
    credits_.drain(
        step_,
        [this](std::uint32_t lane) {
          if (lane < first_injection_) bring_near_to_write(&routers_.out_lane(lane));
        },
        credit_comes);
    flits_.drain(
        step_,
        [this](const FlitEvent& event) {
          bring_near_to_write(&routers_.in_lane(event.lane));
          if (kAsOne || event.packet != kNobody) packets_.prefetch(event.packet, false);
        },
        flit_comes);
  } else {
    credits_.drain(step_, credit_comes);
    flits_.drain(step_, flit_comes);
  }
  if constexpr (!kAsOne) {
    routed_.drain(step_, [this](std::uint32_t lane) {
      route(lane);
      wake_block(lane >> shift());
    });
    granted_later_.drain(step_, [this](std::uint32_t index) {
      const std::uint32_t first = first_lane(router_of_lane(index));
      const InLane& lane = routers_.in_lane(index);
      const std::uint32_t out_lane = first + lane.out;
      if (lane.present > 0 && routers_.out_lane(out_lane).room > 0) {
        request_switch(out_lane >> shift(), index - first);
      }
    });
  }
  if constexpr (kTrains) {
    crossed_.drain(step_, [this](const Crossing& crossing) { end_crossing(crossing); });
    emptied_.drain(step_, [this](std::uint32_t out_lane) { leave_output(out_lane); });
  }
  if constexpr (kWhole) {
    if (counts_transit_) left_.drain(step_, [this](std::uint32_t port) { --in_transit_[port]; });
  }
  if constexpr (kFull && !kWhole) {
    if (queued_outputs_) {
      queued_.drain(
          step_, [this](const FlitEvent& event) { bring_near_to_write(&routers_.link_lane(event.lane)); },
          [this](const FlitEvent& event) { enter_output(event.lane, event.packet); });
    }
  }
  if constexpr (kFull) {
    arrived_.drain(step_, [this](std::uint32_t message) { source_.arrived(message, cycle_); });
  }
}

/// All that the routers of a block do in a step, stage by stage: many small loops would cost a wrongly
/// guessed jump at the end of each. Lanes are given out after the switch, of those that were free before:
/// what has left in this step makes room for the next.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::step_block(std::uint32_t first_port, std::uint32_t last_port) {
  const std::uint32_t begin = first_port << shift(), end = last_port << shift();
  const std::uint32_t delay = kSingle ? 1 : routing_delay_;
  const auto route_heads = [&] {
    heads_.for_each_in(begin, end, [this](std::uint32_t l) { route(l); });
    heads_.clear_in(begin, end);
  };
  if (!kSingle && delay == 0) route_heads();
  if constexpr (kFull) {
    if (queued_outputs_ && (kWhole || !links_on_grid_ || cycle_ * speedup() == step_)) {
      link_active_.for_each_in(first_port, last_port, [this](std::uint32_t port) { send_from_output(port); });
    }
  }
  allocate_switch(first_port, last_port);
  if constexpr (!kWhole) {
    if (kFull && lane_allocator_ != nullptr) [[unlikely]] {
      give_lanes_by_name(first_port, last_port);
    } else {
      lane_active_.for_each_in(first_port, last_port, [this](std::uint32_t port) {
        if constexpr (kFull) {
          allocate_given_lanes(port);
        } else {
          allocate_groups(port);
        }
      });
    }
    free_lanes();
  }
  if (kAsOne || delay == 1) {
    route_heads();
  } else if (delay > 1) {
    heads_.for_each_in(begin, end, [&](std::uint32_t l) { routed_.add(step_ + delay, l); });
    heads_.clear_in(begin, end);
  }
  if constexpr (kFull) {
    if (adapts_) look_again(first_port, last_port);
  }
  const bool more = switch_active_.any_in(first_port, last_port) ||
                    (!kWhole && lane_active_.any_in(first_port, last_port)) ||
                    (kFull && queued_outputs_ && link_active_.any_in(first_port, last_port));
  busy_.clear_if(!more, block_of(first_port));
}

/// Packets that have come to the front of their lanes in this step are routed from the next one on.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::route_next() {
  for (const std::uint32_t lane : behind_) {
    if (!kSingle && routing_delay_ > 1) {
      routed_.add(step_ + routing_delay_ + 1, lane);
    } else {
      heads_.set(lane);
      wake_block(lane >> shift());
    }
  }
  behind_.clear();
}

template <class Shape, Mode kMode>
void Core<Shape, kMode>::credit(std::uint32_t out_lane) {
  if (out_lane >= first_injection_) {
    injection_credit(out_lane - first_injection_);
    return;
  }
  if constexpr (kFull) {
    if (queued_outputs_ && routers_.out_link(out_lane >> shift()).input != kNobody) {
      LinkLane& lane = routers_.link_lane(out_lane);
      ++lane.credits;
      if (holds_any(lane)) ask_link(out_lane);
      return;
    }
  }
  give_room(out_lane);
}

/// A lane's output buffer asks for its channel.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::ask_link(std::uint32_t out_lane) {
  const std::uint32_t port = out_lane >> shift();
  routers_.out_port(port).link_requests |= static_cast<LaneBits>(1U << vc_of(out_lane));
  link_active_.set(port);
  wake_block(port);
}

/// The buffer behind an out lane has room for a flit more.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::give_room(std::uint32_t out_lane) {
  if constexpr (kWhole) {
    give_room_to_packets(out_lane);
  } else {
    OutLane& lane = routers_.out_lane(out_lane);
    const std::int32_t room = ++lane.room;
    const std::uint32_t owner = lane.owner;
    if constexpr (kFull) {
      // Whole packets may have waited for room before they ask for the lane.
      if (owner == kNoOwner) {
        if (adapts_) room_at(out_lane >> shift());
        if (Bits::any(routers_.wants_lane(out_lane), words())) {
          lane_active_.set(out_lane >> shift());
          wake_block(out_lane >> shift());
        }
        return;
      }
    }
    if (room != 1 || owner == kNoOwner) return;
    if constexpr (!kSingle) {
      if (routers_.in_lane(first_lane(router_of_lane(out_lane)) + owner).present == 0) return;
    }
    request_switch(out_lane >> shift(), owner);
  }
}

/// A flit has come to the lane's buffer; `packet` where it is its head.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::flit(std::uint32_t index, std::uint32_t packet) {
  InLane& lane = routers_.in_lane(index);
  see_buffered(index, packet);
  if constexpr (kAsOne) {
    const bool first = lane.head == kNobody;
    lane.push(packets_, packet);
    heads_.set_if(first, index);
    busy_.set_if(first, block_of(index >> shift()));
  } else {
    ++lane.present;
    if (packet != kNobody) {
      lane.push(packets_, packet);
      if (lane.stage == LaneStage::idle) {
        lane.stage = LaneStage::routing;
        heads_.set(index);
        wake_block(index >> shift());
      }
    } else {
      const std::uint32_t first = first_lane(router_of_lane(index));
      const std::uint32_t out_lane = first + lane.out;
      const bool first_here = (lane.present == 1) & (lane.stage >= LaneStage::active);
      request_switch_if(first_here & (routers_.out_lane(out_lane).room > 0), out_lane >> shift(),
                        index - first);
    }
  }
}

template <class Shape, Mode kMode>
void Core<Shape, kMode>::enter_output(std::uint32_t out_lane, std::uint32_t packet) {
  if constexpr (!kWhole) {
    if constexpr (kFull) {
      LinkLane& lane = routers_.link_lane(out_lane);
      ++lane.queued;
      if (packet != kNobody) lane.push(packets_, packet);
      if (lane.credits > 0) ask_link(out_lane);
    }
  }
}

/// The input lane at this place can send a flit to the output.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::request_switch(std::uint32_t port, std::uint32_t place) {
  request_switch_if(true, port, place);
}

/// The same where `wanted` holds; without a jump, which would often be guessed wrong.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::request_switch_if(bool wanted, std::uint32_t port, std::uint32_t place) {
  Bits::set_if(wanted, routers_.wants_switch(port), place);
  switch_active_.set_if(wanted, port);
  busy_.set_if(wanted, block_of(port));
}

/// The head of this input lane wants one of these lanes of an output.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::ask_for_lanes(std::uint32_t index, Choice choice) {
  if constexpr (kFull && !kWhole) {
    InLane& lane = routers_.in_lane(index);
    const std::uint32_t first = routers_.first_port(router_of_lane(index));
    const std::uint32_t port = first + choice.place, own = index - (first << shift());
    for (std::uint32_t rest = choice.allowed; rest != 0; rest &= rest - 1) {
      Bits::set(routers_.wants_lane((port << shift()) | static_cast<std::uint32_t>(std::countr_zero(rest))),
                own);
    }
    lane.allowed = static_cast<LaneBits>(choice.allowed);
    lane.out = static_cast<Place>(choice.place << shift());
    lane_active_.set_if((routers_.out_port(port).free & choice.allowed) != 0, port);
  }
}

/// The head of this input lane asks for a lane of an output, of those of its level.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::ask_for_group(std::uint32_t index, std::uint32_t place) {
  if constexpr (!kFull) {
    InLane& lane = routers_.in_lane(index);
    const std::uint32_t router = router_of_lane(index), first = routers_.first_port(router);
    const std::uint32_t port = first + place, own = index - (first << shift());
    const OutPort& out = routers_.out_port(port);
    std::uint32_t row = port << routers_.row_shift(), lanes = all_lanes_;
    if constexpr (!kSingle) {
      if (by_level_) {
        const std::uint32_t vl = level_lane(router, own >> shift(), place, packets_[lane.head].state);
        if (out.input != kNobody) {
          if (vl >= plan_.lanes_needed) no_lane(router, vl);
          row += vl;
          lanes = lane_groups_[vl];
        }
      }
    }
    Bits::set(routers_.wants_lane(row), own);
    lane_active_.set_if((out.free & lanes) != 0, port);
    lane.out = static_cast<Place>(place << shift());
  }
}

/// The head of this input lane asks for a lane of its next output.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::route(std::uint32_t index) {
  InLane& lane = routers_.in_lane(index);
  const std::uint32_t router = router_of_lane(index);
  const std::uint32_t first = routers_.first_port(router);
  const std::uint32_t own = index - (first << shift());
  const std::uint32_t p = lane.head;
  Packet& packet = packets_[p];
  std::uint32_t place = 0;
  if constexpr (kWhole) {
    const Choice choice = choose(router, own, p);
    place = choice.place;
    see(WatchEvent::Kind::routed, p, 0, step_, first + place, choice.allowed);
    begin_asking(index, first + place, choice.again);
    lane.out = request_crossing(first + place, own, choice);
  } else if constexpr (!kFull) {
    const RoutePlan::Goal& goal = plan_.goals[packet.target];
    place = plan_.next_output(router, goal);
    if (place == RoutePlan::kNoRoute) no_route(router, packet.target);
    ask_for_group(index, place);
  } else {
    const Choice choice = choose(router, own, p);
    place = choice.place;
    see(WatchEvent::Kind::routed, p, 0, step_, first + place, choice.allowed);
    if (Shape::kAged && by_age_) front_created_[index] = seniority(p);
    begin_asking(index, first + place, choice.again);
    ask_for_lanes(index, choice);
    if (Shape::kAged && throttle_ && congested(router, place)) throttle_->mark(p);
    if (plan_.bubble) {
      std::uint64_t* const entering = entering_.data() + std::size_t{first + place} * words();
      const std::uint32_t ring = plan_.ring_of_output[plan_.ports.first_output[router] + place];
      const bool enters = ring != RoutePlan::kNoRing &&
                          plan_.ring_of_input[plan_.ports.first_input[router] + (own >> shift())] != ring;
      Bits::clear(entering, own);
      Bits::set_if(enters, entering, own);
    }
  }
  ++packet.hops;
  if constexpr (!kAsOne) {
    lane.left = packet.flits;
    lane.stage = LaneStage::waiting;
  }
}

}  // namespace unknot::simulate
