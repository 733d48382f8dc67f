// SPDX-License-Identifier: Apache-2.0
#pragma once

// The state of a run for those who look at it from outside. See engine.hpp.
#include <fmt/format.h>

#include <limits>

#include "unknot/simulate/core/core.hpp"

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
  const std::uint32_t port = port_of_output(output);
  if constexpr (kWhole) return routers_.out_port(port).sent - waiting(port);
  return routers_.out_port(port).sent;
}

template <class Shape, Mode kMode>
void Core<Shape, kMode>::clear_counts() {
  if (throttle_) throttle_->clear_counts();
  for (std::uint32_t o = 0; o < plan_.ports.outputs(); ++o) {
    if (!owns(plan_.ports.output_router[o])) continue;
    const std::uint32_t port = port_of_output(o);
    if constexpr (kWhole) {
      routers_.out_port(port).sent = waiting(port);
    } else {
      routers_.out_port(port).sent = 0;
    }
  }
}

/// Places taken in a lane's buffer.
template <class Shape, Mode kMode>
std::uint32_t Core<Shape, kMode>::places_in(const InLane& lane) const {
  if constexpr (kAsOne) {
    return lane.count(packets_);
  } else {
    return lane.present;
  }
}

/// Places that the sender knows of in the next buffer.
template <class Shape, Mode kMode>
std::int64_t Core<Shape, kMode>::room_behind(std::uint32_t out_lane) const {
  if (out_lane >= first_injection_) return injection_room_[out_lane - first_injection_];
  if constexpr (kFull) {
    if (queued_outputs_) return routers_.link_lane(out_lane).credits;
  }
  return routers_.out_lane(out_lane).room;
}

/// What a head that waits may take, and whether it can have it now.
template <class Shape, Mode kMode>
std::vector<std::pair<std::uint32_t, bool>> Core<Shape, kMode>::choices_of(
    std::uint32_t router, std::uint32_t own, std::uint32_t p, const std::vector<bool>& room_comes) const {
  std::vector<std::pair<std::uint32_t, bool>> choices;
  if constexpr (kFull) {
    const std::uint32_t arrival = arrival_lane(router, own, p);
    for (const std::uint16_t place : options_of(router, own, p, arrival).places) {
      const std::uint32_t output = plan_.ports.first_output[router] + place;
      const std::uint32_t port = routers_.first_port(router) + place;
      for (std::uint32_t rest = lane_groups_[adaptive_lane(router, own, place, p, arrival)]; rest != 0;
           rest &= rest - 1) {
        const auto vc = static_cast<std::uint32_t>(std::countr_zero(rest));
        const std::uint32_t out_lane = (port << shift()) | vc;
        choices.emplace_back((output << shift()) | vc, can_be_had(out_lane) || room_comes[out_lane]);
      }
    }
  }
  return choices;
}

/// Numbers without strides: those of Ports.
template <class Shape, Mode kMode>
std::vector<LaneState> Core<Shape, kMode>::lane_states() const {
  const Ports& ports = plan_.ports;
  std::vector<LaneState> states(std::size_t{ports.inputs()} << shift());
  // A packet whose tail is still to leave holds its place no longer than that.
  std::vector<bool> room_comes(first_injection_);
  if constexpr (kTrains) emptied_.for_all([&](std::uint32_t out_lane) { room_comes[out_lane] = true; });
  for (const std::uint32_t l : lane_holders()) {
    if (l != kNobody) states[l].holds = true;
  }
  for (std::uint32_t l = 0; l < states.size(); ++l) {
    const std::uint32_t router = ports.input_router[l >> shift()];
    if (!owns(router)) continue;
    const std::uint32_t first = first_lane(router);
    const std::uint32_t own = (port_of_input(l >> shift()) << shift()) + vc_of(l) - first;
    const InLane& lane = routers_.in_lane(first + own);
    LaneState& state = states[l];
    state.present = places_in(lane);
    // A place is a packet's, and the last one has what is left over.
    if (kTrains && state.present > 0)
      state.present = settings_.vc_buffer - (input_places_ - state.present) * settings_.packet_flits;
    state.occupied = state.present > 0 || state.holds;
    state.flit_here = state.present > 0;
    if (!state.occupied) continue;
    const std::uint32_t output = ports.first_output[router] + (lane.out >> shift());
    state.out_lane = (output << shift()) | vc_of(lane.out);
    // Nobody takes the lane from a packet that has asked for it: what it waits for is room.
    if constexpr (kWhole) state.holds = Bits::test(routers_.wants_lane(first + lane.out), own);
    state.has_room =
        state.holds && (routers_.out_lane(first + lane.out).room > 0 || room_comes[first + lane.out]);
    if (!state.holds) {
      const std::uint32_t port = (first + lane.out) >> shift();
      for (std::uint32_t vc = 0; vc < settings_.vcs; ++vc) {
        const std::uint64_t* const row = routers_.wants_lane(row_of(port, vc));
        const bool asks = Bits::test(row, own);
        state.wanted |= std::uint32_t{asks} << vc;
      }
      if (kFull && plan_.bubble) {
        const std::uint32_t ring = plan_.ring_of_output[output];
        state.enters = ring != RoutePlan::kNoRing && plan_.ring_of_input[l >> shift()] != ring;
      }
    }
    if (adapts_ && looking_.test(first + own)) {
      state.holds = false;
      state.choices = choices_of(router, own, lane.head, room_comes);
    }
    if (lane.head != kNobody) {
      state.source = packets_.journey(lane.head).source & ~Journey::kIndirect;
      const std::uint32_t target = packets_[lane.head].target;
      state.destination =
          (target & simulate::Packet::kVia) != 0 ? packets_.errand(lane.head).destination : target;
      if (errands_) state.message = packets_.errand(lane.head).message;
    }
  }
  return states;
}

