// SPDX-License-Identifier: Apache-2.0
#pragma once

// Allocation of lanes and of the switch, and the crossing of flits. See core.hpp.
#include <algorithm>
#include <bit>

#include "unknot/simulate/core.hpp"

namespace unknot::simulate {

template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::allocate_lanes(std::uint32_t router) {
  const std::uint64_t* const active = outputs_in(lane_active_, router);
  for (std::uint32_t w = 0; w < output_words(); ++w) {
    for (std::uint64_t rest = active[w]; rest != 0; rest &= rest - 1) {
      const std::uint32_t place = w * 64 + static_cast<std::uint32_t>(std::countr_zero(rest));
      if constexpr (kFull) {
        allocate_given_lanes(router, place);
      } else {
        allocate_any_lane(router, place);
      }
    }
  }
}

/// The input lane gets lane `vc` of the output.
template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::take_lane(std::uint32_t router, std::uint32_t place, std::uint32_t local,
                                    std::uint32_t vc) {
  const std::uint32_t output = first_port(router) + place;
  InLane& lane = in_lanes_[first_lane(router) + local];
  if constexpr (kFull) {
    for (std::uint32_t v = 0; v < settings_.vcs; ++v) clear_bit(wants_lane((output << shift_) | v), local);
  } else {
    clear_bit(wants_lane(output), local);
  }
  lane.out = static_cast<std::uint16_t>((place << shift_) | vc);
  // The number after; where that is none, the arbiters begin at the lowest, which is the same.
  lane.preferred = static_cast<std::uint16_t>((place << shift_) + vc + 1);
  OutLane& out = out_lanes_[(output << shift_) | vc];
  out.owner = static_cast<Place>(local);
  out.preferred = static_cast<Place>(local + 1);
  free_lanes_[output] &= ~(1U << vc);
  if constexpr (kSingle) {
    set_bit_if(out.room > 0, wants_switch(output), local);
    set_bit_if(out.room > 0, outputs_in(switch_active_, router), place);
  } else {
    lane.state = kActive;
    if (settings_.vc_alloc_delay > 1) {
      granted_later_.add(step_ + settings_.vc_alloc_delay, first_lane(router) + local);
    } else if (lane.present > 0 && out.room > 0) {
      request_switch(router, place, local);
    }
  }
}

/// The input lane takes one of these lanes of the output. Its arbiter starts after the lane that it had, if
/// that was one of this output.
template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::take_one_of(std::uint32_t router, std::uint32_t place, std::uint32_t local,
                                      std::uint32_t lanes) {
  const std::uint32_t preferred = in_lanes_[first_lane(router) + local].preferred;
  const std::uint32_t start = preferred >> shift_ == place ? vc_of(preferred) : 0;
  take_lane(router, place, local, first_from(std::uint64_t{lanes}, start));
}

/// Input lanes that have been chosen by lanes of the output take one of them each.
template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::accept_lanes(std::uint32_t router, std::uint32_t place) {
  for (const std::uint32_t local : touched_) {
    take_one_of(router, place, local, granted_lanes_[local]);
    granted_lanes_[local] = 0;
  }
  touched_.clear();
}

template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::allocate_any_lane(std::uint32_t router, std::uint32_t place) {
  const std::uint32_t output = first_port(router) + place;
  std::uint64_t* const requests = wants_lane(output);
  const std::uint32_t free = free_lanes_[output];
  if (Bits::one(requests, words())) {
    const std::uint32_t local = Bits::first_from(requests, words(), 0);
    take_one_of(router, place, local, free);
    clear_bit(outputs_in(lane_active_, router), place);
    return;
  }
  for (std::uint32_t rest = free; rest != 0; rest &= rest - 1) {
    const auto vc = static_cast<std::uint32_t>(std::countr_zero(rest));
    const std::uint32_t local =
        Bits::first_from(requests, words(), out_lanes_[(output << shift_) | vc].preferred);
    touched_.add_if(granted_lanes_[local] == 0, local);
    granted_lanes_[local] |= 1U << vc;
  }
  accept_lanes(router, place);
  clear_bit_if(free_lanes_[output] == 0 || !Bits::any(requests, words()), outputs_in(lane_active_, router),
               place);
}

template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::allocate_given_lanes(std::uint32_t router, std::uint32_t place) {
  const std::uint32_t output = first_port(router) + place;
  const auto packet = static_cast<int>(settings_.packet_flits);
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
    touched_.add_if(granted_lanes_[local] == 0, local);
    granted_lanes_[local] |= 1U << vc;
  }
  accept_lanes(router, place);
  clear_bit_if(!more || free_lanes_[output] == 0, outputs_in(lane_active_, router), place);
}

