// SPDX-License-Identifier: Apache-2.0
#pragma once

// Terminals: their next packets, and flits on their way into the network; packets that are lost there. See
// core.hpp.
#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "unknot/simulate/core/core.hpp"
#include "unknot/simulate/plan/message_plan.hpp"

namespace unknot::simulate {

template <class Shape, Mode kMode>
void Core<Shape, kMode>::request_packet(std::uint32_t sender, std::uint64_t cycle) {
  Nic& nic = nics_[sender];
  nic.waiting = source_.next(sender, cycle, nic.next);
  if (nic.waiting && nic.next.created <= cycle) {
    nic_active_.set(sender);
  } else {
    nic_active_.clear(sender);
    if (nic.waiting) created_.add(sender, nic.next.created);
  }
}

template <class Shape, Mode kMode>
void Core<Shape, kMode>::ask_anew() {
  for (std::uint32_t t = 0; t < nics_.size(); ++t) {
    if (nics_[t].left > 0) continue;
    nics_[t].blocked = false;
    request_packet(t, cycle());
  }
}

/// Counts a packet that leaves a network with sinks. True where it is lost, and gone.
template <class Shape, Mode kMode>
bool Core<Shape, kMode>::leaves(std::uint32_t p) {
  if constexpr (kFull) {
    const auto since =
        static_cast<std::int32_t>(packets_.journey(p).injected - static_cast<std::uint32_t>(passage_.marked));
    passage_.before -= since < 0 ? 1 : 0;
    const bool lost =
        packets_[p].state == Packet::kLost || packets_[p].target == plan_.network.terminal_count();
    if (!lost) return false;
    recorder.lost(packets_.journey(p), cycle_);
    ++passage_.lost;
    passage_.lost_since += since < 0 ? 0 : 1;
    packets_.give_back(p);
    return true;
  }
  return false;
}

/// Sends a flit, where it can. True where it has.
template <class Shape, Mode kMode>
bool Core<Shape, kMode>::inject(std::uint32_t sender) {
  const std::uint32_t terminal = terminal_of(sender);
  Nic& nic = nics_[sender];
  Nic& link = kMessages ? nics_[terminal * networks_] : nic;
  if (Shape::kAged && throttle_ && nic.left == 0 && throttle_->until(terminal) > cycle_) {
    nic_active_.clear(sender);
    created_.add(sender, throttle_->until(terminal));
    return false;
  }
  // Off the grid of cycles a slow link may be free in the middle of this one.
  if (!kSingle && link.free >= step_ + speedup()) return false;
  const bool begins = nic.left == 0;
  std::uint32_t open = nic.open;
  if constexpr (kMessages) open = begins ? lanes_for_whole(sender) : open;
  // A packet goes on the first lane with room after the one taken last, around; its body on the same one.
  if ((begins ? open : kTrains ? 1U : nic.open >> nic.lane & 1U) == 0) {
    nic.blocked = true;
    nic_active_.clear(sender);
    return false;
  }
  std::uint32_t head = kNobody;
  if (begins) {
    nic.lane = static_cast<std::uint8_t>(first_from(std::uint64_t{open}, nic.lane + 1U));
    nic.left = static_cast<std::uint8_t>(nic.next.flits);
    if (copies_ && (nic.next.destination & simulate::Packet::kGroup) != 0) {
      recorder.sent_to_group(cycle_);
    } else {
      recorder.injected(nic.next.created);
    }
    head = packets_.take();
    Packet& packet = packets_[head];
    packet = {};
    packet.target = nic.next.destination;
    if constexpr (!kSingle) packet.flits = nic.left;
    packets_.journey(head) = {static_cast<std::uint32_t>(nic.next.created),
                              static_cast<std::uint32_t>(cycle_), terminal};
    if (Shape::kAged && throttle_) throttle_->entered(head);
    see_begin(head, sender);
    if constexpr (kFull) {
      if (errands_) packets_.errand(head) = {nic.next.destination, nic.next.message};
      if (adapts_) {
        begin_draws(nic.input_lane + nic.lane);
        packet.state = plan_.adaptive->level(TerminalId(terminal), TerminalId(nic.next.destination),
                                             static_cast<std::uint32_t>(random_.next() >> 32));
      }
    }
    if constexpr (!kSingle) {
      if (by_level_) {
        packet.state =
            copies_ && (packet.target & simulate::Packet::kGroup) != 0
                ? plan_.multicast.groups[packet.target & ~simulate::Packet::kGroup].level
                : plan_.routing.service_levels.get(TerminalId(terminal), TerminalId(nic.next.destination));
        const std::uint32_t lane = lane_function_.injected(packet.state, TerminalId(terminal));
        if (lane >= kLanesToldApart) no_lane(plan_.network.router_of(TerminalId(terminal)).value, lane);
      }
    }
  }
  std::uint64_t leaves = step_;
  if constexpr (!kSingle) {
    if (nic.period > speedup()) {
      leaves = std::max(leaves, link.free);
      link.free = leaves + nic.period;
    }
  }
  if (!kTrains || begins) {
    see_injected(sender, leaves);
    std::int16_t& room = injection_room_[(terminal << shift()) + nic.lane];
    if (--room == 0) nic.open &= ~(1U << nic.lane);
    const std::uint64_t whole = kTrains ? behind_head(nic.left, nic.period) : 0;
    flits_.add(leaves + nic.latency + whole, {nic.input_lane + nic.lane, head});
  }
  if (--nic.left == 0) {
    if constexpr (kFull) {
      if (wants_messages_) source_.sent(nic.next.message, cycle_);
      if (Shape::kAged && throttle_) {
        const std::uint64_t cycles =
            std::uint64_t{nic.next.flits} * std::max<std::uint32_t>(nic.period, speedup());
        throttle_->sent(terminal, cycles / speedup(), cycle_);
      }
    }
    request_packet(sender, cycle_);
  }
  return true;
}

/// The buffer in front of a terminal's lane has room for a flit more.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::injection_credit(std::uint32_t lane) {
  if (++injection_room_[lane] != 1 && !kMessages) return;
  std::uint32_t t = lane >> shift();
  if constexpr (kMessages) t = t * networks_ + network_of_lane(vc_of(lane));
  Nic& nic = nics_[t];
  nic.open |= 1U << vc_of(lane);
  if (!nic.blocked) return;
  nic.blocked = false;
  nic_active_.set(t);
}

