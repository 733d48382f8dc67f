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

/// Numbers without strides: those of Ports.
template <std::uint32_t kWords, Mode kMode>
std::vector<LaneState> Core<kWords, kMode>::lane_states() const {
  const Ports& ports = plan_.ports;
  std::vector<LaneState> states(std::size_t{ports.inputs()} << shift_);
  for (const std::uint32_t l : lane_holders()) {
    if (l != kNobody) states[l].holds = true;
  }
  for (std::uint32_t l = 0; l < states.size(); ++l) {
    const std::uint32_t router = ports.input_router[l >> shift_];
    const std::uint32_t at = (strided_input(l >> shift_) << shift_) | vc_of(l);
    const InLane& lane = in_lanes_[at];
    LaneState& state = states[l];
    state.present = lane.present;
    if constexpr (kSingle) {
      for (std::uint32_t p = lane.head; p != kNobody; p = p == lane.tail ? kNobody : packets_[p].next) {
        ++state.present;
      }
    }
    state.occupied = state.present > 0 || state.holds;
    state.flit_here = state.present > 0;
    if (!state.occupied) continue;
    const std::uint32_t output = ports.first_output[router] + (lane.out >> shift_);
    state.out_lane = (output << shift_) | vc_of(lane.out);
    state.has_room = state.holds && out_lanes_[first_lane(router) + lane.out].room > 0;
    if (!state.holds) {
      const std::uint32_t row = first_port(router) + (lane.out >> shift_);
      const std::uint32_t own = place_of(at);
      for (std::uint32_t vc = 0; vc < settings_.vcs; ++vc) {
        const std::size_t mask = std::size_t{kFull ? (row << shift_) | vc : row} * words();
        const bool asks = (lane_requests_[mask + (own >> 6)] >> (own & 63U) & 1U) != 0;
        state.wanted |= std::uint32_t{asks} << vc;
      }
      if (kFull && plan_.bubble) {
        const std::uint32_t ring = plan_.ring_of_output[output];
        state.enters = ring != RoutePlan::kNoRing && plan_.ring_of_input[l >> shift_] != ring;
      }
    }
    if (lane.head != kNobody) {
      state.source = packets_[lane.head].source & ~Packet::kIndirect;
      state.destination = packets_[lane.head].destination;
    }
  }
  return states;
}

template <std::uint32_t kWords, Mode kMode>
std::vector<std::uint32_t> Core<kWords, kMode>::lane_holders() const {
  const Ports& ports = plan_.ports;
  std::vector<std::uint32_t> holders(std::size_t{ports.outputs()} << shift_, kNobody);
  for (std::uint32_t g = 0; g < holders.size(); ++g) {
    const std::uint16_t owner = out_lanes_[(strided_output(g >> shift_) << shift_) | vc_of(g)].owner;
    if (owner == kNoOwner) continue;
    holders[g] = (ports.first_input[ports.output_router[g >> shift_]] << shift_) + owner;
  }
  return holders;
}

template <std::uint32_t kWords, Mode kMode>
std::string Core<kWords, kMode>::broken_law() const {
  // Places of the buffer in front of each input lane: free, on their way back, taken, or about to be.
  std::vector<std::int64_t> places(in_lanes_.size(), 0);
  std::vector<std::uint32_t> behind(out_lanes_.size(), kNobody);
  std::vector<std::uint32_t> lanes;
  for (std::uint32_t i = 0; i < plan_.ports.inputs(); ++i) {
    const std::uint32_t port = strided_input(i);
    for (std::uint32_t vc = 0; vc < settings_.vcs; ++vc) {
      const std::uint32_t l = (port << shift_) | vc;
      const std::uint32_t up = in_ports_[port].upstream + vc;
      lanes.push_back(l);
      behind[up] = l;
      places[l] +=
          kFull && queued_outputs_ && up < first_injection_ ? link_lanes_[up].credits : out_lanes_[up].room;
      places[l] += in_lanes_[l].present;
      for (std::uint32_t p = in_lanes_[l].head; kSingle && p != kNobody;
           p = p == in_lanes_[l].tail ? kNobody : packets_[p].next) {
        ++places[l];
      }
    }
  }
  credits_.for_all([&](std::uint32_t g) {
    if (behind[g] != kNobody) ++places[behind[g]];
  });
  flits_.for_all([&](const FlitEvent& event) { ++places[event.lane]; });
  for (const std::uint32_t l : lanes) {
    if (places[l] != static_cast<std::int64_t>(settings_.vc_buffer)) {
      return fmt::format("router {} input lane {}: {} places of {}", router_of(l), place_of(l), places[l],
                         settings_.vc_buffer);
    }
  }
  // Packets: each one in a queue and each head on its way is one, and none is in two places.
  std::uint64_t packets = 0;
  const auto count = [&](std::uint32_t head, std::uint32_t tail) {
    for (std::uint32_t p = head; p != kNobody; p = p == tail ? kNobody : packets_[p].next) ++packets;
  };
  for (const InLane& lane : in_lanes_) count(lane.head, lane.tail);
  for (const LinkLane& lane : link_lanes_) count(lane.head, lane.tail);
  flits_.for_all([&](const FlitEvent& event) { packets += event.packet != kNobody ? 1 : 0; });
  queued_.for_all([&](const FlitEvent& event) { packets += event.packet != kNobody ? 1 : 0; });
  if (packets != in_flight()) {
    return fmt::format("{} packets are in the network, {} of them are somewhere", in_flight(), packets);
  }
  return {};
}

}  // namespace unknot::simulate
