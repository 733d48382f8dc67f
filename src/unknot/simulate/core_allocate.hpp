// SPDX-License-Identifier: Apache-2.0
#pragma once

// Allocation of lanes and of the switch, and the crossing of flits. See core.hpp.
#include <algorithm>
#include <bit>

#include "unknot/simulate/core.hpp"

namespace unknot::simulate {

template <std::uint32_t kWords, bool kPlain>
void Core<kWords, kPlain>::allocate_lanes() {
  lane_active_.for_each([this](std::uint32_t output) {
    if constexpr (kPlain) {
      allocate_plain(output);
    } else {
      allocate_any(output);
    }
  });
}

/// The input lane gets lane `vc` of the output.
template <std::uint32_t kWords, bool kPlain>
void Core<kWords, kPlain>::take_lane(std::uint32_t output, std::uint32_t local, std::uint32_t vc) {
  const OutPort& port = out_ports_[output];
  const std::uint32_t l = input_lane(port, local);
  InLane& lane = in_lanes_[l];
  if constexpr (kPlain) {
    wants_lane(output)[local >> 6] &= ~(std::uint64_t{1} << (local & 63U));
  } else {
    for (std::uint32_t rest = lane.allowed; rest != 0; rest &= rest - 1) {
      const auto v = static_cast<std::uint32_t>(std::countr_zero(rest));
      wants_lane((output << shift_) | v)[local >> 6] &= ~(std::uint64_t{1} << (local & 63U));
    }
  }
  lane.state = kActive;
  lane.out_lane = (output << shift_) | vc;
  lane.preferred = static_cast<std::uint16_t>((std::uint32_t{port.local} << shift_) + vc + 1);
  OutLane& out = out_lanes_[lane.out_lane];
  out.owner = static_cast<std::uint16_t>(local);
  // Around in the order of input * lanes + lane, in which numbers above `lanes` do not occur.
  std::uint32_t next = local + 1;
  if ((next & ((1U << shift_) - 1)) >= settings_.vcs) next = ((next >> shift_) + 1) << shift_;
  out.preferred = static_cast<std::uint16_t>((next >> shift_) < port.inputs ? next : 0);
  free_lanes_[output] &= ~(1U << vc);
  winners_.push_back(l);
}

template <std::uint32_t kWords, bool kPlain>
void Core<kWords, kPlain>::allocate_plain(std::uint32_t output) {
  const OutPort& port = out_ports_[output];
  std::uint64_t* const requests = wants_lane(output);
  const std::uint32_t free = free_lanes_[output];
  const std::uint32_t lanes = 1U << shift_;
  // Where a waiting lane's own arbiter starts: at the lane after the one it had, if that was of this output.
  const auto start = [&](std::uint32_t local) -> std::uint32_t {
    const std::uint32_t preferred = in_lanes_[input_lane(port, local)].preferred;
    return preferred >> shift_ == port.local ? preferred & (lanes - 1) : 0;
  };
  std::uint32_t askers = 0;
  for (std::uint32_t w = 0; w < words(); ++w)
    askers += static_cast<std::uint32_t>(std::popcount(requests[w]));
  if (askers == 1) {
    const std::uint32_t local = first_from(requests, words(), 0);
    take_lane(output, local, first_from(std::uint64_t{free}, start(local)));
    lane_active_.clear(output);
    return;
  }
  // Each free lane chooses an input lane, each input lane chooses among the lanes that have chosen it.
  for (std::uint32_t rest = free; rest != 0; rest &= rest - 1) {
    const auto vc = static_cast<std::uint32_t>(std::countr_zero(rest));
    const std::uint32_t local = first_from(requests, words(), out_lanes_[(output << shift_) | vc].preferred);
    if (granted_lanes_[local] == 0) touched_.push_back(local);
    granted_lanes_[local] |= 1U << vc;
  }
  for (const std::uint32_t local : touched_) {
    take_lane(output, local, first_from(std::uint64_t{granted_lanes_[local]}, start(local)));
    granted_lanes_[local] = 0;
  }
  if (askers == touched_.size() || free_lanes_[output] == 0) lane_active_.clear(output);
  touched_.clear();
}

template <std::uint32_t kWords, bool kPlain>
void Core<kWords, kPlain>::allocate_any(std::uint32_t output) {
  const OutPort& port = out_ports_[output];
  const std::uint32_t lanes = 1U << shift_;
  const std::int32_t packet = static_cast<std::int32_t>(settings_.packet_flits);
  const bool whole = settings_.switching == Switching::virtual_cut_through;
  bool more = false;  // somebody can be served in the next step
  for (std::uint32_t rest = free_lanes_[output]; rest != 0; rest &= rest - 1) {
    const auto vc = static_cast<std::uint32_t>(std::countr_zero(rest));
    const OutLane& out = out_lanes_[(output << shift_) | vc];
    const std::uint64_t* const row = wants_lane((output << shift_) | vc);
    if (whole && out.room < packet) continue;
    const bool tight = plan_.bubble && out.room < 2 * packet;  // no room for a bubble
    std::uint64_t any = 0;
    for (std::uint32_t w = 0; w < words(); ++w) {
      candidates_[w] = tight ? row[w] & ~entering_[std::size_t{output} * words() + w] : row[w];
      any |= candidates_[w];
    }
    if (any == 0) continue;
    more = true;
    const std::uint32_t local = first_from(candidates_.data(), words(), out.preferred);
    if (granted_lanes_[local] == 0) touched_.push_back(local);
    granted_lanes_[local] |= 1U << vc;
  }
  for (const std::uint32_t local : touched_) {
    const std::uint32_t preferred = in_lanes_[input_lane(port, local)].preferred;
    const std::uint32_t start = preferred >> shift_ == port.local ? preferred & (lanes - 1) : 0;
    take_lane(output, local, first_from(std::uint64_t{granted_lanes_[local]}, start));
    granted_lanes_[local] = 0;
  }
  touched_.clear();
  if (!more || free_lanes_[output] == 0) lane_active_.clear(output);
}

template <std::uint32_t kWords, bool kPlain>
void Core<kWords, kPlain>::allocate_switch() {
  switch_active_.for_each([this](std::uint32_t output) {
    const OutPort& port = out_ports_[output];
    const std::uint32_t bit =
        first_from(wants_switch(output), words(), std::uint32_t{port.preferred} << shift_);
    const std::uint32_t input = port.first_input + (bit >> shift_);
    if constexpr (kWords > 0) {
      InPort& in = in_ports_[input];
      if (in.granted == 0) chosen_inputs_.push_back(input);
      in.granted |= std::uint64_t{1} << port.local;
    } else {
      std::uint64_t* const row = grants_.data() + std::size_t{input} * grant_words_;
      if (std::all_of(row, row + grant_words_, [](std::uint64_t w) { return w == 0; })) {
        chosen_inputs_.push_back(input);
      }
      row[port.local >> 6] |= std::uint64_t{1} << (port.local & 63U);
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
      local = first_from(row, grant_words_, in.preferred);
      std::fill(row, row + grant_words_, 0);
    }
    cross(input, in.first_output + local);
  }
  chosen_inputs_.clear();
}

/// A lane of the input sends a flit to the output: the first that can after the one that did last.
template <std::uint32_t kWords, bool kPlain>
void Core<kWords, kPlain>::cross(std::uint32_t input, std::uint32_t output) {
  InPort& in = in_ports_[input];
  OutPort& out = out_ports_[output];
  const std::uint32_t first = std::uint32_t{in.local} << shift_;
  const std::uint64_t lanes = wants_switch(output)[first >> 6] >> (first & 63U) & all_lanes_;
  const std::uint32_t vc = first_from(lanes, in.preferred_lane);
  in.preferred_lane = static_cast<std::uint8_t>(vc + 1 < settings_.vcs ? vc + 1 : 0);
  in.preferred = static_cast<std::uint16_t>(out.local + 1 < in.outputs ? out.local + 1 : 0);
  out.preferred = static_cast<std::uint16_t>(in.local + 1 < out.inputs ? in.local + 1 : 0);
  move((input << shift_) | vc, input, output);
}

template <std::uint32_t kWords, bool kPlain>
void Core<kWords, kPlain>::move(std::uint32_t index, std::uint32_t input, std::uint32_t output) {
  InLane& lane = in_lanes_[index];
  InPort& in = in_ports_[input];
  OutPort& out = out_ports_[output];
  const std::uint32_t out_lane = lane.out_lane;
  OutLane& to = out_lanes_[out_lane];
  const std::uint32_t e = lane.head;
  const bool is_head = lane.left == entries_[e].flits;
  const bool is_tail = lane.left == 1;
  ++flit_hops_;
  --lane.left;
  --lane.present;
  --to.room;
  if constexpr (!kPlain) ++used_[output];

  // The flit's way on. Its time of arrival is known now where nothing can hold it up behind the switch.
  const bool to_terminal = out.input == kNobody;
  const bool queues = !kPlain && queued_outputs_ && !to_terminal;
  std::uint64_t arrival = 0;
  if (queues) {
    wheel_.add(kQueued, step_ + traversal_, out_lane);
  } else {
    const std::uint64_t departure = std::max(grid(step_ + traversal_), out.link_free);
    out.link_free = departure + out.period;
    arrival = departure + out.latency;
    ++sent_[output];
    if (!to_terminal) {
      wheel_.add(kFlit, arrival, (out.input << shift_) | (out_lane & ((1U << shift_) - 1)));
    } else {
      wheel_.add(kCredit, !kPlain && queued_outputs_ ? departure : arrival + out.back, out_lane);
    }
  }
  if (is_tail) {
    // The entry of a packet of one flit moves on; that of a longer one stays behind and is given back.
    lane.head = entries_[e].next;
  }
  if (is_head) {
    ++entries_[e].hops;
    if (!to_terminal) {
      std::uint32_t copy = e;
      if (!is_tail) {
        copy = entries_.take();
        entries_[copy] = entries_[e];
      }
      push(in_lanes_[(out.input << shift_) | (out_lane & ((1U << shift_) - 1))], copy);
    }
  }
  if (is_tail && to_terminal) {
    eject(entries_[e], arrival);
  }
  if (is_tail && (to_terminal || !is_head)) entries_.give_back(e);

  // A credit for the buffer it has left.
  {
    std::uint64_t leaves = step_ + 1;
    if (speedup_ > 1) {
      leaves = std::max(grid(leaves), in.credit_free);
      if (links_on_grid_) in.credit_free = leaves + speedup_;
    }
    wheel_.add(kCredit, leaves + in.credit_steps, lane.upstream);
  }

  if (is_tail) {
    to.owner = kNoOwner;
    free_lanes_[output] |= 1U << (out_lane & ((1U << shift_) - 1));
    if (any_of(wants_lane(kPlain ? output : out_lane))) lane_active_.set(output);
    if (lane.present > 0) {
      lane.state = kRouting;
      behind_.push_back(index);
    } else {
      lane.state = kIdle;
    }
  }
  if (is_tail || lane.present == 0 || to.room <= 0) {
    const std::uint32_t local = index - (out.first_input << shift_);
    std::uint64_t* const requests = wants_switch(output);
    requests[local >> 6] &= ~(std::uint64_t{1} << (local & 63U));
    if (!any_of(requests)) switch_active_.clear(output);
  }
}

/// The tail is on its way to the terminal and nothing can stop it.
template <std::uint32_t kWords, bool kPlain>
void Core<kWords, kPlain>::eject(const Entry& entry, std::uint64_t arrival) {
  const Packet& packet = packets_[entry.packet];
  recorder.packet(packet, entry, arrival);
  if constexpr (!kPlain) {
    if (source_.wants_messages()) wheel_.add(kArrived, arrival, packet.message);
  }
  packets_.give_back(entry.packet);
}

/// Channels behind output buffers send, one flit each, their lanes in turn.
template <std::uint32_t kWords, bool kPlain>
void Core<kWords, kPlain>::send_from_outputs() {
  link_active_.for_each([this](std::uint32_t output) {
    OutPort& out = out_ports_[output];
    if (out.link_free > step_) return;
    const std::uint32_t vc = first_from(std::uint64_t{link_requests_[output]}, out.preferred_lane);
    const std::uint32_t out_lane = (output << shift_) | vc;
    LinkLane& lane = link_lanes_[out_lane];
    out.preferred_lane = static_cast<std::uint8_t>(vc + 1 < settings_.vcs ? vc + 1 : 0);
    out.link_free = step_ + out.period;
    ++sent_[output];
    --lane.queued;
    --lane.credits;
    wheel_.add(kFlit, step_ + out.latency, (out.input << shift_) | vc);
    give_room(out_lane);
    if (lane.queued == 0 || lane.credits == 0) {
      link_requests_[output] &= ~(1U << vc);
      if (link_requests_[output] == 0) link_active_.clear(output);
    }
  });
}

}  // namespace unknot::simulate