// Mode messages: terminals that send on several virtual networks, and receive queues that fill.

/// Senders, a terminal's networks in a row, each with the network's lanes of the terminal's input; and room
/// in receive queues, of which each network has one.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::set_up_messages() {
  if constexpr (kMessages) {
    networks_ = plan_.messages->networks;
    network_lanes_ = plan_.messages->lanes;
    for (std::uint32_t n = 0; n < networks_; ++n) {
      std::uint32_t& mask = network_masks_.emplace_back(0);
      for (std::uint32_t l = 0; l < network_lanes_; ++l) mask |= lane_groups_[n * network_lanes_ + l];
    }
    const std::vector<Nic> terminals = std::move(nics_);
    nics_.clear();
    nics_.reserve(terminals.size() * networks_);
    network_turn_.assign(terminals.size(), 0);
    const auto room = static_cast<std::int16_t>(settings_.receive_queue * settings_.packet_flits);
    for (std::uint32_t t = 0; t < terminals.size(); ++t) {
      for (const std::uint32_t mask : network_masks_) {
        Nic& nic = nics_.emplace_back(terminals[t]);
        nic.open = mask;
        nic.lane = static_cast<std::uint8_t>(std::bit_width(mask) - 1);
      }
      const std::uint32_t port = port_of_output(plan_.ports.output_of_terminal[t]);
      for (std::uint32_t vc = 0; vc < settings_.vcs; ++vc)
        routers_.out_lane((port << shift()) | vc).room = room;
    }
    nic_active_.resize(static_cast<std::uint32_t>(nics_.size()));
  }
}

