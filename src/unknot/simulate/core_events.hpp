// SPDX-License-Identifier: Apache-2.0
#pragma once

// What happens in a step, and what events do. See core.hpp.
#include <algorithm>

#include "unknot/simulate/core.hpp"

namespace unknot::simulate {

template <std::uint32_t kWords, Mode kMode>
bool Core<kWords, kMode>::idle() const {
  return heads_.empty() && switch_active_.empty() && lane_active_.empty() && nic_active_.empty() &&
         (!kFull || link_active_.empty());
}

template <std::uint32_t kWords, Mode kMode>
bool Core<kWords, kMode>::run_until(std::uint64_t cycle) {
  const std::uint64_t end = cycle * speedup_;
  while (step_ < end) {
    if (idle()) {
      // Nothing can act before the next event: go there at once.
      std::uint64_t next = std::min({flits_.next(step_), credits_.next(step_), routed_.next(step_),
                                     granted_.next(step_), queued_.next(step_), arrived_.next(step_)});
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
  credits_.drain(
      step_, [this](std::uint32_t lane) { __builtin_prefetch(out_lanes_.data() + lane, 1); },
      [this](std::uint32_t lane) { credit(lane); });
  flits_.drain(
      step_,
      [this](const FlitEvent& event) {
        __builtin_prefetch(in_lanes_.data() + event.lane, 1);
        if (event.entry != kNobody) packets_.prefetch(event.entry);
      },
      [this](const FlitEvent& event) { flit(event.lane, event.entry); });
  if constexpr (!kSingle) {
    routed_.drain(step_, [this](std::uint32_t lane) { route(lane); });
    granted_.drain(step_, [this](std::uint32_t l) {
      const InLane& lane = in_lanes_[l];
      if (lane.present > 0 && out_lanes_[lane.out_lane].room > 0) {
        const std::uint32_t output = lane.out_lane >> shift_;
        request_switch(output, l - (out_ports_[output].first_input << shift_));
      }
    });
    if (settings_.routing_delay == 0) route_heads();
  }
  if constexpr (kFull) {
    if (queued_outputs_) {
      queued_.drain(
          step_, [this](const FlitEvent& event) { __builtin_prefetch(link_lanes_.data() + event.lane, 1); },
          [this](const FlitEvent& event) { enter_output(event.lane, event.entry); });
      if (new_cycle || !links_on_grid_) send_from_outputs();
    }
    arrived_.drain(step_, [this](std::uint32_t message) { source_.arrived(message, cycle_); });
  }
  credit_leaves_ = grid(step_ + 1);
  flit_leaves_ = grid(step_ + traversal_);
  for (const Block& block : blocks_) {
    allocate_switch(block);
    allocate_lanes(block);
    for (const std::uint32_t lane : freed_) free_lane(lane);
    freed_.clear();
  }
  if (kSingle || settings_.routing_delay <= 1) {
    if (kSingle || settings_.routing_delay == 1) route_heads();
    heads_.swap(behind_);
  } else {
    for (const std::uint32_t l : heads_) routed_.add(step_ + settings_.routing_delay, l);
    for (const std::uint32_t l : behind_) routed_.add(step_ + settings_.routing_delay + 1, l);
    heads_.clear();
    behind_.clear();
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
    if (queued_outputs_ && out_ports_[out_lane >> shift_].input != kNobody) {
      LinkLane& lane = link_lanes_[out_lane];
      ++lane.credits;
      if (lane.queued > 0) {
        link_requests_[out_lane >> shift_] |= 1U << lane_of(out_lane);
        link_active_.set(out_lane >> shift_);
      }
      return;
    }
  }
  give_room(out_lane);
}

template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::give_room(std::uint32_t out_lane) {
  OutLane& lane = out_lanes_[out_lane];
  const std::uint32_t output = out_lane >> shift_;
  ++lane.room;
  if constexpr (kFull) {
    --used_[output];
    // Whole packets may have waited for room before they ask for the lane.
    if (lane.owner == kNoOwner) {
      if (Bits::any(wants_lane(out_lane), words())) lane_active_.set(output);
      return;
    }
  }
  if (lane.room != 1 || lane.owner == kNoOwner) return;
  if (kSingle || in_lanes_[input_lane(out_ports_[output], lane.owner)].present > 0) {
    request_switch(output, lane.owner);
  }
}

/// A flit has come to the lane's buffer; `entry` is the packet's where it is its head.
template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::flit(std::uint32_t index, std::uint32_t entry) {
  InLane& lane = in_lanes_[index];
  if constexpr (kSingle) {
    // The tail of an empty queue is the entry that nobody uses.
    const bool first = lane.head == kNobody;
    packets_[lane.tail].next = entry;
    lane.tail = entry;
    lane.head = first ? entry : lane.head;
    heads_.add_if(first, index);
    return;
  }
  ++lane.present;
  if (entry != kNobody) {
    push(lane, entry);
    if (lane.state == kIdle) {
      lane.state = kRouting;
      heads_.add(index);
    }
  } else if (lane.present == 1 && lane.state == kActive && out_lanes_[lane.out_lane].room > 0) {
    const std::uint32_t output = lane.out_lane >> shift_;
    request_switch(output, index - (out_ports_[output].first_input << shift_));
  }
}

template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::enter_output(std::uint32_t out_lane, std::uint32_t entry) {
  LinkLane& lane = link_lanes_[out_lane];
  ++lane.queued;
  if (entry != kNobody) push(lane, entry);
  if (lane.credits > 0) {
    link_requests_[out_lane >> shift_] |= 1U << lane_of(out_lane);
    link_active_.set(out_lane >> shift_);
  }
}

template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::request_switch(std::uint32_t output, std::uint32_t local) {
  set_bit(wants_switch(output), local);
  switch_active_.set(output);
}

template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::route_heads() {
  for (const std::uint32_t lane : heads_) route(lane);
  heads_.clear();
}

template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::route(std::uint32_t index) {
  InLane& lane = in_lanes_[index];
  const InPort& port = in_ports_[index >> shift_];
  Packet& packet = packets_[lane.head];
  const std::uint32_t own = (std::uint32_t{port.local} << shift_) | lane_of(index);
  if constexpr (!kFull) {
    const RoutePlan::Goal& goal = plan_.goals[packet.target];
    const std::uint32_t at = goal.home == port.router
                                 ? goal.eject
                                 : plan_.table[std::size_t{port.router} * plan_.columns + goal.column];
    if (at == RoutePlan::kNoRoute) no_route(port.router, packet.target);
    const std::uint32_t output = port.first_output + at;
    lane.out_lane = output << shift_;
    set_bit(wants_lane(output), own);
    lane_active_.set_if(free_lanes_[output] != 0, output);
  } else {
    const Choice choice = choose(index, port, packet);
    const std::uint32_t output = port.first_output + choice.local;
    lane.out_lane = output << shift_;
    lane.allowed = choice.allowed;
    for (std::uint32_t rest = choice.allowed; rest != 0; rest &= rest - 1) {
      set_bit(wants_lane(lane.out_lane | static_cast<std::uint32_t>(std::countr_zero(rest))), own);
    }
    if (plan_.bubble) {
      std::uint64_t* const entering = entering_.data() + std::size_t{output} * words();
      const std::uint32_t ring = plan_.ring_of_output[output];
      if (ring != RoutePlan::kNoRing && plan_.ring_of_input[index >> shift_] != ring) {
        set_bit(entering, own);
      } else {
        clear_bit(entering, own);
      }
    }
    if ((free_lanes_[output] & choice.allowed) != 0) lane_active_.set(output);
  }
  if constexpr (!kSingle) {
    lane.left = packet.flits;
    lane.fresh = true;
    lane.state = kWaiting;
  }
}

template <std::uint32_t kWords, Mode kMode>
template <class Queue>
void Core<kWords, kMode>::push(Queue& queue, std::uint32_t entry) {
  if (queue.head == kNobody) {
    queue.head = entry;
  } else {
    packets_[queue.tail].next = entry;
  }
  queue.tail = entry;
  packets_[entry].next = kNobody;
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
    } while (out_lanes_[nic.first_lane + vc].room <= 0 && ++tries < settings_.vcs);
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
  } else if (out_lanes_[nic.first_lane + nic.lane].room <= 0) {
    nic.blocked = true;
    nic_active_.clear(terminal);
    return;
  }
  --out_lanes_[nic.first_lane + nic.lane].room;
  flits_.add(step_ + nic.latency, {nic.input_lane + nic.lane, head});
  if (--nic.left == 0) {
    if constexpr (kFull) {
      if (wants_messages_) source_.sent(nic.next.message, cycle_);
    }
    request_packet(terminal, cycle_);
  }
}

}  // namespace unknot::simulate