/// Lanes whose packets have left in this step can be had in the next.
template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::free_lanes(std::uint32_t router) {
  for (const std::uint32_t out_lane : freed_) {
    const std::uint32_t output = out_lane >> shift_;
    free_lanes_[output] |= 1U << vc_of(out_lane);
    set_bit_if(Bits::any(wants_lane(kFull ? out_lane : output), words()), outputs_in(lane_active_, router),
               place_of(out_lane) >> shift_);
  }
  freed_.clear();
}

template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::allocate_switch(std::uint32_t router) {
  const std::uint64_t* const active = outputs_in(switch_active_, router);
  const std::uint32_t port = first_port(router);
  for (std::uint32_t w = 0; w < output_words(); ++w) {
    for (std::uint64_t rest = active[w]; rest != 0; rest &= rest - 1) {
      const std::uint32_t place = w * 64 + static_cast<std::uint32_t>(std::countr_zero(rest));
      const std::uint32_t local = Bits::first_from(
          wants_switch(port + place), words(), std::uint32_t{out_ports_[port + place].preferred} << shift_);
      const std::uint32_t input = local >> shift_;
      if (large_) packets_.prefetch(in_lanes_[first_lane(router) + local].head);
      std::uint64_t* const row = granted_.data() + std::size_t{input} * output_words();
      chosen_.add_if(!OutputBits::any(row, output_words()), input);
      set_bit(row, place);
    }
  }
  for (const std::uint32_t input : chosen_) {
    std::uint64_t* const row = granted_.data() + std::size_t{input} * output_words();
    const std::uint32_t place =
        OutputBits::first_from(row, output_words(), in_ports_[port + input].preferred);
    std::fill(row, row + output_words(), 0);
    cross(router, input, place);
  }
  chosen_.clear();
}

template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::return_credit(std::uint32_t input, std::uint32_t vc) {
  const InPort& in = in_ports_[input];
  std::uint64_t leaves = credit_leaves_;
  if (speedup_ > 1 && links_on_grid_) {
    leaves = std::max(leaves, credit_free_[input]);
    credit_free_[input] = leaves + speedup_;
  }
  credits_.add(leaves + in.credit_steps, in.upstream + vc);
}