/// Lanes that a packet may take whose tables say lane `vl`: those of its network.
template <class Shape, Mode kMode>
std::uint32_t Core<Shape, kMode>::lanes_of_level(std::uint32_t packet, std::uint32_t vl) const {
  return lane_groups_[network_of(packets_.errand(packet).message) * network_lanes_ + vl];
}

/// The lane that leads into the receive queue of a packet's network.
template <class Shape, Mode kMode>
std::uint32_t Core<Shape, kMode>::lanes_into_terminal(std::uint32_t packet) const {
  const std::uint32_t lanes = lanes_of_level(packet, 0);
  return lanes & (~lanes + 1);
}

/// Lanes of a sender that take its next packet whole: one that has begun to leave waits for nothing.
template <class Shape, Mode kMode>
std::uint32_t Core<Shape, kMode>::lanes_for_whole(std::uint32_t sender) const {
  std::uint32_t lanes = 0;
  for (std::uint32_t rest = nics_[sender].open; rest != 0; rest &= rest - 1) {
    const std::int32_t room =
        injection_room_[injection_lane(terminal_of(sender)) - first_injection_ + std::countr_zero(rest)];
    if (room >= static_cast<std::int32_t>(nics_[sender].next.flits)) lanes |= rest & (~rest + 1);
  }
  return lanes;
}

/// A terminal sends a flit a cycle, its networks in turn: those that have no room let others go first.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::inject_in_turn() {
  std::uint32_t before = kNobody;
  nic_active_.for_each([&](std::uint32_t sender) {
    const std::uint32_t t = terminal_of(sender);
    if (t == before) return;
    before = t;
    for (std::uint32_t i = 0; i < networks_; ++i) {
      const std::uint32_t network = (network_turn_[t] + i) % networks_;
      if (!nic_active_.test(t * networks_ + network) || !inject(t * networks_ + network)) continue;
      network_turn_[t] = static_cast<std::uint8_t>((network + 1) % networks_);
      return;
    }
  });
}

template <class Shape, Mode kMode>
void Core<Shape, kMode>::take([[maybe_unused]] std::uint32_t terminal, [[maybe_unused]] std::uint32_t network,
                              [[maybe_unused]] std::uint32_t flits) {
  if constexpr (kMessages) {
    const std::uint32_t port = port_of_output(plan_.ports.output_of_terminal[terminal]);
    const auto vc = static_cast<std::uint32_t>(std::countr_zero(network_masks_[network]));
    const std::uint64_t back = grid(step_) + routers_.out_link(port).latency + speedup() + credit_delay_;
    for (std::uint32_t flit = 0; flit < flits; ++flit) credits_.add(back, (port << shift()) | vc);
  }
}

/// Whether so many flits wait for the output that those who come now are marked: in input lanes whose front
/// packets go there, and in its own buffers. A queue that waits for room behind the output is the fault of
/// another one further on, which marks by itself; room behind is there where at most half of it is taken.
template <class Shape, Mode kMode>
bool Core<Shape, kMode>::congested(std::uint32_t router, std::uint32_t place) const {
  if constexpr (kFull && !kWhole) {
    const std::uint32_t port = routers_.first_port(router) + place, first = first_lane(router);
    std::uint32_t waiting = 0, room = 0;
    for (std::uint32_t vc = 0; vc < settings_.vcs; ++vc) {
      const std::uint32_t out_lane = (port << shift()) | vc;
      Bits::for_each(routers_.wants_lane(out_lane), words(), [&](std::uint32_t own) {
        // A lane that may have several is counted with its first.
        const InLane& lane = routers_.in_lane(first + own);
        if (static_cast<std::uint32_t>(std::countr_zero(lane.allowed)) == vc) waiting += lane.present;
      });
      const OutLane& out = routers_.out_lane(out_lane);
      if (out.owner != kNoOwner) waiting += routers_.in_lane(first + out.owner).present;
      if (queued_outputs_) {
        waiting += routers_.link_lane(out_lane).queued;
        room += routers_.link_lane(out_lane).credits;
      } else {
        room += static_cast<std::uint32_t>(std::max<int>(out.room, 0));
      }
    }
    if (waiting < throttle_->threshold()) return false;
    return routers_.out_link(port).input == kNobody || 2 * room >= settings_.vcs * settings_.vc_buffer;
  }
  return false;
}