template <class Shape, Mode kMode>
std::vector<std::uint32_t> Core<Shape, kMode>::lane_holders() const {
  const Ports& ports = plan_.ports;
  std::vector<std::uint32_t> holders(std::size_t{ports.outputs()} << shift(), kNobody);
  if constexpr (!kWhole) {
    for (std::uint32_t g = 0; g < holders.size(); ++g) {
      if (!owns(ports.output_router[g >> shift()])) continue;
      const std::uint32_t owner =
          routers_.out_lane((port_of_output(g >> shift()) << shift()) + vc_of(g)).owner;
      if (owner == kNoOwner) continue;
      holders[g] = (ports.first_input[ports.output_router[g >> shift()]] << shift()) + owner;
    }
  }
  return holders;
}

/// Places of the buffer in front of each input lane: free, on their way back, taken, or about to be. Packets:
/// each one in a queue and each head on its way.
template <class Shape, Mode kMode>
LawCounts Core<Shape, kMode>::law_counts() const {
  LawCounts counts;
  counts.places.assign(first_injection_, 0);
  counts.live = packets_.live();
  std::vector<std::uint32_t> behind(first_injection_ + injection_room_.size(), kNobody);
  for (std::uint32_t i = 0; i < plan_.ports.inputs(); ++i) {
    const std::uint32_t from = plan_.ports.input_from[i], router = plan_.ports.input_router[i];
    const bool injects = (from & Ports::kTerminal) != 0;
    const std::uint32_t sender = injects ? router : plan_.network.source(ChannelId(from)).value;
    const std::uint32_t first_up = injects ? injection_lane(from & ~Ports::kTerminal)
                                           : port_of_output(plan_.ports.output_of_channel[from]) << shift();
    for (std::uint32_t vc = 0; vc < settings_.vcs; ++vc) {
      const std::uint32_t l = (port_of_input(i) << shift()) + vc;
      behind[first_up + vc] = l;
      if (owns(sender)) counts.places[l] += room_behind(first_up + vc);
      if (owns(router)) counts.places[l] += places_in(routers_.in_lane(l));
    }
  }
  credits_.for_all([&](std::uint32_t g) {
    if (behind[g] != kNobody) ++counts.places[behind[g]];
  });
  flits_.for_all([&](const FlitEvent& event) {
    ++counts.places[event.lane];
    counts.packets += event.packet != kNobody ? 1 : 0;
  });
  queued_.for_all([&](const FlitEvent& event) { counts.packets += event.packet != kNobody ? 1 : 0; });
  for (std::uint32_t l = 0; l < first_injection_; ++l) {
    if (!owns(router_of_lane(l))) continue;
    counts.packets += routers_.in_lane(l).count(packets_);
    if constexpr (kFull) {
      if (queued_outputs_) counts.packets += routers_.link_lane(l).count(packets_);
    }
  }
  return counts;
}

template <class Shape, Mode kMode>
std::string Core<Shape, kMode>::law_broken_by(const LawCounts& counts) const {
  for (std::uint32_t i = 0; i < plan_.ports.inputs(); ++i) {
    for (std::uint32_t vc = 0; vc < settings_.vcs; ++vc) {
      const std::uint32_t l = (port_of_input(i) << shift()) + vc;
      if (counts.places[l] != static_cast<std::int64_t>(input_places_)) {
        return fmt::format("router {} input lane {}: {} places of {}", router_of_lane(l),
                           l - first_lane(router_of_lane(l)), counts.places[l], input_places_);
      }
    }
  }
  if (counts.packets != counts.live) {
    return fmt::format("{} packets are in the network, {} of them are somewhere", counts.live,
                       counts.packets);
  }
  return {};
}