/// A lane of the input sends a flit to the output: the first that can after the one that did last.
template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::cross(std::uint32_t router, std::uint32_t input_place, std::uint32_t place) {
  const std::uint32_t port = first_port(router);
  const std::uint32_t output = port + place;
  InPort& in = in_ports_[port + input_place];
  OutPort& out = out_ports_[output];
  std::uint64_t* const requests = wants_switch(output);
  const std::uint32_t first = input_place << shift_;
  const std::uint32_t in_vc =
      first_from(requests[first >> 6] >> (first & 63U) & all_lanes_, in.preferred_lane);
  // Numbers after the last are as good as the first: masks have no bits there.
  in.preferred_lane = static_cast<std::uint8_t>(in_vc + 1);
  in.preferred = static_cast<Place>(place + 1);
  out.preferred = static_cast<Place>(input_place + 1);

  const std::uint32_t local = first | in_vc;
  InLane& lane = in_lanes_[first_lane(router) + local];
  const std::uint32_t out_lane = first_lane(router) + lane.out;
  OutLane& to = out_lanes_[out_lane];
  const bool is_head = kSingle || lane.state == kActive;
  const bool is_tail = kSingle || lane.left == 1;
  const bool to_terminal = out.input == kNobody;
  ++flit_hops_;
  --to.room;
  if constexpr (kFull) ++used_[output];
  // A packet goes with its head, but to a terminal with its tail: nothing happens to it in between.
  std::uint32_t p = kNobody;
  if (to_terminal ? is_tail : is_head) {
    p = lane.head;
    Packet& packet = packets_[p];
    lane.head = lane.head == lane.tail ? kNobody : packet.next;
    lane.tail = lane.head == kNobody ? 0 : lane.tail;
  }
  if constexpr (!kSingle) {
    --lane.left;
    --lane.present;
    lane.state = kBody;
  }

  if (kFull && queued_outputs_ && !to_terminal) {
    queued_.add(step_ + traversal_, {out_lane, p});
  } else {
    // Nothing holds the flit up behind the switch but flits before it: its arrival is known.
    std::uint64_t departure = flit_leaves_;
    if (!steady_links_) {
      departure = std::max(departure, link_free_[output]);
      link_free_[output] = departure + out.period;
    }
    const std::uint64_t arrival = departure + out.latency;
    ++out.sent;
    if (!to_terminal) {
      flits_.add(arrival, {(out.input << shift_) | vc_of(out_lane), p});
    } else {
      const std::uint64_t back = arrival + out.latency + speedup_ + credit_delay_;
      credits_.add(kFull && queued_outputs_ ? departure : back, out_lane);
      if (is_tail) eject(p, arrival);
    }
  }
  return_credit(port + input_place, in_vc);

  if (is_tail) {
    to.owner = kNoOwner;
    freed_.add(out_lane);
    const bool more = lane.head != kNobody;
    set_bit_if(more, behind_.data() + std::size_t{router} * words(), local);
    if constexpr (!kSingle) lane.state = more ? kRouting : kIdle;
  }
  if (is_tail || lane.present == 0 || to.room <= 0) {
    clear_bit(requests, local);
    clear_bit_if(!Bits::any(requests, words()), outputs_in(switch_active_, router), place);
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
void Core<kWords, kMode>::send_from_outputs(std::uint32_t router) {
  std::uint64_t* const active = outputs_in(link_active_, router);
  for (std::uint32_t w = 0; w < output_words(); ++w) {
    for (std::uint64_t rest = active[w]; rest != 0; rest &= rest - 1) {
      const std::uint32_t place = w * 64 + static_cast<std::uint32_t>(std::countr_zero(rest));
      const std::uint32_t output = first_port(router) + place;
      OutPort& out = out_ports_[output];
      if (link_free_[output] > step_) continue;
      const std::uint32_t vc = first_from(std::uint64_t{link_requests_[output]}, out.preferred_lane);
      const std::uint32_t out_lane = (output << shift_) | vc;
      LinkLane& lane = link_lanes_[out_lane];
      out.preferred_lane = static_cast<std::uint8_t>(vc + 1);
      link_free_[output] = step_ + out.period;
      ++out.sent;
      --lane.queued;
      --lane.credits;
      std::uint32_t p = kNobody;
      if (lane.left == 0) {
        p = lane.head;
        const Packet& packet = packets_[p];
        lane.head = lane.head == lane.tail ? kNobody : packet.next;
        lane.left = settings_.packet_flits == 1 ? std::uint8_t{1} : packet.flits;
      }
      --lane.left;
      flits_.add(step_ + out.latency, {(out.input << shift_) | vc, p});
      if (lane.queued == 0 || lane.credits == 0) {
        link_requests_[output] &= ~(1U << vc);
        clear_bit_if(link_requests_[output] == 0, active, place);
      }
      give_room(out_lane);
    }
  }
}

}  // namespace unknot::simulate