// Failures: what they do to packets that are in the network. See plan/failing_plan.hpp.

/// The packet is lost: from the next router on nobody has an entry for where it goes.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::lose(std::uint32_t packet) {
  packets_[packet].target = plan_.network.terminal_count();
}

/// Calls visit(packet) for what arrives at an input lane, in order of time: kNobody for flits behind heads.
template <class Shape, Mode kMode>
template <class Visit>
void Core<Shape, kMode>::for_each_coming(std::uint32_t index, const Visit& visit) const {
  flits_.for_each_from(step_, [&](const FlitEvent& event) {
    if (event.lane == index) visit(event.packet);
  });
}

/// The packet whose head has come to the input lane, and whose tail has not. Heads go ahead of their packets:
/// where it is no longer here, it is on its way from here, or further on.
template <class Shape, Mode kMode>
std::uint32_t Core<Shape, kMode>::arriving(std::uint32_t index) const {
  while (routers_.in_lane(index).head == kNobody) {
    const std::uint32_t out = first_lane(router_of_lane(index)) + routers_.in_lane(index).out;
    index = routers_.out_link(out >> shift()).input + vc_of(out);
    std::uint32_t last = kNobody;
    for_each_coming(index, [&](std::uint32_t packet) { last = packet == kNobody ? last : packet; });
    if (last != kNobody) return last;
  }
  return routers_.in_lane(index).tail;
}

template <class Shape, Mode kMode>
void Core<Shape, kMode>::fail_channel([[maybe_unused]] std::uint32_t channel) {
  if constexpr (kMode == Mode::full) {
    const std::uint32_t port = port_of_output(plan_.ports.output_of_channel[channel]);
    const std::uint32_t router = routers_.router_of(port), first = first_lane(router);
    for (std::uint32_t index = first; index < first_lane(router + 1); ++index) {
      const InLane& lane = routers_.in_lane(index);
      const bool given = lane.stage == LaneStage::waiting || lane.stage == LaneStage::active;
      if (given && (first + lane.out) >> shift() == port) lose(lane.head);
    }
    for (std::uint32_t vc = 0; vc < settings_.vcs; ++vc) {
      const std::uint32_t to = routers_.out_link(port).input + vc;
      const std::uint32_t owner = routers_.out_lane((port << shift()) | vc).owner;
      // Flits before the first head that is on its way are of a packet whose head has arrived.
      bool any = false,
           behind_head = owner != kNoOwner && routers_.in_lane(first + owner).stage == LaneStage::body;
      for_each_coming(to, [&](std::uint32_t packet) {
        if (!any) behind_head = packet == kNobody;
        any = true;
        if (packet != kNobody) lose(packet);
      });
      if (behind_head) lose(arriving(to));
    }
  }
}

template <class Shape, Mode kMode>
void Core<Shape, kMode>::fail_router([[maybe_unused]] std::uint32_t router) {
  if constexpr (kMode == Mode::full) {
    for (std::uint32_t index = first_lane(router); index < first_lane(router + 1); ++index) {
      const InLane& lane = routers_.in_lane(index);
      for (std::uint32_t p = lane.head; p != kNobody; p = p == lane.tail ? kNobody : packets_[p].next)
        lose(p);
    }
    flits_.for_each_from(step_, [&](const FlitEvent& event) {
      if (router_of_lane(event.lane) == router && event.packet != kNobody) lose(event.packet);
    });
  }
}

}  // namespace unknot::simulate
