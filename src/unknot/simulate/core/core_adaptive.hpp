// SPDX-License-Identifier: Apache-2.0
#pragma once

// Adaptive routing: a head takes an output that it can have now, and looks again while it waits. What holds a
// packet is one buffer until another has room for all of it, so that a head that waits has taken nothing.
// See core.hpp and adaptive_plan.hpp.
#include "unknot/simulate/core/core.hpp"

namespace unknot::simulate {

/// The lane of the routing that the packet has come to the router by.
template <class Shape, Mode kMode>
std::uint32_t Core<Shape, kMode>::arrival_lane(std::uint32_t router, std::uint32_t own,
                                               std::uint32_t p) const {
  if constexpr (kFull) {
    const std::uint32_t from = plan_.ports.input_from[plan_.ports.first_input[router] + (own >> shift())];
    if ((from & Ports::kTerminal) == 0) return vc_of(own) / group_size_;
    const std::uint32_t lane =
        plan_.adaptive->lanes().injected(packets_[p].state, TerminalId(packets_.journey(p).source));
    if (lane >= kLanesToldApart) no_lane(router, lane);
    return lane;
  }
  return 0;
}

template <class Shape, Mode kMode>
AdaptivePlan::Options Core<Shape, kMode>::options_of(std::uint32_t router, std::uint32_t own, std::uint32_t p,
                                                     std::uint32_t arrival) const {
  if constexpr (kFull) {
    const std::uint16_t in = plan_.ports.input_number[plan_.ports.first_input[router] + (own >> shift())];
    return plan_.adaptive->options(RouterId(router), in, static_cast<std::uint8_t>(arrival),
                                   packets_[p].state, TerminalId(packets_.journey(p).source),
                                   TerminalId(packets_[p].target));
  }
  return {};
}

/// The routing's lane behind the output, of a packet that has come by lane `arrival`.
template <class Shape, Mode kMode>
std::uint32_t Core<Shape, kMode>::adaptive_lane(std::uint32_t router, std::uint32_t own, std::uint32_t place,
                                                std::uint32_t p, std::uint32_t arrival) const {
  if constexpr (kFull) {
    const std::uint32_t lane = plan_.adaptive->lanes().next(
        packets_[p].state, static_cast<std::uint8_t>(arrival), RouterId(router),
        plan_.ports.input_number[plan_.ports.first_input[router] + (own >> shift())],
        plan_.ports.output_number[plan_.ports.first_output[router] + place]);
    if (lane >= kLanesToldApart) no_lane(router, lane);
    return lane;
  }
  return 0;
}

/// Nobody has the lane, and there is room behind it for a packet.
template <class Shape, Mode kMode>
bool Core<Shape, kMode>::can_be_had(std::uint32_t out_lane) const {
  const OutLane& lane = routers_.out_lane(out_lane);
  if constexpr (kWhole) {
    return lane.room > 0;
  } else {
    return (routers_.out_port(out_lane >> shift()).free >> vc_of(out_lane) & 1U) != 0 &&
           lane.room >= static_cast<int>(settings_.packet_flits);
  }
}

template <class Shape, Mode kMode>
bool Core<Shape, kMode>::any_can_be_had(std::uint32_t port, std::uint32_t lanes) const {
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1)
    if (can_be_had((port << shift()) | static_cast<std::uint32_t>(std::countr_zero(rest)))) return true;
  return false;
}

template <class Shape, Mode kMode>
typename Core<Shape, kMode>::Choice Core<Shape, kMode>::choose_adaptive(std::uint32_t router,
                                                                        std::uint32_t own, std::uint32_t p) {
  if constexpr (kFull) {
    const std::uint32_t destination = packets_[p].target;
    const RoutePlan::Goal& goal = plan_.goals[destination];
    const std::uint32_t arrival = arrival_lane(router, own, p);
    if (goal.home == router) {
      if (large_) packets_.prefetch_journey(p);
      (void)adaptive_lane(router, own, goal.eject, p, arrival);
      return {goal.eject, all_lanes_};
    }
    const auto [places, again] = options_of(router, own, p, arrival);
    if (places.empty()) no_route(router, destination);
    const auto count = static_cast<std::uint32_t>(places.size());
    Choice best{};
    bool best_open = false;
    std::uint32_t best_used = 0;
    begin_draws(first_lane(router) + own);
    std::uint32_t at = count == 1 ? 0 : random_.below(count);
    for (std::uint32_t i = 0; i < count; ++i, at = at + 1 == count ? 0 : at + 1) {
      const std::uint32_t lane = adaptive_lane(router, own, places[at], p, arrival);
      if (lane >= plan_.lanes_needed) no_lane(router, lane);
      const Choice choice{places[at], lane_groups_[lane], again};
      if (count == 1) return choice;
      const bool open = any_can_be_had(routers_.first_port(router) + choice.place, choice.allowed);
      const std::uint32_t in_use =
          used(router, choice.place) + asked_[routers_.first_port(router) + choice.place];
      if (i > 0 && (open == best_open ? in_use >= best_used : best_open)) continue;
      best = choice;
      best_open = open;
      best_used = in_use;
    }
    return best;
  }
  return {};
}

/// The head of the input lane wants the output, and perhaps another while it waits.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::begin_asking(std::uint32_t index, std::uint32_t port, bool again) {
  if (!adapts_) return;
  looking_.set_if(again, index);
  ++asked_[port];
}

/// It has got it.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::end_asking(std::uint32_t index, std::uint32_t port) {
  if (!kFull || !adapts_) return;
  looking_.clear(index);
  --asked_[port];
}

/// A lane of the output can be had that could not.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::room_at(std::uint32_t port) {
  roomier_.set(routers_.router_of(port));
  wake_block(port);
}

/// Heads that wait at routers with new room.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::look_again(std::uint32_t first_port, std::uint32_t last_port) {
  const std::uint32_t first = routers_.router_of(first_port), last = routers_.router_of(last_port - 1) + 1;
  roomier_.for_each_in(first, last, [this](std::uint32_t router) {
    looking_.for_each_in(first_lane(router), first_lane(router + 1),
                         [this](std::uint32_t index) { choose_again(index); });
  });
  roomier_.clear_in(first, last);
}

/// What the head waits for cannot be had, and perhaps something else can.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::choose_again(std::uint32_t index) {
  if constexpr (kFull) {
    InLane& lane = routers_.in_lane(index);
    const std::uint32_t router = router_of_lane(index), first = first_lane(router);
    const std::uint32_t own = index - first, port = (first + lane.out) >> shift();
    std::uint32_t asked = 0;
    if constexpr (kWhole) {
      asked = 1U << vc_of(lane.out);
    } else {
      asked = lane.allowed;
    }
    if (any_can_be_had(port, asked)) return;
    const Choice choice = choose_adaptive(router, own, lane.head);
    const std::uint32_t other = routers_.first_port(router) + choice.place;
    if (!any_can_be_had(other, choice.allowed)) return;
    see(WatchEvent::Kind::routed, lane.head, 0, step_, other, choice.allowed);
    --asked_[port];
    ++asked_[other];
    if constexpr (kWhole) {
      withdraw(port, first + lane.out, own);
      lane.out = request_crossing(other, own, choice);
    } else {
      for (std::uint32_t rest = asked; rest != 0; rest &= rest - 1) {
        Bits::clear(
            routers_.wants_lane((port << shift()) | static_cast<std::uint32_t>(std::countr_zero(rest))), own);
      }
      ask_for_lanes(index, choice);
    }
  }
}

}  // namespace unknot::simulate
