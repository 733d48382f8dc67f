// SPDX-License-Identifier: Apache-2.0
#pragma once

// The state of a run for those who look at it from outside. See engine.hpp.
#include <fmt/format.h>

#include <limits>

#include "unknot/simulate/core.hpp"

namespace unknot::simulate {

template <std::uint32_t kWords, Mode kMode>
std::uint64_t Core<kWords, kMode>::oldest_waiting() const {
  std::uint64_t oldest = std::numeric_limits<std::uint64_t>::max();
  for (const Nic& nic : nics_) {
    if (nic.waiting || nic.left > 0) oldest = std::min(oldest, nic.next.created);
  }
  return oldest;
}

template <std::uint32_t kWords, Mode kMode>
std::vector<LaneState> Core<kWords, kMode>::lane_states() const {
  std::vector<LaneState> states(in_lanes_.size());
  std::vector<std::uint32_t> holders = lane_holders();
  std::vector<std::uint8_t> holds(in_lanes_.size(), 0);
  for (const std::uint32_t l : holders) {
    if (l != kNobody) holds[l] = 1;
  }
  for (std::uint32_t l = 0; l < states.size(); ++l) {
    const InLane& lane = in_lanes_[l];
    LaneState& state = states[l];
    state.holds = holds[l] != 0;
    if constexpr (kSingle) {
      for (std::uint32_t e = lane.head; e != kNobody; e = packets_[e].next) ++state.present;
    } else {
      state.present = lane.present;
    }
    state.occupied = state.present > 0 || state.holds;
    state.flit_here = state.present > 0;
    if (!state.occupied) continue;
    state.out_lane = lane.out_lane;
    state.has_room = state.holds && out_lanes_[lane.out_lane].room > 0;
    const bool asks = !state.holds && (kSingle || lane.state == kWaiting);
    if (asks) state.wanted = kFull ? lane.allowed : all_lanes_;
    if constexpr (kFull) {
      if (asks && plan_.bubble) {
        const std::uint32_t ring = plan_.ring_of_output[lane.out_lane >> shift_];
        state.enters = ring != RoutePlan::kNoRing && plan_.ring_of_input[l >> shift_] != ring;
      }
    }
    if (lane.head != kNobody) {
      const Packet& packet = packets_[lane.head];
      state.source = packet.source & ~Packet::kIndirect;
      state.destination = packet.destination;
    }
  }
  return states;
}

template <std::uint32_t kWords, Mode kMode>
std::vector<std::uint32_t> Core<kWords, kMode>::lane_holders() const {
  std::vector<std::uint32_t> holders(first_injection_, kNobody);
  for (std::uint32_t g = 0; g < first_injection_; ++g) {
    if (out_lanes_[g].owner != kNoOwner)
      holders[g] = input_lane(out_ports_[g >> shift_], out_lanes_[g].owner);
  }
  return holders;
}

template <std::uint32_t kWords, Mode kMode>
std::string Core<kWords, kMode>::broken_law() const {
  // Places of the buffer in front of each input lane: free, on their way back, taken, or about to be.
  std::vector<std::int64_t> places(in_lanes_.size(), 0);
  std::vector<std::uint32_t> input_lane_of(out_lanes_.size(), kNobody);
  for (std::uint32_t l = 0; l < in_lanes_.size(); ++l) {
    if (lane_of(l) >= settings_.vcs) continue;
    input_lane_of[in_lanes_[l].upstream] = l;
    const std::uint32_t up = in_lanes_[l].upstream;
    const bool queued = kFull && queued_outputs_ && up < first_injection_;
    places[l] += queued ? link_lanes_[up].credits : out_lanes_[up].room;
    if constexpr (kSingle) {
      for (std::uint32_t e = in_lanes_[l].head; e != kNobody; e = packets_[e].next) ++places[l];
    } else {
      places[l] += in_lanes_[l].present;
    }
  }
  credits_.for_all([&](std::uint32_t g) {
    if (input_lane_of[g] != kNobody) ++places[input_lane_of[g]];
  });
  flits_.for_all([&](const FlitEvent& event) { ++places[event.lane]; });
  for (std::uint32_t l = 0; l < in_lanes_.size(); ++l) {
    if (lane_of(l) >= settings_.vcs) continue;
    if (places[l] != static_cast<std::int64_t>(settings_.vc_buffer)) {
      return fmt::format("input {} lane {}: {} places of {}", l >> shift_, lane_of(l), places[l],
                         settings_.vc_buffer);
    }
  }
  // Packets: each entry of a queue and each head on its way is one, and no packet is in two places.
  std::uint64_t packets = 0;
  for (const InLane& lane : in_lanes_) {
    for (std::uint32_t e = lane.head; e != kNobody; e = packets_[e].next) ++packets;
    if (lane.leaving != kNobody && lane.left > 0) ++packets;
  }
  flits_.for_all([&](const FlitEvent& event) { packets += event.entry != kNobody ? 1 : 0; });
  queued_.for_all([&](const FlitEvent& event) { packets += event.entry != kNobody ? 1 : 0; });
  for (const LinkLane& lane : link_lanes_) {
    for (std::uint32_t e = lane.head; e != kNobody; e = packets_[e].next) ++packets;
  }
  if (packets != in_flight()) {
    return fmt::format("{} packets are in the network, {} of them are somewhere", in_flight(), packets);
  }
  return {};
}

}  // namespace unknot::simulate
