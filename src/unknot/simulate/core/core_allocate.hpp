// SPDX-License-Identifier: Apache-2.0
#pragma once

// Allocation of lanes and of the switch, and the crossing of flits. See core.hpp.
#include <algorithm>
#include <bit>

#include "unknot/simulate/core/core.hpp"

namespace unknot::simulate {

/// The lane of the output at which the input lane's arbiter starts: the one after the lane that it had, if
/// that was one of this output.
template <class Shape, Mode kMode>
std::uint32_t Core<Shape, kMode>::preferred_lane(std::uint32_t port, std::uint32_t own) const {
  const std::uint32_t first = routers_.first_port(routers_.router_of(port));
  const std::uint32_t preferred = routers_.in_lane((first << shift()) + own).preferred;
  return vc_of(preferred) & (preferred >> shift() == port - first ? ~0U : 0U);
}

/// The input lane takes this lane of the output.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::take_lane(std::uint32_t port, std::uint32_t own, std::uint32_t vc) {
  if constexpr (!kWhole) {
    const std::uint32_t first = routers_.first_port(routers_.router_of(port));
    const std::uint32_t place = port - first, index = (first << shift()) + own;
    InLane& lane = routers_.in_lane(index);
    if constexpr (kFull) {
      for (std::uint32_t rest = lane.allowed; rest != 0; rest &= rest - 1) {
        Bits::clear(
            routers_.wants_lane((port << shift()) | static_cast<std::uint32_t>(std::countr_zero(rest))), own);
      }
    } else {
      Bits::clear(routers_.wants_lane(row_of(port, vc)), own);
    }
    see(WatchEvent::Kind::lane, lane.head, 0, step_, port, 1U << vc);
    end_asking(index, port);
    routers_.out_port(port).free &= static_cast<LaneBits>(~(1U << vc));
    lane.out = static_cast<Place>((place << shift()) | vc);
    // The number after; where that is none, the arbiters begin at the lowest, which is the same.
    lane.preferred = static_cast<Place>((place << shift()) + vc + 1);
    OutLane& out = routers_.out_lane((port << shift()) | vc);
    out.owner = static_cast<Place>(own);
    out.preferred = static_cast<Place>(own + 1);
    if constexpr (kSingle) {
      Bits::set_if(out.room > 0, routers_.wants_switch(port), own);
      switch_active_.set_if(out.room > 0, port);
    } else {
      lane.stage = LaneStage::active;
      if (settings_.vc_alloc_delay > 1) {
        granted_later_.add(step_ + settings_.vc_alloc_delay, index);
      } else if (lane.present > 0 && out.room > 0) {
        request_switch(port, own);
      }
    }
  }
}

/// Input lanes that have been chosen by lanes of the output take one of them each.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::settle_lanes(std::uint32_t port) {
  lane_offers_.settle([&](std::uint32_t own) { return preferred_lane(port, own); },
                      [&](std::uint32_t own, std::uint32_t vc) { take_lane(port, own, vc); });
}

/// Row of wants_lane with the input lanes that ask for this lane.
template <class Shape, Mode kMode>
std::uint32_t Core<Shape, kMode>::row_of(std::uint32_t port, std::uint32_t vc) const {
  if constexpr (kFull) return (port << shift()) | vc;
  if (routers_.row_shift() == 0) return port;
  // A terminal takes its packets on any lane: at its port all are one group.
  const bool to_terminal = routers_.out_link(port).input == kNobody;
  return (port << routers_.row_shift()) + (to_terminal ? 0 : group_of_[vc]);
}

/// Of these input lanes, all of which may have any lane of the group, and its lanes that are free: of both at
/// least one.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::allocate_group(std::uint32_t port, const std::uint64_t* requests,
                                        std::uint32_t free) {
  if constexpr (!kFull) {
    if (Bits::one(requests, words())) {
      const std::uint32_t own = Bits::first_from(requests, words(), 0);
      take_lane(port, own, first_from(std::uint64_t{free}, preferred_lane(port, own)));
      return;
    }
    for (std::uint32_t rest = free; rest != 0; rest &= rest - 1) {
      const auto vc = static_cast<std::uint32_t>(std::countr_zero(rest));
      lane_offers_.offer(
          Bits::first_from(requests, words(), routers_.out_lane((port << shift()) | vc).preferred), vc);
    }
    settle_lanes(port);
  }
}

