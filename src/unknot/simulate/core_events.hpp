// SPDX-License-Identifier: Apache-2.0
#pragma once

// What happens in a step, and what events do. See core.hpp.
#include <algorithm>

#include "unknot/simulate/core.hpp"

namespace unknot::simulate {

template <std::uint32_t kWords, bool kPlain>
bool Core<kWords, kPlain>::idle() const {
  return heads_.empty() && switch_active_.empty() && lane_active_.empty() && nic_active_.empty() &&
         (kPlain || link_active_.empty());
}

template <std::uint32_t kWords, bool kPlain>
bool Core<kWords, kPlain>::run_until(std::uint64_t cycle) {
  const std::uint64_t end = cycle * speedup_;
  while (step_ < end) {
    if (idle()) {
      // Nothing can act before the next event: go there at once.
      std::uint64_t next = end;
      if (!wheel_.empty()) next = std::min(next, wheel_.next(step_));
      if (!created_.empty())
        next = std::min(next, created_.next((step_ + speedup_ - 1) / speedup_) * speedup_);
      if (next == end && wheel_.empty() && created_.empty()) return false;
      step_ = next;
      if (step_ >= end) break;
    }
    do_step();
    ++step_;
  }
  return true;
}

template <std::uint32_t kWords, bool kPlain>
void Core<kWords, kPlain>::do_step() {
  const bool new_cycle = speedup_ == 1 || step_ % speedup_ == 0;
  wheel_.drain(kCredit, step_, [this](std::uint32_t lane) { credit(lane); });
  wheel_.drain(kFlit, step_, [this](std::uint32_t lane) { flit(lane); });
  if (settings_.routing_delay > 1) {
    wheel_.drain(kRoute, step_, [this](std::uint32_t lane) { route(lane); });
  }
  if (settings_.vc_alloc_delay > 1) {
    wheel_.drain(kGranted, step_, [this](std::uint32_t lane) { winners_.push_back(lane); });
    for (const std::uint32_t l : winners_) {
      const InLane& lane = in_lanes_[l];
      if (lane.present > 0 && out_lanes_[lane.out_lane].room > 0) {
        const std::uint32_t output = lane.out_lane >> shift_;
        request_switch(output, l - (out_ports_[output].first_input << shift_));
      }
    }
    winners_.clear();
  }
  if constexpr (!kPlain) {
    if (queued_outputs_) {
      wheel_.drain(kQueued, step_, [this](std::uint32_t lane) {
        ++link_lanes_[lane].queued;
        if (link_lanes_[lane].credits > 0) {
          link_requests_[lane >> shift_] |= 1U << (lane & ((1U << shift_) - 1));
          link_active_.set(lane >> shift_);
        }
      });
      if (new_cycle || !links_on_grid_) send_from_outputs();
    }
    if (source_.wants_messages()) {
      wheel_.drain(kArrived, step_, [this](std::uint32_t message) { source_.arrived(message, cycle()); });
    }
  }
  wheel_.pass(step_);
  if (settings_.routing_delay == 0) route_heads();
  allocate_lanes();
  allocate_switch();
  if (settings_.routing_delay == 1) route_heads();
  if (settings_.vc_alloc_delay == 1) {
    for (const std::uint32_t l : winners_) {
      const InLane& lane = in_lanes_[l];
      if (lane.present > 0 && out_lanes_[lane.out_lane].room > 0) {
        const std::uint32_t output = lane.out_lane >> shift_;
        request_switch(output, l - (out_ports_[output].first_input << shift_));
      }
    }
  } else {
    for (const std::uint32_t l : winners_) wheel_.add(kGranted, step_ + settings_.vc_alloc_delay, l);
  }
  winners_.clear();
  if (settings_.routing_delay <= 1) {
    heads_.swap(behind_);
  } else {
    for (const std::uint32_t l : heads_) wheel_.add(kRoute, step_ + settings_.routing_delay, l);
    for (const std::uint32_t l : behind_) wheel_.add(kRoute, step_ + settings_.routing_delay + 1, l);
    heads_.clear();
    behind_.clear();
  }
  if (new_cycle) {
    created_.drain(cycle(), [this](std::uint32_t t) { nic_active_.set(t); });
    nic_active_.for_each([this](std::uint32_t t) { inject(t); });
  }
}

template <std::uint32_t kWords, bool kPlain>
void Core<kWords, kPlain>::credit(std::uint32_t out_lane) {
  if (out_lane >= first_injection_) {
    if (++out_lanes_[out_lane].room == 1) {
      // The terminal may have waited for it; if it has nothing to send, it finds out by itself.
      const std::uint32_t t = (out_lane - first_injection_) >> shift_;
      if (nics_[t].blocked) {
        nics_[t].blocked = false;
        nic_active_.set(t);
      }
    }
    return;
  }
  if constexpr (!kPlain) {
    if (queued_outputs_ && out_ports_[out_lane >> shift_].input != kNobody) {
      LinkLane& lane = link_lanes_[out_lane];
      ++lane.credits;
      if (lane.queued > 0) {
        link_requests_[out_lane >> shift_] |= 1U << (out_lane & ((1U << shift_) - 1));
        link_active_.set(out_lane >> shift_);
      }
      return;
    }
  }
  give_room(out_lane);
}

template <std::uint32_t kWords, bool kPlain>
void Core<kWords, kPlain>::give_room(std::uint32_t out_lane) {
  OutLane& lane = out_lanes_[out_lane];
  const std::uint32_t output = out_lane >> shift_;
  ++lane.room;
  if constexpr (!kPlain) --used_[output];
  if (lane.owner == kNoOwner) {
    if constexpr (!kPlain) {
      // Whole packets may have waited for room before they ask for the lane.
      if (any_of(wants_lane(out_lane))) lane_active_.set(output);
    }
    return;
  }
  if (lane.room != 1) return;
  const InLane& waiting = in_lanes_[input_lane(out_ports_[output], lane.owner)];
  if (waiting.present > 0) request_switch(output, lane.owner);
}

template <std::uint32_t kWords, bool kPlain>
void Core<kWords, kPlain>::flit(std::uint32_t index) {
  InLane& lane = in_lanes_[index];
  if (lane.present++ > 0) return;
  if (lane.state == kActive) {
    if (out_lanes_[lane.out_lane].room > 0) {
      const std::uint32_t output = lane.out_lane >> shift_;
      request_switch(output, index - (out_ports_[output].first_input << shift_));
    }
  } else if (lane.state == kIdle) {
    lane.state = kRouting;
    heads_.push_back(index);
  }
}

template <std::uint32_t kWords, bool kPlain>
void Core<kWords, kPlain>::request_switch(std::uint32_t output, std::uint32_t local) {
  wants_switch(output)[local >> 6] |= std::uint64_t{1} << (local & 63U);
  switch_active_.set(output);
}

template <std::uint32_t kWords, bool kPlain>
void Core<kWords, kPlain>::route_heads() {
  for (const std::uint32_t lane : heads_) route(lane);
  heads_.clear();
}

template <std::uint32_t kWords, bool kPlain>
void Core<kWords, kPlain>::route(std::uint32_t index) {
  InLane& lane = in_lanes_[index];
  const InPort& port = in_ports_[index >> shift_];
  Entry& entry = entries_[lane.head];
  const std::uint32_t own = (std::uint32_t{port.local} << shift_) | (index & ((1U << shift_) - 1));
  std::uint32_t output = 0;
  if constexpr (kPlain) {
    const std::uint32_t destination = entry.target;
    const std::uint32_t at =
        plan_.home[destination] == port.router
            ? plan_.eject[destination]
            : plan_.table[std::size_t{port.router} * plan_.columns + plan_.column[destination]];
    if (at == RoutePlan::kNoRoute) no_route(port.router, destination);
    output = port.first_output + at;
    lane.out_lane = output << shift_;
    wants_lane(output)[own >> 6] |= std::uint64_t{1} << (own & 63U);
    if (free_lanes_[output] != 0) lane_active_.set(output);
  } else {
    const Choice choice = choose(index, port, entry);
    output = port.first_output + choice.local;
    lane.out_lane = output << shift_;
    lane.allowed = choice.allowed;
    for (std::uint32_t rest = choice.allowed; rest != 0; rest &= rest - 1) {
      const auto vc = static_cast<std::uint32_t>(std::countr_zero(rest));
      wants_lane(lane.out_lane | vc)[own >> 6] |= std::uint64_t{1} << (own & 63U);
    }
    if (plan_.bubble) {
      std::uint64_t& word = entering_[std::size_t{output} * words() + (own >> 6)];
      const std::uint32_t ring = plan_.ring_of_output[output];
      const bool enters = ring != RoutePlan::kNoRing && plan_.ring_of_input[index >> shift_] != ring;
      const std::uint64_t bit = std::uint64_t{1} << (own & 63U);
      word = enters ? word | bit : word & ~bit;
    }
    if ((free_lanes_[output] & choice.allowed) != 0) lane_active_.set(output);
  }
  lane.left = entry.flits;
  lane.state = kWaiting;
}

template <std::uint32_t kWords, bool kPlain>
void Core<kWords, kPlain>::push(InLane& lane, std::uint32_t entry) {
  if (lane.head == kNobody) {
    lane.head = entry;
  } else {
    entries_[lane.tail].next = entry;
  }
  lane.tail = entry;
  entries_[entry].next = kNobody;
}

template <std::uint32_t kWords, bool kPlain>
void Core<kWords, kPlain>::request_packet(std::uint32_t terminal, std::uint64_t cycle) {
  Nic& nic = nics_[terminal];
  nic.waiting = source_.next(terminal, cycle, nic.next);
  if (!nic.waiting) {
    nic_active_.clear(terminal);
  } else if (nic.next.created > cycle) {
    nic_active_.clear(terminal);
    created_.add(terminal, nic.next.created);
  } else {
    nic_active_.set(terminal);
  }
}

template <std::uint32_t kWords, bool kPlain>
void Core<kWords, kPlain>::inject(std::uint32_t terminal) {
  Nic& nic = nics_[terminal];
  if (nic.left == 0) {
    // The first lane with room after the one taken last, around.
    std::uint32_t vc = nic.last_lane;
    std::uint32_t tries = 0;
    do {
      vc = vc + 1 < settings_.vcs ? vc + 1 : 0;
    } while (out_lanes_[nic.first_lane + vc].room <= 0 && ++tries < settings_.vcs);
    if (tries == settings_.vcs) {
      nic.blocked = true;
      nic_active_.clear(terminal);
      return;
    }
    nic.last_lane = nic.lane = static_cast<std::uint8_t>(vc);
    const std::uint32_t p = packets_.take();
    packets_[p] = {nic.next.created, cycle(), terminal, nic.next.destination, nic.next.message, 0};
    const std::uint32_t e = entries_.take();
    Entry& entry = entries_[e];
    entry.packet = p;
    entry.target = nic.next.destination;
    entry.flits = static_cast<std::uint8_t>(nic.next.flits);
    entry.state = 0;
    entry.hops = 0;
    if constexpr (!kPlain) {
      if (plan_.lanes == RoutePlan::Lanes::level) {
        entry.state =
            plan_.routing.service_levels.get(TerminalId(terminal), TerminalId(nic.next.destination));
      }
    }
    nic.left = static_cast<std::uint16_t>(nic.next.flits);
    push(in_lanes_[nic.input_lane + vc], e);
  } else if (out_lanes_[nic.first_lane + nic.lane].room <= 0) {
    nic.blocked = true;
    nic_active_.clear(terminal);
    return;
  }
  --out_lanes_[nic.first_lane + nic.lane].room;
  wheel_.add(kFlit, step_ + nic.latency, nic.input_lane + nic.lane);
  if (--nic.left == 0) {
    if constexpr (!kPlain) {
      if (source_.wants_messages()) source_.sent(nic.next.message, cycle());
    }
    request_packet(terminal, cycle());
  }
}

}  // namespace unknot::simulate