// What a watch of packets is told (watch/packet_watch.hpp). In a core that is not watched nothing of this is
// compiled.

/// Something happens to a flit of packet p at an output or input of a router, known by its port.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::see([[maybe_unused]] WatchEvent::Kind kind, [[maybe_unused]] std::uint32_t p,
                             [[maybe_unused]] std::uint32_t flit, [[maybe_unused]] std::uint64_t step,
                             [[maybe_unused]] std::uint32_t port, [[maybe_unused]] std::uint32_t lanes) {
  if constexpr (Shape::kWatched) {
    if (!watch->follows(p)) return;
    WatchEvent event{.step = step, .lanes = lanes, .flit = static_cast<std::uint8_t>(flit), .kind = kind};
    const Ports& ports = plan_.ports;
    const std::uint32_t router = routers_.router_of(port);
    const std::uint32_t place = port - routers_.first_port(router);
    event.place = router;
    event.port =
        (kind == WatchEvent::Kind::buffered ? ports.first_input : ports.first_output)[router] + place;
    if (kind == WatchEvent::Kind::arrived) {
      event.place = ports.output_to[event.port] & ~Ports::kTerminal;
      event.port = WatchEvent::kNoPort;
    }
    watch->see(p, event);
  }
}

/// A packet begins to leave its terminal.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::see_begin([[maybe_unused]] std::uint32_t p, [[maybe_unused]] std::uint32_t sender) {
  if constexpr (Shape::kWatched) {
    const std::uint32_t terminal = terminal_of(sender);
    const NewPacket& packet = nics_[sender].next;
    watch->begin(p, terminal, packet.destination);
    watch->see(p, {.step = packet.created * speedup(), .place = terminal});
    flits_of_.sender[sender] = p;
  }
}

/// A flit leaves its terminal, before it is counted.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::see_injected([[maybe_unused]] std::uint32_t sender,
                                      [[maybe_unused]] std::uint64_t step) {
  if constexpr (Shape::kWatched) {
    const Nic& nic = nics_[sender];
    watch->see(flits_of_.sender[sender], {.step = step,
                                          .place = terminal_of(sender),
                                          .lanes = 1U << nic.lane,
                                          .flit = static_cast<std::uint8_t>(nic.next.flits - nic.left),
                                          .kind = WatchEvent::Kind::injected});
  }
}

/// A flit has come to an input lane; `p` where it is a head.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::see_buffered([[maybe_unused]] std::uint32_t index,
                                      [[maybe_unused]] std::uint32_t p) {
  if constexpr (Shape::kWatched) {
    if (p != kNobody) {
      flits_of_.arriving[index] = p;
      flits_of_.arrived[index] = 0;
    }
    see(WatchEvent::Kind::buffered, flits_of_.arriving[index], flits_of_.arrived[index]++, step_,
        index >> shift(), 1U << vc_of(index));
  }
}

/// A flit of an input lane crosses, the tail where `left` are none. The packet, and the flit's number.
template <class Shape, Mode kMode>
auto Core<Shape, kMode>::see_crossing([[maybe_unused]] std::uint32_t index, [[maybe_unused]] bool is_head,
                                      [[maybe_unused]] std::uint32_t left,
                                      [[maybe_unused]] std::uint32_t out_lane) -> WatchedFlit {
  WatchedFlit flit;
  if constexpr (Shape::kWatched) {
    if (is_head) flits_of_.crossing[index] = routers_.in_lane(index).head;
    flit.packet = flits_of_.crossing[index];
    flit.number = packets_[flit.packet].flits - left - 1;
    see(WatchEvent::Kind::crossing, flit.packet, flit.number, step_, out_lane >> shift(),
        1U << vc_of(out_lane));
  }
  return flit;
}

/// A flit leaves an output buffer, `left` behind it; `p` where it is a head.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::see_sent([[maybe_unused]] std::uint32_t out_lane, [[maybe_unused]] std::uint32_t p,
                                  [[maybe_unused]] std::uint32_t left, [[maybe_unused]] std::uint64_t step) {
  if constexpr (Shape::kWatched) {
    if (p != kNobody) flits_of_.sending[out_lane] = p;
    const std::uint32_t packet = flits_of_.sending[out_lane];
    const std::uint32_t number = kWhole ? 0 : packets_[packet].flits - left - 1;
    see(WatchEvent::Kind::sent, packet, number, step, out_lane >> shift(), 1U << vc_of(out_lane));
  }
}

}  // namespace unknot::simulate