template <class Shape, Mode kMode>
void Core<Shape, kMode>::allocate_groups(std::uint32_t port) {
  if constexpr (!kFull) {
    const OutPort& out = routers_.out_port(port);
    if (routers_.row_shift() == 0) {
      const std::uint64_t* const requests = routers_.wants_lane(port);
      allocate_group(port, requests, out.free);
      lane_active_.clear_if(out.free == 0 || !Bits::any(requests, words()), port);
      return;
    }
    bool more = false;
    const std::uint32_t groups = out.input == kNobody ? 1 : plan_.lanes_needed;
    for (std::uint32_t group = 0; group < groups; ++group) {
      const std::uint32_t lanes = groups == 1 ? all_lanes_ : lane_groups_[group];
      const std::uint64_t* const requests = routers_.wants_lane((port << routers_.row_shift()) + group);
      if ((out.free & lanes) == 0 || !Bits::any(requests, words())) continue;
      allocate_group(port, requests, out.free & lanes);
      more |= (out.free & lanes) != 0 && Bits::any(requests, words());
    }
    lane_active_.clear_if(!more, port);
  }
}

/// Input lanes that ask for this lane and may have it: without room for a bubble nobody enters a ring.
template <class Shape, Mode kMode>
const std::uint64_t* Core<Shape, kMode>::may_have(std::uint32_t out_lane) {
  const std::uint64_t* const row = routers_.wants_lane(out_lane);
  if (!plan_.bubble || routers_.out_lane(out_lane).room >= 2 * static_cast<int>(settings_.packet_flits))
    return row;
  const std::uint64_t* const entering = entering_.data() + std::size_t{out_lane >> shift()} * words();
  for (std::uint32_t w = 0; w < words(); ++w) candidates_[w] = row[w] & ~entering[w];
  return candidates_.data();
}

template <class Shape, Mode kMode>
void Core<Shape, kMode>::allocate_given_lanes(std::uint32_t port) {
  if constexpr (!kWhole) {
    const int need = whole_packets_ ? static_cast<int>(settings_.packet_flits) : 0;
    std::uint32_t ready = 0;  // free lanes that somebody may have
    for (std::uint32_t rest = routers_.out_port(port).free; rest != 0; rest &= rest - 1) {
      const auto vc = static_cast<std::uint32_t>(std::countr_zero(rest));
      const std::uint32_t out_lane = (port << shift()) | vc;
      const bool asked = Bits::any(may_have(out_lane), words()) && routers_.out_lane(out_lane).room >= need;
      ready |= std::uint32_t{asked} << vc;
    }
    const auto chosen_by = [&](std::uint32_t vc) {
      const std::uint32_t out_lane = (port << shift()) | vc;
      if (Shape::kAged && by_age_) return oldest(may_have(out_lane), first_lane(routers_.router_of(port)));
      return Bits::first_from(may_have(out_lane), words(), routers_.out_lane(out_lane).preferred);
    };
    if ((ready & (ready - 1)) == 0) {
      // Others that ask wake the output again: with room, with the lane that is taken now, or as they come.
      lane_active_.clear(port);
      if (ready != 0) {
        const auto vc = static_cast<std::uint32_t>(std::countr_zero(ready));
        take_lane(port, chosen_by(vc), vc);
      }
      return;
    }
    for (std::uint32_t rest = ready; rest != 0; rest &= rest - 1) {
      const auto vc = static_cast<std::uint32_t>(std::countr_zero(rest));
      lane_offers_.offer(chosen_by(vc), vc);
    }
    settle_lanes(port);
    lane_active_.clear_if(routers_.out_port(port).free == 0, port);
  }
}

/// Lanes whose packets have left in this step can be had in the next.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::free_lanes() {
  if constexpr (!kWhole) {
    for (const std::uint32_t out_lane : freed_) {
      const std::uint32_t port = out_lane >> shift();
      routers_.out_port(port).free |= static_cast<LaneBits>(1U << vc_of(out_lane));
      lane_active_.set_if(Bits::any(routers_.wants_lane(row_of(port, vc_of(out_lane))), words()), port);
      if (kFull && adapts_) room_at(port);
    }
    freed_.clear();
  }
}

/// By age: when the packet was created. By class the same, but each virtual network is older than those below
/// it by more than any packet lives.
template <class Shape, Mode kMode>
std::uint32_t Core<Shape, kMode>::seniority(std::uint32_t p) const {
  const std::uint32_t created = packets_.journey(p).created;
  if constexpr (kMessages) {
    constexpr std::uint32_t kLifetime = 1U << 27U;
    if (settings_.priority == Priority::network)
      return created - network_of(packets_.errand(p).message) * kLifetime;
  }
  return created;
}

/// Of a router's input lanes in a mask the one whose packet was created first; of equals the lowest.
template <class Shape, Mode kMode>
std::uint32_t Core<Shape, kMode>::oldest(const std::uint64_t* mask, std::uint32_t first) const {
  std::uint32_t chosen = kNobody, most = 0;
  Bits::for_each(mask, words(), [&](std::uint32_t own) {
    const std::uint32_t age = static_cast<std::uint32_t>(cycle_) - front_created_[first + own];
    if (chosen != kNobody && age <= most) return;
    chosen = own;
    most = age;
  });
  return chosen;
}

