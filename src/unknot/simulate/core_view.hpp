// SPDX-License-Identifier: Apache-2.0
#pragma once

// The state of a run for those who look at it from outside. See engine.hpp.
#include <fmt/format.h>

#include <limits>

#include "unknot/simulate/core.hpp"

namespace unknot::simulate {

template <class Shape, Mode kMode>
std::uint64_t Core<Shape, kMode>::oldest_waiting() const {
  std::uint64_t oldest = std::numeric_limits<std::uint64_t>::max();
  for (const Nic& nic : nics_) {
    if (nic.waiting || nic.left > 0) oldest = std::min(oldest, nic.next.created);
  }
  return oldest;
}

template <class Shape, Mode kMode>
std::uint64_t Core<Shape, kMode>::sent(std::uint32_t output) const {
  const std::uint32_t router = plan_.ports.output_router[output];
  return routers_[router].out_port(output - plan_.ports.first_output[router]).sent;
}

template <class Shape, Mode kMode>
void Core<Shape, kMode>::clear_counts() {
  for (std::uint32_t o = 0; o < plan_.ports.outputs(); ++o) {
    const std::uint32_t router = plan_.ports.output_router[o];
    routers_[router].out_port(o - plan_.ports.first_output[router]).sent = 0;
  }
}

/// Flits in a lane's buffer.
template <class Shape, Mode kMode>
std::uint32_t Core<Shape, kMode>::flits_in(const InLane& lane) const {
  if constexpr (kSingle) {
    std::uint32_t flits = 0;
    for (std::uint32_t p = lane.head; p != kNobody; p = packets_[p].next) ++flits;
    return flits;
  } else {
    return lane.present;
  }
}

/// Room that the sender knows of in the next buffer.
template <class Shape, Mode kMode>
std::int64_t Core<Shape, kMode>::room_behind(std::uint32_t out_lane) const {
  if (out_lane >= first_injection_) return injection_room_[out_lane - first_injection_];
  const std::uint32_t router = routers_.router_of(out_lane);
  const std::uint32_t port = routers_.place_of(out_lane, router) >> shift();
  const auto& self = routers_[router];
  if constexpr (kFull) {
    if (queued_outputs_) return self.link_lane(port, vc_of(out_lane)).credits;
  }
  return self.out_lane(port, vc_of(out_lane)).room;
}

/// Numbers without strides: those of Ports.
template <class Shape, Mode kMode>
std::vector<LaneState> Core<Shape, kMode>::lane_states() const {
  const Ports& ports = plan_.ports;
  std::vector<LaneState> states(std::size_t{ports.inputs()} << shift());
  for (const std::uint32_t l : lane_holders()) {
    if (l != kNobody) states[l].holds = true;
  }
  for (std::uint32_t l = 0; l < states.size(); ++l) {
    const std::uint32_t router = ports.input_router[l >> shift()];
    const auto& self = routers_[router];
    const std::uint32_t own = routers_.place_of(lane_of_input(l >> shift()), router) + vc_of(l);
    const InLane& lane = self.in_lane(own);
    LaneState& state = states[l];
    state.present = flits_in(lane);
    state.occupied = state.present > 0 || state.holds;
    state.flit_here = state.present > 0;
    if (!state.occupied) continue;
    const std::uint32_t output = ports.first_output[router] + (lane.out >> shift());
    state.out_lane = (output << shift()) | vc_of(lane.out);
    state.has_room = state.holds && self.out_lane(lane.out >> shift(), vc_of(lane.out)).room > 0;
    if (!state.holds) {
      for (std::uint32_t vc = 0; vc < settings_.vcs; ++vc) {
        const std::uint64_t* const row = self.wants_lane(kFull ? lane.out + vc : lane.out >> shift());
        const bool asks = Bits::test(row, own);
        state.wanted |= std::uint32_t{asks} << vc;
      }
      if (kFull && plan_.bubble) {
        const std::uint32_t ring = plan_.ring_of_output[output];
        state.enters = ring != RoutePlan::kNoRing && plan_.ring_of_input[l >> shift()] != ring;
      }
    }
    if (lane.head != kNobody) {
      state.source = packets_.journey(lane.head).source & ~Journey::kIndirect;
      state.destination = kFull ? packets_.errand(lane.head).destination : packets_[lane.head].target;
    }
  }
  return states;
}

template <class Shape, Mode kMode>
std::vector<std::uint32_t> Core<Shape, kMode>::lane_holders() const {
  const Ports& ports = plan_.ports;
  std::vector<std::uint32_t> holders(std::size_t{ports.outputs()} << shift(), kNobody);
  for (std::uint32_t g = 0; g < holders.size(); ++g) {
    const std::uint32_t output = g >> shift(), router = ports.output_router[output];
    const std::uint32_t owner =
        routers_[router].out_lane(output - ports.first_output[router], vc_of(g)).owner;
    if (owner == kNoOwner) continue;
    holders[g] = (ports.first_input[ports.output_router[g >> shift()]] << shift()) + owner;
  }
  return holders;
}

template <class Shape, Mode kMode>
std::string Core<Shape, kMode>::broken_law() const {
  // Places of the buffer in front of each input lane: free, on their way back, taken, or about to be.
  const std::uint32_t injections = plan_.network.terminal_count() << shift();
  std::vector<std::int64_t> places(first_injection_, 0);
  std::vector<std::uint32_t> behind(std::size_t{first_injection_} + injections, kNobody);
  std::vector<std::uint32_t> lanes;
  for (std::uint32_t i = 0; i < plan_.ports.inputs(); ++i) {
    for (std::uint32_t vc = 0; vc < settings_.vcs; ++vc) {
      const std::uint32_t l = lane_of_input(i) + vc;
      const std::uint32_t from = plan_.ports.input_from[i];
      const std::uint32_t up =
          ((from & Ports::kTerminal) != 0 ? injection_lane(from & ~Ports::kTerminal)
                                          : lane_of_output(plan_.ports.output_of_channel[from])) +
          vc;
      lanes.push_back(l);
      behind[up] = l;
      const std::uint32_t router = routers_.router_of(l);
      places[l] += room_behind(up) + flits_in(routers_[router].in_lane(routers_.place_of(l, router)));
    }
  }
  credits_.for_all([&](std::uint32_t g) {
    if (behind[g] != kNobody) ++places[behind[g]];
  });
  flits_.for_all([&](const FlitEvent& event) { ++places[event.lane]; });
  for (const std::uint32_t l : lanes) {
    if (places[l] != static_cast<std::int64_t>(settings_.vc_buffer)) {
      return fmt::format("router {} input lane {}: {} places of {}", routers_.router_of(l),
                         routers_.place_of(l, routers_.router_of(l)), places[l], settings_.vc_buffer);
    }
  }
  // Packets: each one in a queue and each head on its way is one, and none is in two places.
  std::uint64_t packets = 0;
  const auto count = [&](std::uint32_t head) {
    for (std::uint32_t p = head; p != kNobody; p = packets_[p].next) ++packets;
  };
  for (std::uint32_t l = 0; l < first_injection_; ++l) {
    const std::uint32_t router = routers_.router_of(l);
    const std::uint32_t place = routers_.place_of(l, router);
    const auto& self = routers_[router];
    count(self.in_lane(place).head);
    if constexpr (kFull) {
      if (queued_outputs_) count(self.link_lane(place >> shift(), vc_of(place)).head);
    }
  }
  flits_.for_all([&](const FlitEvent& event) { packets += event.packet != kNobody ? 1 : 0; });
  queued_.for_all([&](const FlitEvent& event) { packets += event.packet != kNobody ? 1 : 0; });
  if (packets != in_flight()) {
    return fmt::format("{} packets are in the network, {} of them are somewhere", in_flight(), packets);
  }
  return {};
}

}  // namespace unknot::simulate
