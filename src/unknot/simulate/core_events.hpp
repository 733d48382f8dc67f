// SPDX-License-Identifier: Apache-2.0
#pragma once

// What happens in a step, and what events do. See core.hpp.
#include <algorithm>

#include "unknot/simulate/core.hpp"

namespace unknot::simulate {

template <std::uint32_t kWords, Mode kMode>
bool Core<kWords, kMode>::idle() const {
  return busy_.empty() && nic_active_.empty();
}

template <std::uint32_t kWords, Mode kMode>
bool Core<kWords, kMode>::run_until(std::uint64_t cycle) {
  const std::uint64_t end = cycle * speedup_;
  while (step_ < end) {
    if (idle()) {
      // Nothing can act before the next event: go there at once.
      std::uint64_t next = std::min({flits_.next(step_), credits_.next(step_), routed_.next(step_),
                                     granted_later_.next(step_), queued_.next(step_), arrived_.next(step_)});
      if (!created_.empty()) {
        next = std::min(next, created_.next((step_ + speedup_ - 1) / speedup_) * speedup_);
      }
      if (kFull && wants_messages_ && source_.next_timer() != Source::kNever) {
        next = std::min(next, std::max(source_.next_timer() * speedup_, step_));
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

template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::do_step() {
  cycle_ = speedup_ == 1 ? step_ : step_ / speedup_;
  const bool new_cycle = cycle_ * speedup_ == step_;
  credit_leaves_ = grid(step_ + 1);
  flit_leaves_ = grid(step_ + traversal_);
  credits_.drain(
      step_, [this](std::uint32_t lane) { __builtin_prefetch(out_lanes_.data() + lane, 1); },
      [this](std::uint32_t lane) { credit(lane); });
  flits_.drain(
      step_,
      [this](const FlitEvent& event) {
        __builtin_prefetch(in_lanes_.data() + event.lane, 1);
        if (event.packet != kNobody) packets_.prefetch(event.packet);
      },
      [this](const FlitEvent& event) { flit(event.lane, event.packet); });
  if constexpr (!kSingle) {
    routed_.drain(step_, [this](std::uint32_t lane) { route(lane); });
    granted_later_.drain(step_, [this](std::uint32_t l) {
      const InLane& lane = in_lanes_[l];
      if (lane.present > 0 && out_lanes_[first_lane(router_of(l)) + lane.out].room > 0) {
        request_switch(router_of(l), lane.out >> shift_, place_of(l));
      }
    });
  }
  if constexpr (kFull) {
    if (queued_outputs_) {
      queued_.drain(
          step_, [this](const FlitEvent& event) { __builtin_prefetch(link_lanes_.data() + event.lane, 1); },
          [this](const FlitEvent& event) { enter_output(event.lane, event.packet); });
    }
    arrived_.drain(step_, [this](std::uint32_t message) { source_.arrived(message, cycle_); });
  }
  if (large_) {
    // The state of all routers does not fit the caches: fetch that of the next one while this one is busy.
    std::uint32_t before = kNobody;
    busy_.for_each([&](std::uint32_t router) {
      prefetch_router(router);
      if (before != kNobody) step_router(before);
      before = router;
    });
    if (before != kNobody) step_router(before);
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

template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::prefetch_router(std::uint32_t router) const {
  constexpr std::size_t kLine = 64;
  const auto fetch = [](const auto& list, std::size_t from, std::size_t to) {
    const char* const last = reinterpret_cast<const char*>(list.data() + to);
    for (const char* at = reinterpret_cast<const char*>(list.data() + from); at < last; at += kLine) {
      __builtin_prefetch(at, 1);
    }
  };
  const std::size_t port = first_port(router);
  const std::size_t ports = router_ports_;
  fetch(in_lanes_, port << shift_, (port + ports) << shift_);
  fetch(out_lanes_, port << shift_, (port + ports) << shift_);
  fetch(in_ports_, port, port + ports);
  fetch(out_ports_, port, port + ports);
  fetch(free_lanes_, port, port + ports);
  fetch(switch_requests_, port * words(), (port + ports) * words());
  const std::size_t rows = kFull ? 1U << shift_ : 1U;
  fetch(lane_requests_, port * rows * words(), (port + ports) * rows * words());
  if constexpr (kFull) {
    fetch(used_, port, port + ports);
    if (queued_outputs_) fetch(link_lanes_, port << shift_, (port + ports) << shift_);
    if (!steady_links_) fetch(link_free_, port, port + ports);
  }
}

/// All that a router does in a step. Lanes are given out after the switch, of those that were free before:
/// what has left in this step makes room for the next.
template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::step_router(std::uint32_t router) {
  std::uint64_t* const heads = heads_.data() + std::size_t{router} * words();
  std::uint64_t* const behind = behind_.data() + std::size_t{router} * words();
  const auto route_heads = [&] {
    for (std::uint32_t w = 0; w < words(); ++w) {
      for (std::uint64_t rest = heads[w]; rest != 0; rest &= rest - 1) {
        route(first_lane(router) + w * 64 + static_cast<std::uint32_t>(std::countr_zero(rest)));
      }
      heads[w] = 0;
    }
  };
  const std::uint32_t delay = kSingle ? 1 : settings_.routing_delay;
  if (!kSingle && delay == 0) route_heads();
  if constexpr (kFull) {
    if (queued_outputs_ && OutputBits::any(outputs_in(link_active_, router), output_words()) &&
        (!links_on_grid_ || cycle_ * speedup_ == step_)) {
      send_from_outputs(router);
    }
  }
  allocate_switch(router);
  allocate_lanes(router);
  free_lanes(router);
  if (delay == 1) route_heads();
  std::uint64_t more = 0;
  for (std::uint32_t w = 0; w < words(); ++w) {
    if (!kSingle && delay > 1) {
      const auto later = [&](std::uint64_t rest, std::uint64_t step) {
        for (; rest != 0; rest &= rest - 1) {
          routed_.add(step, first_lane(router) + w * 64 + static_cast<std::uint32_t>(std::countr_zero(rest)));
        }
      };
      later(heads[w], step_ + delay);
      later(behind[w], step_ + delay + 1);
      heads[w] = behind[w] = 0;
    } else {
      heads[w] = behind[w];
      behind[w] = 0;
      more |= heads[w];
    }
  }
  for (std::uint32_t w = 0; w < output_words(); ++w) {
    const std::size_t at = std::size_t{router} * output_words() + w;
    more |= switch_active_[at] | lane_active_[at];
    if constexpr (kFull) more |= queued_outputs_ ? link_active_[at] : 0;
  }
  busy_.clear_if(more == 0, router);
}

template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::credit(std::uint32_t out_lane) {
  if (out_lane >= first_injection_) {
    if (++out_lanes_[out_lane].room == 1) {
      const std::uint32_t t = (out_lane - first_injection_) >> shift_;
      if (nics_[t].blocked) {
        nics_[t].blocked = false;
        nic_active_.set(t);
      }
    }
    return;
  }
  if constexpr (kFull) {
    const std::uint32_t output = out_lane >> shift_;
    if (queued_outputs_ && out_ports_[output].input != kNobody) {
      LinkLane& lane = link_lanes_[out_lane];
      ++lane.credits;
      if (lane.queued > 0) {
        const std::uint32_t router = router_of(out_lane);
        link_requests_[output] |= 1U << vc_of(out_lane);
        set_bit(outputs_in(link_active_, router), place_of(out_lane) >> shift_);
        busy_.set(router);
      }
      return;
    }
  }
  give_room(out_lane);
}

template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::give_room(std::uint32_t out_lane) {
  OutLane& lane = out_lanes_[out_lane];
  const std::uint32_t router = router_of(out_lane);
  ++lane.room;
  if constexpr (kFull) {
    --used_[out_lane >> shift_];
    // Whole packets may have waited for room before they ask for the lane.
    if (lane.owner == kNoOwner) {
      if (Bits::any(wants_lane(out_lane), words())) {
        set_bit(outputs_in(lane_active_, router), place_of(out_lane) >> shift_);
        busy_.set(router);
      }
      return;
    }
  }
  if (lane.room != 1 || lane.owner == kNoOwner) return;
  if (kSingle || in_lanes_[first_lane(router) + lane.owner].present > 0) {
    request_switch(router, place_of(out_lane) >> shift_, lane.owner);
  }
}

template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::new_head(std::uint32_t lane) {
  const std::uint32_t router = router_of(lane);
  set_bit(heads_.data() + std::size_t{router} * words(), place_of(lane));
  busy_.set(router);
}

/// A flit has come to the lane's buffer; `packet` where it is its head.
template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::flit(std::uint32_t index, std::uint32_t packet) {
  InLane& lane = in_lanes_[index];
  if constexpr (kSingle) {
    // The tail of an empty queue is the packet that does not exist.
    const bool first = lane.head == kNobody;
    packets_[lane.tail].next = packet;
    lane.tail = packet;
    lane.head = first ? packet : lane.head;
    const std::uint32_t router = router_of(index);
    set_bit_if(first, heads_.data() + std::size_t{router} * words(), place_of(index));
    busy_.set_if(first, router);
    return;
  }
  ++lane.present;
  if (packet != kNobody) {
    push(lane, packet);
    if (lane.state == kIdle) {
      lane.state = kRouting;
      new_head(index);
    }
  } else if (lane.present == 1 && lane.state >= kActive) {
    const std::uint32_t router = router_of(index);
    if (out_lanes_[first_lane(router) + lane.out].room > 0) {
      request_switch(router, lane.out >> shift_, place_of(index));
    }
  }
}

template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::enter_output(std::uint32_t out_lane, std::uint32_t packet) {
  LinkLane& lane = link_lanes_[out_lane];
  ++lane.queued;
  if (packet != kNobody) push(lane, packet);
  if (lane.credits > 0) {
    const std::uint32_t router = router_of(out_lane);
    link_requests_[out_lane >> shift_] |= 1U << vc_of(out_lane);
    set_bit(outputs_in(link_active_, router), place_of(out_lane) >> shift_);
    busy_.set(router);
  }
}

template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::request_switch(std::uint32_t router, std::uint32_t output_place,
                                         std::uint32_t lane_place) {
  set_bit(wants_switch(first_port(router) + output_place), lane_place);
  set_bit(outputs_in(switch_active_, router), output_place);
  busy_.set(router);
}

template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::route(std::uint32_t index) {
  InLane& lane = in_lanes_[index];
  const std::uint32_t router = router_of(index);
  const std::uint32_t own = place_of(index);
  Packet& packet = packets_[lane.head];
  std::uint32_t place = 0;
  bool free = false;
  if constexpr (!kFull) {
    const RoutePlan::Goal& goal = plan_.goals[packet.target];
    place = goal.home == router ? goal.eject : plan_.output_at(router, goal.column);
    if (place == RoutePlan::kNoRoute) no_route(router, packet.target);
    const std::uint32_t output = first_port(router) + place;
    set_bit(wants_lane(output), own);
    free = free_lanes_[output] != 0;
  } else {
    const Choice choice = choose(index, packet);
    place = choice.place;
    const std::uint32_t output = first_port(router) + place;
    for (std::uint32_t rest = choice.allowed; rest != 0; rest &= rest - 1) {
      set_bit(wants_lane((output << shift_) | static_cast<std::uint32_t>(std::countr_zero(rest))), own);
    }
    if (plan_.bubble) {
      std::uint64_t* const entering = entering_.data() + std::size_t{output} * words();
      const std::uint32_t ring = plan_.ring_of_output[plan_.ports.first_output[router] + place];
      const bool enters = ring != RoutePlan::kNoRing &&
                          plan_.ring_of_input[plan_.ports.first_input[router] + (own >> shift_)] != ring;
      clear_bit(entering, own);
      set_bit_if(enters, entering, own);
    }
    free = (free_lanes_[output] & choice.allowed) != 0;
  }
  ++packet.hops;
  lane.out = static_cast<std::uint16_t>(place << shift_);
  set_bit_if(free, outputs_in(lane_active_, router), place);
  if constexpr (!kSingle) {
    lane.left = packet.flits;
    lane.state = kWaiting;
    busy_.set(router);
  }
}

template <std::uint32_t kWords, Mode kMode>
template <class Queue>
void Core<kWords, kMode>::push(Queue& queue, std::uint32_t packet) {
  if (queue.head == kNobody) {
    queue.head = packet;
  } else {
    packets_[queue.tail].next = packet;
  }
  queue.tail = packet;
}

template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::request_packet(std::uint32_t terminal, std::uint64_t cycle) {
  Nic& nic = nics_[terminal];
  nic.waiting = source_.next(terminal, cycle, nic.next);
  if (nic.waiting && nic.next.created <= cycle) {
    nic_active_.set(terminal);
  } else {
    nic_active_.clear(terminal);
    if (nic.waiting) created_.add(terminal, nic.next.created);
  }
}

template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::inject(std::uint32_t terminal) {
  Nic& nic = nics_[terminal];
  std::uint32_t head = kNobody;
  if (nic.left == 0) {
    // The first lane with room after the one taken last, around.
    std::uint32_t vc = nic.lane;
    std::uint32_t tries = 0;
    do {
      vc = vc + 1 < settings_.vcs ? vc + 1 : 0;
    } while (out_lanes_[injection_lane(terminal) + vc].room <= 0 && ++tries < settings_.vcs);
    if (tries == settings_.vcs) {
      nic.blocked = true;
      nic_active_.clear(terminal);
      return;
    }
    nic.lane = static_cast<std::uint8_t>(vc);
    nic.left = static_cast<std::uint8_t>(nic.next.flits);
    recorder.injected(nic.next.created);
    head = packets_.take();
    Packet& packet = packets_[head];
    packet.next = kNobody;
    packet.target = packet.destination = nic.next.destination;
    packet.created = static_cast<std::uint32_t>(nic.next.created);
    packet.injected = static_cast<std::uint32_t>(cycle_);
    packet.source = terminal;
    packet.message = nic.next.message;
    packet.flits = nic.left;
    packet.state = 0;
    packet.hops = 0;
    if constexpr (kFull) {
      if (plan_.lanes == RoutePlan::Lanes::level) {
        packet.state =
            plan_.routing.service_levels.get(TerminalId(terminal), TerminalId(nic.next.destination));
      }
    }
  } else if (out_lanes_[injection_lane(terminal) + nic.lane].room <= 0) {
    nic.blocked = true;
    nic_active_.clear(terminal);
    return;
  }
  --out_lanes_[injection_lane(terminal) + nic.lane].room;
  flits_.add(step_ + nic.latency, {nic.input_lane + nic.lane, head});
  if (--nic.left == 0) {
    if constexpr (kFull) {
      if (wants_messages_) source_.sent(nic.next.message, cycle_);
    }
    request_packet(terminal, cycle_);
  }
}

}  // namespace unknot::simulate