/// Each output chooses an input lane, each input an output of those that have chosen it. [iSLIP, one
/// iteration]
template <class Shape, Mode kMode>
void Core<Shape, kMode>::allocate_switch(std::uint32_t first_port, std::uint32_t last_port) {
  const auto offer = [&](std::uint32_t port) {
    const std::uint32_t first = routers_.first_port(routers_.router_of(port));
    const std::uint32_t own =
        kWhole ? grant_packet(port)
               : Bits::first_from(routers_.wants_switch(port), words(),
                                  std::uint32_t{routers_.out_port(port).preferred} << shift());
    const std::uint32_t input = first + (own >> shift());
    if (large_) {
      const std::uint32_t head = routers_.in_lane((first << shift()) + own).head;
      if (kAsOne || head != kNobody) packets_.prefetch(head, routers_.out_link(port).input == kNobody);
    }
    output_offers_.offer(input - first_port, port - first);
  };
  if (kFull && !kWhole && offers_apart_) [[unlikely]] {
    offer_apart(first_port, last_port);
  } else {
    switch_active_.for_each_in(first_port, last_port, offer);
  }
  output_offers_.settle(
      [&](std::uint32_t input) { return std::uint32_t{routers_.in_port(first_port + input).preferred}; },
      [&](std::uint32_t input, std::uint32_t place) { cross(first_port + input, place); });
}

/// The place that a flit has left is told to the sender; that of a packet once its last flit has left.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::return_credit(std::uint32_t input, std::uint32_t vc, std::uint32_t flits_to_come) {
  const InPort& in = routers_.in_port(input);
  std::uint64_t leaves = kTrains ? grid(step_ + 1 + flits_to_come) : credit_leaves_;
  if constexpr (!kSingle) {
    if (speedup_ > 1 && links_on_grid_) {
      leaves = std::max(leaves, routers_.credit_free(input));
      routers_.credit_free(input) = leaves + speedup_;
    }
  }
  if (part_of_ != nullptr && away_inputs_.test(input)) {
    post_credit(leaves + in.credit_steps, in.upstream + vc);
  } else {
    credits_.add(leaves + in.credit_steps, in.upstream + vc);
  }
}

/// A lane of the input sends a flit to the output at this place: the first that can after the one that did
/// last.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::cross(std::uint32_t input, std::uint32_t place) {
  const std::uint32_t first = routers_.first_port(routers_.router_of(input));
  const std::uint32_t port = first + place;
  InPort& in = routers_.in_port(input);
  OutPort& out = routers_.out_port(port);
  std::uint64_t* const requests = routers_.wants_switch(port);
  const std::uint32_t in_vc = first_from(std::uint64_t{lanes_of(requests, input - first)}, in.preferred_lane);
  // Numbers after the last are as good as the first: masks have no bits there.
  in.preferred_lane = static_cast<std::uint8_t>(in_vc + 1);
  in.preferred = static_cast<Place>(place + 1);
  if constexpr (!kWhole) out.preferred = static_cast<Place>(input - first + 1);

  const std::uint32_t index = (input << shift()) | in_vc;
  if constexpr (kWhole) {
    cross_packet(port, index, index - (first << shift()));
  } else {
    cross_flit(port, index, index - (first << shift()));
  }
}

