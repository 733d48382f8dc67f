// SPDX-License-Identifier: Apache-2.0
#pragma once

// Allocation of lanes and of the switch, and the crossing of flits. See core.hpp.
#include <algorithm>
#include <bit>

#include "unknot/simulate/core.hpp"

namespace unknot::simulate {

template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::allocate_lanes(const Block& block) {
  lane_active_.for_each_in(block.first, block.last, [this](std::uint32_t output) {
    if constexpr (kFull) {
      allocate_given_lanes(output);
    } else {
      allocate_any_lane(output);
    }
  });
}

/// The input lane gets lane `vc` of the output.
template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::take_lane(std::uint32_t output, std::uint32_t local, std::uint32_t vc) {
  const OutPort& port = out_ports_[output];
  const std::uint32_t l = input_lane(port, local);
  InLane& lane = in_lanes_[l];
  if constexpr (kFull) {
    for (std::uint32_t rest = lane.allowed; rest != 0; rest &= rest - 1) {
      clear_bit(wants_lane((output << shift_) | static_cast<std::uint32_t>(std::countr_zero(rest))), local);
    }
  } else {
    clear_bit(wants_lane(output), local);
  }
  lane.out_lane = (output << shift_) | vc;
  // The number after; where that is none, the arbiters begin at the lowest, which is the same.
  lane.preferred = static_cast<std::uint16_t>((std::uint32_t{port.local} << shift_) + vc + 1);
  OutLane& out = out_lanes_[lane.out_lane];
  out.owner = static_cast<std::uint16_t>(local);
  out.preferred = static_cast<std::uint16_t>(local + 1);
  free_lanes_[output] &= ~(1U << vc);
  if constexpr (kSingle) {
    if (out.room > 0) request_switch(output, local);
  } else {
    lane.state = kActive;
    if (settings_.vc_alloc_delay > 1) {
      granted_.add(step_ + settings_.vc_alloc_delay, l);
    } else if (lane.present > 0 && out.room > 0) {
      request_switch(output, local);
    }
  }
}

/// Input lanes that have been chosen by output lanes take one of them each.
template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::accept_lanes(std::uint32_t output) {
  const OutPort& port = out_ports_[output];
  for (const std::uint32_t local : touched_) {
    const std::uint32_t preferred = in_lanes_[input_lane(port, local)].preferred;
    const std::uint32_t start = preferred >> shift_ == port.local ? lane_of(preferred) : 0;
    take_lane(output, local, first_from(std::uint64_t{granted_lanes_[local]}, start));
    granted_lanes_[local] = 0;
  }
  touched_.clear();
}

template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::allocate_any_lane(std::uint32_t output) {
  std::uint64_t* const requests = wants_lane(output);
  const std::uint32_t free = free_lanes_[output];
  if (Bits::one(requests, words())) {
    const OutPort& port = out_ports_[output];
    const std::uint32_t local = Bits::first_from(requests, words(), 0);
    const std::uint32_t preferred = in_lanes_[input_lane(port, local)].preferred;
    const std::uint32_t start = preferred >> shift_ == port.local ? lane_of(preferred) : 0;
    take_lane(output, local, first_from(std::uint64_t{free}, start));
    lane_active_.clear(output);
    return;
  }
  for (std::uint32_t rest = free; rest != 0; rest &= rest - 1) {
    const auto vc = static_cast<std::uint32_t>(std::countr_zero(rest));
    const std::uint32_t local =
        Bits::first_from(requests, words(), out_lanes_[(output << shift_) | vc].preferred);
    if (granted_lanes_[local] == 0) touched_.add(local);
    granted_lanes_[local] |= 1U << vc;
  }
  accept_lanes(output);
  lane_active_.clear_if(free_lanes_[output] == 0 || !Bits::any(requests, words()), output);
}

template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::allocate_given_lanes(std::uint32_t output) {
  const auto packet = static_cast<std::int32_t>(settings_.packet_flits);
  const bool whole = settings_.switching == Switching::virtual_cut_through;
  bool more = false;  // somebody can be served now, and perhaps in the next step
  for (std::uint32_t rest = free_lanes_[output]; rest != 0; rest &= rest - 1) {
    const auto vc = static_cast<std::uint32_t>(std::countr_zero(rest));
    const OutLane& out = out_lanes_[(output << shift_) | vc];
    const std::uint64_t* row = wants_lane((output << shift_) | vc);
    if (whole && out.room < packet) continue;
    if (plan_.bubble && out.room < 2 * packet) {
      // Without room for a bubble nobody enters the ring.
      for (std::uint32_t w = 0; w < words(); ++w) {
        candidates_[w] = row[w] & ~entering_[std::size_t{output} * words() + w];
      }
      row = candidates_.data();
    }
    if (!Bits::any(row, words())) continue;
    more = true;
    const std::uint32_t local = Bits::first_from(row, words(), out.preferred);
    if (granted_lanes_[local] == 0) touched_.add(local);
    granted_lanes_[local] |= 1U << vc;
  }
  accept_lanes(output);
  if (!more || free_lanes_[output] == 0) lane_active_.clear(output);
}

template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::free_lane(std::uint32_t out_lane) {
  const std::uint32_t output = out_lane >> shift_;
  free_lanes_[output] |= 1U << lane_of(out_lane);
  lane_active_.set_if(Bits::any(wants_lane(kFull ? out_lane : output), words()), output);
}

template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::allocate_switch(const Block& block) {
  switch_active_.for_each_in(block.first, block.last, [this](std::uint32_t output) {
    const OutPort& port = out_ports_[output];
    const std::uint32_t bit =
        Bits::first_from(wants_switch(output), words(), std::uint32_t{port.preferred} << shift_);
    const std::uint32_t input = port.first_input + (bit >> shift_);
    if constexpr (kWords > 0) {
      InPort& in = in_ports_[input];
      chosen_inputs_.add_if(in.granted == 0, input);
      in.granted |= std::uint64_t{1} << port.local;
    } else {
      std::uint64_t* const row = grants_.data() + std::size_t{input} * grant_words_;
      if (!Bits::any(row, grant_words_)) chosen_inputs_.add(input);
      set_bit(row, port.local);
    }
  });
  for (const std::uint32_t input : chosen_inputs_) {
    InPort& in = in_ports_[input];
    std::uint32_t local = 0;
    if constexpr (kWords > 0) {
      local = first_from(in.granted, in.preferred);
      in.granted = 0;
    } else {
      std::uint64_t* const row = grants_.data() + std::size_t{input} * grant_words_;
      local = Bits::first_from(row, grant_words_, in.preferred);
      std::fill(row, row + grant_words_, 0);
    }
    cross(input, in.first_output + local);
  }
  chosen_inputs_.clear();
}

/// A lane of the input sends a flit to the output: the first that can after the one that did last.
template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::cross(std::uint32_t input, std::uint32_t output) {
  InPort& in = in_ports_[input];
  OutPort& out = out_ports_[output];
  const std::uint32_t first = std::uint32_t{in.local} << shift_;
  const std::uint64_t lanes = wants_switch(output)[first >> 6] >> (first & 63U) & all_lanes_;
  const std::uint32_t vc = first_from(lanes, in.preferred_lane);
  // Numbers after the last are as good as the first: masks have no bits there.
  in.preferred_lane = static_cast<std::uint8_t>(vc + 1);
  in.preferred = static_cast<std::uint16_t>(out.local + 1);
  out.preferred = static_cast<std::uint16_t>(in.local + 1);
  move((input << shift_) | vc, input, output);
}

template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::return_credit(InPort& in, std::uint32_t upstream) {
  std::uint64_t leaves = credit_leaves_;
  if (speedup_ > 1 && links_on_grid_) {
    leaves = std::max(leaves, in.credit_free);
    in.credit_free = leaves + speedup_;
  }
  credits_.add(leaves + in.credit_steps, upstream);
}

template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::move(std::uint32_t index, std::uint32_t input, std::uint32_t output) {
  InLane& lane = in_lanes_[index];
  OutPort& out = out_ports_[output];
  const std::uint32_t out_lane = lane.out_lane;
  OutLane& to = out_lanes_[out_lane];
  const bool is_head = kSingle || lane.fresh;
  const bool is_tail = kSingle || lane.left == 1;
  ++flit_hops_;
  --to.room;
  std::uint32_t e = kNobody;
  if (is_head) {
    e = lane.head;
    Packet& packet = packets_[e];
    lane.head = packet.next;
    packet.next = kNobody;
    ++packet.hops;
  }
  if constexpr (!kSingle) {
    --lane.left;
    --lane.present;
    lane.fresh = false;
  }
  if constexpr (kFull) ++used_[output];

  const bool to_terminal = out.input == kNobody;
  if (kFull && queued_outputs_ && !to_terminal) {
    queued_.add(step_ + traversal_, {out_lane, e});
  } else {
    // Nothing holds the flit up behind the switch but flits before it: its arrival is known.
    std::uint64_t departure = flit_leaves_;
    if (!steady_links_) {
      departure = std::max(departure, out.link_free);
      out.link_free = departure + out.period;
    }
    const std::uint64_t arrival = departure + out.latency;
    ++out.sent;
    if (!to_terminal) {
      flits_.add(arrival, {(out.input << shift_) | lane_of(out_lane), e});
    } else {
      credits_.add(kFull && queued_outputs_ ? departure : arrival + out.back, out_lane);
      if (!kSingle && is_head) lane.leaving = e;
      if (is_tail) {
        eject(kSingle ? e : lane.leaving, arrival);
        lane.leaving = kNobody;
      }
    }
  }
  return_credit(in_ports_[input], lane.upstream);

  if (is_tail) {
    to.owner = kNoOwner;
    freed_.add(out_lane);
    const bool more = lane.head != kNobody;
    behind_.add_if(more, index);
    if constexpr (kSingle) {
      lane.tail = more ? lane.tail : 0;
    } else {
      lane.state = more ? kRouting : kIdle;
    }
  }
  if (is_tail || lane.present == 0 || to.room <= 0) {
    std::uint64_t* const requests = wants_switch(output);
    clear_bit(requests, index - (out.first_input << shift_));
    switch_active_.clear_if(!Bits::any(requests, words()), output);
  }
}

/// The tail is on its way to the terminal and nothing can stop it.
template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::eject(std::uint32_t p, std::uint64_t arrival) {
  recorder.packet(packets_[p], cycle_, arrival);
  if constexpr (kFull) {
    if (wants_messages_) arrived_.add(arrival, packets_[p].message);
  }
  packets_.give_back(p);
}

/// Channels behind output buffers send, a flit each, their lanes in turn.
template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::send_from_outputs() {
  link_active_.for_each([this](std::uint32_t output) {
    OutPort& out = out_ports_[output];
    if (out.link_free > step_) return;
    const std::uint32_t vc = first_from(std::uint64_t{link_requests_[output]}, out.preferred_lane);
    const std::uint32_t out_lane = (output << shift_) | vc;
    LinkLane& lane = link_lanes_[out_lane];
    out.preferred_lane = static_cast<std::uint8_t>(vc + 1);
    out.link_free = step_ + out.period;
    ++out.sent;
    --lane.queued;
    --lane.credits;
    std::uint32_t e = kNobody;
    if (lane.left == 0) {
      e = lane.head;
      lane.head = packets_[e].next;
      packets_[e].next = kNobody;
      lane.left = packets_[e].flits;
    }
    --lane.left;
    flits_.add(step_ + out.latency, {(out.input << shift_) | vc, e});
    if (lane.queued == 0 || lane.credits == 0) {
      link_requests_[output] &= ~(1U << vc);
      if (link_requests_[output] == 0) link_active_.clear(output);
    }
    give_room(out_lane);
  });
}

}  // namespace unknot::simulate
