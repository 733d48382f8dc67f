// SPDX-License-Identifier: Apache-2.0
#pragma once

// What happens in a step, and what events do. See core.hpp.
#include <algorithm>

#include "unknot/simulate/core.hpp"

namespace unknot::simulate {

template <class Shape, Mode kMode>
bool Core<Shape, kMode>::idle() const {
  return busy_.empty() && nic_active_.empty();
}

template <class Shape, Mode kMode>
bool Core<Shape, kMode>::run_until(std::uint64_t cycle) {
  const std::uint64_t end = cycle * speedup();
  while (step_ < end) {
    if (idle()) {
      // Nothing can act before the next event: go there at once.
      std::uint64_t next = std::min({flits_.next(step_), credits_.next(step_), routed_.next(step_),
                                     granted_later_.next(step_), queued_.next(step_), arrived_.next(step_)});
      if (!created_.empty()) {
        next = std::min(next, created_.next((step_ + speedup() - 1) / speedup()) * speedup());
      }
      if (kFull && wants_messages_ && source_.next_timer() != Source::kNever) {
        next = std::min(next, std::max(source_.next_timer() * speedup(), step_));
      }
      if (next == EventWheel<std::uint32_t>::kNever) {
        step_ = end;
        return false;
      }
      step_ = std::min(next, end);
      if (step_ == end) break;
    }
    do_step();
    ++step_;
  }
  return true;
}

template <class Shape, Mode kMode>
void Core<Shape, kMode>::do_step() {
  cycle_ = speedup() == 1 ? step_ : step_ / speedup();
  const bool new_cycle = cycle_ * speedup() == step_;
  credit_leaves_ = grid(step_ + 1);
  flit_leaves_ = grid(step_ + traversal_);
  const auto credit_comes = [this](std::uint32_t lane) { credit(lane); };
  const auto flit_comes = [this](const FlitEvent& event) { flit(event.lane, event.packet); };
  if (large_) {
    credits_.drain(
        step_,
        [this](std::uint32_t lane) {
          if (lane < first_injection_) __builtin_prefetch(&routers_.out_lane(lane), 1);
        },
        credit_comes);
    flits_.drain(
        step_,
        [this](const FlitEvent& event) {
          __builtin_prefetch(&routers_.in_lane(event.lane), 1);
          if (kSingle || event.packet != kNobody) packets_.prefetch(event.packet, false);
        },
        flit_comes);
  } else {
    credits_.drain(step_, credit_comes);
    flits_.drain(step_, flit_comes);
  }
  if constexpr (!kSingle) {
    routed_.drain(step_, [this](std::uint32_t lane) {
      const std::uint32_t router = routers_.router_of(lane);
      route(routers_[router], router, routers_.place_of(lane, router));
      busy_.set(router);
    });
    granted_later_.drain(step_, [this](std::uint32_t l) {
      const std::uint32_t router = routers_.router_of(l);
      Router self = routers_[router];
      const InLane& lane = routers_.in_lane(l);
      if (lane.present > 0 && self.out_lane(lane.out >> shift(), vc_of(lane.out)).room > 0) {
        request_switch(self, router, lane.out >> shift(), routers_.place_of(l, router));
      }
    });
  }
  if constexpr (kFull) {
    if (queued_outputs_) {
      queued_.drain(
          step_, [this](const FlitEvent& event) { __builtin_prefetch(&routers_.link_lane(event.lane), 1); },
          [this](const FlitEvent& event) { enter_output(event.lane, event.packet); });
    }
    arrived_.drain(step_, [this](std::uint32_t message) { source_.arrived(message, cycle_); });
  }
  if (large_) {
    // The state of all routers does not fit the caches: fetch that of the next ones while this one is busy.
    std::uint32_t next = kNobody, after = kNobody;
    busy_.for_each([&](std::uint32_t router) {
      routers_.prefetch(router);
      if constexpr (!kFull) plan_.prefetch_row(router);
      if (next != kNobody) step_router(next);
      next = after;
      after = router;
    });
    if (next != kNobody) step_router(next);
    if (after != kNobody) step_router(after);
  } else {
    busy_.for_each([this](std::uint32_t router) { step_router(router); });
  }
  if (new_cycle) {
    if constexpr (kFull) {
      while (wants_messages_ && source_.next_timer() <= cycle_) source_.advance(cycle_);
    }
    created_.drain(cycle_, [this](std::uint32_t t) { nic_active_.set(t); });
    nic_active_.for_each([this](std::uint32_t t) { inject(t); });
  }
}

/// All that a router does in a step. Lanes are given out after the switch, of those that were free before:
/// what has left in this step makes room for the next.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::step_router(std::uint32_t router) {
  Router self = routers_[router];
  const std::uint32_t delay = kSingle ? 1 : settings_.routing_delay;
  if (!kSingle && delay == 0) route_heads(self, router);
  if constexpr (kFull) {
    if (queued_outputs_ && OutputBits::any(self.link_active(), output_words()) &&
        (!links_on_grid_ || cycle_ * speedup() == step_)) {
      send_from_outputs(self, router);
    }
  }
  allocate_switch(self, router);
  allocate_lanes(self, router);
  for (std::uint32_t w = 0; w < words(); ++w) {
    self.free()[w] |= freed_[w];
    freed_[w] = 0;
  }
  if (delay == 1) route_heads(self, router);
  if (!kSingle && delay > 1) route_later(self, router);
  std::uint64_t more = 0;
  for (std::uint32_t w = 0; w < words(); ++w) {
    self.heads()[w] = self.behind()[w];
    self.behind()[w] = 0;
    more |= self.heads()[w] | lanes_to_give(self, w);
  }
  for (std::uint32_t w = 0; w < output_words(); ++w) {
    more |= self.switch_active()[w];
    if constexpr (kFull) more |= self.link_active()[w];
  }
  busy_.clear_if(more == 0, router);
}