/// The flit goes from its input lane to the output.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::cross_flit(std::uint32_t port, std::uint32_t index, std::uint32_t own) {
  if constexpr (!kWhole) {
    InLane& lane = routers_.in_lane(index);
    OutPort& out = routers_.out_port(port);
    const std::uint32_t out_lane = (port << shift()) | vc_of(lane.out);
    OutLane& to = routers_.out_lane(out_lane);
    bool is_head = true, is_tail = true;
    if constexpr (!kAsOne) {
      is_head = lane.stage == LaneStage::active;
      is_tail = lane.left == 1;
      --lane.left;
      --lane.present;
      lane.stage = LaneStage::body;
    }
    const std::uint32_t next_input = out.input;
    const bool to_terminal = next_input == kNobody;
    WatchedFlit seen;
    if constexpr (!kAsOne) seen = see_crossing(index, is_head, lane.left, out_lane);
    ++flit_hops_;
    --to.room;
    // A packet goes with its head, but to a terminal with its tail: nothing happens to it in between.
    const std::uint32_t p = (to_terminal ? is_tail : is_head) ? lane.pop(packets_) : kNobody;

    if (kFull && queued_outputs_ && !to_terminal) {
      queued_.add(step_ + traversal_, {out_lane, p});
    } else {
      // Nothing holds the flit up behind the switch but flits before it: its arrival is known.
      std::uint64_t departure = flit_leaves_;
      if constexpr (!kSingle) {
        if (!steady_links_) {
          departure = std::max(departure, routers_.link_free(port));
          routers_.link_free(port) = departure + out.period;
        }
      }
      const std::uint64_t arrival = departure + out.latency;
      see(WatchEvent::Kind::sent, seen.packet, seen.number, departure, port, 1U << vc_of(out_lane));
      if (to_terminal) see(WatchEvent::Kind::arrived, seen.packet, seen.number, arrival, port, 0);
      ++out.sent;
      if (!to_terminal) {
        send_flit(port, arrival, next_input + vc_of(out_lane), p);
      } else {
        const std::uint64_t back = arrival + out.latency + speedup() + credit_delay_;
        // A receive queue keeps the place until the packet is taken.
        if constexpr (!kMessages) credits_.add(kFull && queued_outputs_ ? departure : back, out_lane);
        if (is_tail) eject(p, arrival);
      }
    }
    return_credit(index >> shift(), vc_of(index));

    if (is_tail) {
      to.owner = kNoOwner;
      freed_.add(out_lane);
      const bool more = lane.head != kNobody;
      behind_.add_if(more, index);
      if constexpr (!kAsOne) lane.stage = more ? LaneStage::routing : LaneStage::idle;
    }
    bool stops = is_tail;
    if constexpr (!kAsOne) stops = is_tail | (lane.present == 0) | (to.room <= 0);
    std::uint64_t* const requests = routers_.wants_switch(port);
    Bits::clear_if(stops, requests, own);
    switch_active_.clear_if(!Bits::any(requests, words()), port);
  }
}

/// The tail is on its way to the terminal and nothing can stop it.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::eject(std::uint32_t p, std::uint64_t arrival) {
  if constexpr (kMode == Mode::full) {
    if (plan_.ports.sinks && leaves(p)) return;
  }
  if constexpr (kWhole) {
    if (copies_ && (packets_[p].target & simulate::Packet::kGroup) != 0) {
      recorder.copy(arrival);
      packets_.give_back(p);
      return;
    }
  }
  if constexpr (kSingle) {
    const SinglePacket& packet = packets_[p];
    recorder.packet({kNobody, packet.target, static_cast<std::uint16_t>(packet.hops), 0, 1},
                    packets_.journey(p), cycle_, arrival);
  } else {
    recorder.packet(packets_[p], packets_.journey(p), cycle_, arrival);
  }
  if constexpr (kFull) {
    if (wants_messages_) arrived_.add(arrival, packets_.errand(p).message);
    if (Shape::kAged && throttle_)
      throttle_->arrived(p, packets_.journey(p).source & ~Journey::kIndirect, cycle_);
  }
  packets_.give_back(p);
}

/// The channel behind an output's buffers sends a flit, its lanes in turn, or a packet: its way through the
/// switch is still before that.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::send_from_output(std::uint32_t port) {
  if constexpr (kFull) {
    const std::uint64_t leaves = kWhole ? flit_leaves_ : step_;
    if (routers_.link_free(port) > leaves) return;
    OutPort& out = routers_.out_port(port);
    const OutLink& link = routers_.out_link(port);
    const std::uint32_t vc = first_from(std::uint64_t{out.link_requests}, out.preferred_lane);
    const std::uint32_t out_lane = (port << shift()) | vc;
    LinkLane& lane = routers_.link_lane(out_lane);
    out.preferred_lane = static_cast<std::uint8_t>(vc + 1);
    --lane.credits;
    std::uint32_t p = kNobody, flits = 1;
    if constexpr (kWhole) {
      p = lane.pop(packets_);
      flits = flits_of(p);
      if (flits == 1) in_transit_until(port, leaves);
    } else {
      --lane.queued;
      if (lane.left == 0) {
        p = lane.pop(packets_);
        lane.left = settings_.packet_flits == 1 ? std::uint8_t{1} : packets_[p].flits;
      }
      --lane.left;
    }
    if constexpr (kWhole) {
      see_sent(out_lane, p, 0, leaves);
    } else {
      see_sent(out_lane, p, lane.left, leaves);
    }
    routers_.link_free(port) = leaves + std::uint64_t{flits} * link.period;
    out.sent += flits;
    send_flit(port, leaves + link.latency + behind_head(flits, link.period), link.input + vc, p);
    if (!holds_any(lane) || lane.credits == 0) {
      out.link_requests &= static_cast<LaneBits>(~(1U << vc));
      link_active_.clear_if(out.link_requests == 0, port);
    }
    if (flits == 1) {
      give_room(out_lane);
    } else {
      emptied_.add(step_ + std::uint64_t{flits - 1} * link.period, out_lane);
    }
  }
}

}  // namespace unknot::simulate