/// Routes the heads that have come.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::route_heads(Router self, std::uint32_t router) {
  for (std::uint32_t w = 0; w < words(); ++w) {
    for (std::uint64_t rest = self.heads()[w]; rest != 0; rest &= rest - 1) {
      route(self, router, w * 64 + static_cast<std::uint32_t>(std::countr_zero(rest)));
    }
    self.heads()[w] = 0;
  }
}

/// The same where it takes more than a step.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::route_later(Router self, std::uint32_t router) {
  const std::uint64_t step = step_ + settings_.routing_delay;
  for (std::uint32_t w = 0; w < words(); ++w) {
    const auto later = [&](std::uint64_t* heads, std::uint64_t at) {
      for (std::uint64_t rest = heads[w]; rest != 0; rest &= rest - 1) {
        routed_.add(
            at, routers_.first_lane(router) + w * 64 + static_cast<std::uint32_t>(std::countr_zero(rest)));
      }
      heads[w] = 0;
    };
    later(self.heads(), step);
    later(self.behind(), step + 1);
  }
}

template <class Shape, Mode kMode>
void Core<Shape, kMode>::credit(std::uint32_t out_lane) {
  if (out_lane >= first_injection_) {
    injection_credit(out_lane - first_injection_);
    return;
  }
  if constexpr (kFull) {
    if (queued_outputs_) {
      const std::uint32_t router = routers_.router_of(out_lane);
      Router self = routers_[router];
      const std::uint32_t port = routers_.place_of(out_lane, router) >> shift();
      OutPort& out = self.out_port(port);
      if (out.input != kNobody) {
        LinkLane& lane = self.link_lane(port, vc_of(out_lane));
        ++lane.credits;
        if (lane.queued > 0) ask_link(self, router, port, vc_of(out_lane));
        return;
      }
    }
  }
  give_room(routers_.out_lane(out_lane), out_lane);
}

/// A lane's output buffer asks for its channel.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::ask_link(Router self, std::uint32_t router, std::uint32_t port, std::uint32_t vc) {
  self.out_port(port).link_requests |= static_cast<typename Shape::LaneBits>(1U << vc);
  OutputBits::set(self.link_active(), port);
  busy_.set(router);
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

/// The buffer behind an out lane has room for a flit more.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::give_room(OutLane& lane, std::uint32_t index) {
  const std::uint32_t owner = lane.owner;
  const std::int32_t room = ++lane.room;
  if constexpr (kFull) {
    // Whole packets may have waited for room before they ask for the lane.
    if (owner == kNoOwner && whole_packets_ && room >= static_cast<int>(settings_.packet_flits)) {
      const std::uint32_t router = routers_.router_of(index);
      const std::uint32_t place = routers_.place_of(index, router);
      Router self = routers_[router];
      Bits::set(self.free(), place);
      busy_.set_if(Bits::test(self.waiting(), place), router);
    }
  }
  if (room != 1 || owner == kNoOwner) return;
  const std::uint32_t router = routers_.router_of(index);
  Router self = routers_[router];
  if constexpr (!kSingle) {
    if (self.in_lane(owner).present == 0) return;
  }
  request_switch(self, router, routers_.place_of(index, router) >> shift(), owner);
}

/// A flit has come to the lane's buffer; `packet` where it is its head.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::flit(std::uint32_t index, std::uint32_t packet) {
  InLane& lane = routers_.in_lane(index);
  if constexpr (kSingle) {
    const bool first = lane.head == kNobody;
    push(lane, packet);
    const std::uint32_t router = routers_.router_of(index);
    Bits::set_if(first, routers_[router].heads(), routers_.place_of(index, router));
    busy_.set_if(first, router);
  } else {
    ++lane.present;
    if (packet != kNobody) {
      push(lane, packet);
      if (lane.stage == LaneStage::idle) {
        lane.stage = LaneStage::routing;
        const std::uint32_t router = routers_.router_of(index);
        Bits::set(routers_[router].heads(), routers_.place_of(index, router));
        busy_.set(router);
      }
    } else if (lane.present == 1 && lane.stage >= LaneStage::active) {
      const std::uint32_t router = routers_.router_of(index);
      Router self = routers_[router];
      const std::uint32_t port = lane.out >> shift();
      if (self.out_lane(port, vc_of(lane.out)).room > 0) {
        request_switch(self, router, port, routers_.place_of(index, router));
      }
    }
  }
}

template <class Shape, Mode kMode>
void Core<Shape, kMode>::enter_output(std::uint32_t out_lane, std::uint32_t packet) {
  LinkLane& lane = routers_.link_lane(out_lane);
  ++lane.queued;
  if (packet != kNobody) push(lane, packet);
  if (lane.credits == 0) return;
  const std::uint32_t router = routers_.router_of(out_lane);
  ask_link(routers_[router], router, routers_.place_of(out_lane, router) >> shift(), vc_of(out_lane));
}

template <class Shape, Mode kMode>
void Core<Shape, kMode>::request_switch(Router self, std::uint32_t router, std::uint32_t port,
                                        std::uint32_t lane) {
  Bits::set(self.wants_switch(port), lane);
  OutputBits::set(self.switch_active(), port);
  busy_.set(router);
}

template <class Shape, Mode kMode>
void Core<Shape, kMode>::route(Router self, std::uint32_t router, std::uint32_t own) {
  InLane& lane = self.in_lane(own);
  const std::uint32_t p = lane.head;
  Packet& packet = packets_[p];
  std::uint32_t port = 0;
  if constexpr (!kFull) {
    const RoutePlan::Goal& goal = plan_.goals[packet.target];
    port = goal.home == router ? goal.eject : plan_.output_at(router, goal.column);
    if (port == RoutePlan::kNoRoute) no_route(router, packet.target);
    Bits::set(self.wants_lane(port), own);
    Bits::set(self.waiting(), port << shift());
  } else {
    const Choice choice = choose(self, router, own, p);
    port = choice.place;
    for (std::uint32_t rest = choice.allowed; rest != 0; rest &= rest - 1) {
      const std::uint32_t place = (port << shift()) | static_cast<std::uint32_t>(std::countr_zero(rest));
      Bits::set(self.wants_lane(place), own);
      Bits::set(self.waiting(), place);
      if (!plan_.bubble) continue;
      // A lane that only those who enter its ring asked for may be given to this one.
      const OutLane& out = self.out_lane(port, vc_of(place));
      Bits::set_if(out.owner == kNoOwner && out.room >= static_cast<int>(settings_.packet_flits), self.free(),
                   place);
    }
    if (plan_.bubble) {
      std::uint64_t* const entering = entering_.data() + entering_row(router, port);
      const std::uint32_t ring = plan_.ring_of_output[plan_.ports.first_output[router] + port];
      const bool enters = ring != RoutePlan::kNoRing &&
                          plan_.ring_of_input[plan_.ports.first_input[router] + (own >> shift())] != ring;
      Bits::clear(entering, own);
      Bits::set_if(enters, entering, own);
    }
  }
  ++packet.hops;
  lane.out = static_cast<Place>(port << shift());
  if constexpr (!kSingle) {
    lane.left = packet.flits;
    lane.stage = LaneStage::waiting;
  }
}

/// Puts a packet, whose `next` is nobody, at the end of a queue. The tail of an empty queue is the packet
/// that does not exist.
template <class Shape, Mode kMode>
template <class Queue>
void Core<Shape, kMode>::push(Queue& queue, std::uint32_t packet) {
  const std::uint32_t head = queue.head;
  packets_[queue.tail].next = packet;
  queue.tail = packet;
  queue.head = head == kNobody ? packet : head;
}

/// Takes the first packet off a queue that has one.
template <class Shape, Mode kMode>
template <class Queue>
std::uint32_t Core<Shape, kMode>::pop(Queue& queue) {
  const std::uint32_t p = queue.head;
  const std::uint32_t next = packets_[p].next;
  packets_[p].next = kNobody;
  queue.head = next;
  queue.tail = next == kNobody ? 0 : queue.tail;
  return p;
}

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
void Core<Shape, kMode>::inject(std::uint32_t terminal) {
  Nic& nic = nics_[terminal];
  const bool begins = nic.left == 0;
  // A packet goes on the first lane with room after the one taken last, around; its body on the same one.
  if ((begins ? nic.open : nic.open >> nic.lane & 1U) == 0) {
    nic.blocked = true;
    nic_active_.clear(terminal);
    return;
  }
  std::uint32_t head = kNobody;
  if (begins) {
    nic.lane = static_cast<std::uint8_t>(first_from(std::uint64_t{nic.open}, nic.lane + 1U));
    nic.left = static_cast<std::uint8_t>(nic.next.flits);
    recorder.injected(nic.next.created);
    head = packets_.take();
    Packet& packet = packets_[head];
    packet = {kNobody, nic.next.destination, 0, 0, nic.left};
    packets_.journey(head) = {static_cast<std::uint32_t>(nic.next.created),
                              static_cast<std::uint32_t>(cycle_), terminal};
    if constexpr (kFull) {
      packets_.errand(head) = {nic.next.destination, nic.next.message};
      if (plan_.lanes == RoutePlan::Lanes::level) {
        packet.state =
            plan_.routing.service_levels.get(TerminalId(terminal), TerminalId(nic.next.destination));
      }
    }
  }
  std::int16_t& room = injection_room_[(terminal << shift()) + nic.lane];
  if (--room == 0) nic.open &= ~(1U << nic.lane);
  flits_.add(step_ + nic.latency, {nic.input_lane + nic.lane, head});
  if (--nic.left == 0) {
    if constexpr (kFull) {
      if (wants_messages_) source_.sent(nic.next.message, cycle_);
    }
    request_packet(terminal, cycle_);
  }
}

}  // namespace unknot::simulate
