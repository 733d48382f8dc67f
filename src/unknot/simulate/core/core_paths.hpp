// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where a head goes, and on which lanes, beyond plain tables. See core.hpp and route_plan.hpp.
#include <algorithm>

#include "unknot/simulate/core/core.hpp"

namespace unknot::simulate {

/// What is drawn next is of this lane and step.
template <class Shape, Mode kMode>
void Core<Shape, kMode>::begin_draws(std::uint32_t lane) {
  random_.state = draw_seed_ + step_ * 0xD1342543DE82EF95U + lane * 0xAF251AF3B0F025B5U;
}

template <class Shape, Mode kMode>
typename Core<Shape, kMode>::Choice Core<Shape, kMode>::choose(std::uint32_t router, std::uint32_t own,
                                                               std::uint32_t p) {
  if constexpr (kFull) {
    if (adapts_) return choose_adaptive(router, own, p);
    const std::uint32_t input_place = own >> shift();
    const Packet& packet = packets_[p];
    if (copies_ && (packet.target & Packet::kGroup) != 0) return choose_copy(router, input_place, p);
    if ((packet.target & Packet::kVia) == 0 && plan_.goals[packet.target].home == router) {
      if (large_) packets_.prefetch_journey(p);
      const std::uint32_t eject = plan_.goals[packet.target].eject;
      if (by_level_) (void)level_lane(router, input_place, eject, packet.state);
      return {eject, kMessages ? lanes_into_terminal(p) : all_lanes_};
    }
    if (plan_.kind >= RoutePlan::Kind::minimal) {
      begin_draws(first_lane(router) + own);
      return choose_path(router, p);
    }
    if (packet.hops == 0 && plan_.address == AddressChoice::queues) [[unlikely]]
      choose_address(router, p);
    const std::uint32_t destination = packet.target;
    std::uint32_t place = RoutePlan::kNoRoute;
    if (plan_.kind == RoutePlan::Kind::tables) {
      place = plan_.next_output(router, plan_.goals[destination]);
    } else {
      const auto route =
          plan_.routing.routes()->route(TerminalId(packets_.journey(p).source), TerminalId(destination));
      if (packet.hops < route.size()) {
        place = plan_.ports.local(plan_.ports.output_of_channel[route[packet.hops].value]);
      }
    }
    if (place == RoutePlan::kNoRoute) {
      if (!plan_.ports.sinks) no_route(router, destination);
      packets_[p].state = Packet::kLost;
      return {plan_.ports.local_sink(router), all_lanes_};
    }
    if (plan_.lanes == RoutePlan::Lanes::any) return {place, all_lanes_};
    const std::uint32_t vl = level_lane(router, input_place, place, packet.state);
    if (vl >= lanes_here()) no_lane(router, vl);
    return {place, kMessages ? lanes_of_level(p, vl) : lane_groups_[vl]};
  }
  return {};
}

/// The next copy that the router makes of the packet of a group.
template <class Shape, Mode kMode>
typename Core<Shape, kMode>::Choice Core<Shape, kMode>::choose_copy(std::uint32_t router,
                                                                    std::uint32_t input_place,
                                                                    std::uint32_t p) {
  if constexpr (kFull) {
    const Packet& packet = packets_[p];
    const GroupPlan& group = plan_.multicast.groups[packet.target & ~Packet::kGroup];
    const std::uint16_t in = plan_.ports.input_number[plan_.ports.first_input[router] + input_place];
    std::uint32_t& copy = packets_.errand(p).message;
    copy = group.next_copy(router, in, copy);
    const std::uint32_t place = group.place(router, copy);
    if (plan_.lanes == RoutePlan::Lanes::any) return {place, all_lanes_};
    const std::uint32_t vl = level_lane(router, input_place, place, packet.state);
    const std::uint32_t to = plan_.ports.output_to[plan_.ports.first_output[router] + place];
    if ((to & Ports::kTerminal) != 0) return {place, all_lanes_};
    if (vl >= plan_.lanes_needed) no_lane(router, vl);
    return {place, lane_groups_[vl]};
  }
  return {};
}

/// What leaves the input lane: its first packet or, where that is of a group and goes elsewhere too, a copy.
/// The packet itself stays in its place until its last copy leaves: there is room for a copy where there is
/// room for a packet.
template <class Shape, Mode kMode>
std::uint32_t Core<Shape, kMode>::take_copy(std::uint32_t index) {
  InLane& lane = routers_.in_lane(index);
  const std::uint32_t p = lane.head;
  if ((packets_[p].target & simulate::Packet::kGroup) == 0) return lane.pop(packets_);
  const std::uint32_t router = router_of_lane(index);
  const std::uint32_t input =
      plan_.ports.first_input[router] + (index >> shift()) - routers_.first_port(router);
  const GroupPlan& group = plan_.multicast.groups[packets_[p].target & ~simulate::Packet::kGroup];
  const std::uint32_t next =
      group.next_copy(router, plan_.ports.input_number[input], packets_.errand(p).message + 1);
  if (next == GroupPlan::kNone) {
    packets_.errand(p).message = 0;  // at the next router
    return lane.pop(packets_);
  }
  const std::uint32_t copy = packets_.take();
  packets_[copy] = packets_[p];
  packets_[copy].next = kNobody;
  packets_.journey(copy) = packets_.journey(p);
  packets_.errand(copy) = {packets_.errand(p).destination, 0};
  packets_.errand(p).message = next;
  --packets_[p].hops;  // is routed again
  return copy;
}

/// Lane that a packet of that level leaves by; it may be the cable of its destination.
template <class Shape, Mode kMode>
std::uint32_t Core<Shape, kMode>::level_lane(std::uint32_t router, std::uint32_t input_place,
                                             std::uint32_t place, std::uint8_t level) const {
  std::uint16_t in = 0, out = 0;
  if (lane_function_.map() != nullptr) {
    in = plan_.ports.input_number[plan_.ports.first_input[router] + input_place];
    out = plan_.ports.output_number[plan_.ports.first_output[router] + place];
  }
  const std::uint32_t lane = lane_function_.lane(level, RouterId(router), in, out);
  if (lane >= kLanesToldApart) no_lane(router, lane);
  return lane;
}

/// Flits in the buffers behind the output: in its own output buffer where it has one, else in the next
/// router's input buffer, those on the way included.
template <class Shape, Mode kMode>
std::uint32_t Core<Shape, kMode>::used(std::uint32_t router, std::uint32_t place) const {
  const std::uint32_t first = (routers_.first_port(router) + place) << shift();
  std::int32_t room = 0;
  for (std::uint32_t vc = 0; vc < settings_.vcs; ++vc) room += routers_.out_lane(first + vc).room;
  if constexpr (kWhole) {
    const std::uint32_t queues = buffer_behind_ - taking_turns_ * settings_.vcs;
    return queues - static_cast<std::uint32_t>(room) + in_transit_[first >> shift()];
  }
  return buffer_behind_ - static_cast<std::uint32_t>(room);
}

template <class Shape, Mode kMode>
std::uint32_t Core<Shape, kMode>::minimal_output(std::uint32_t router, std::uint32_t destination,
                                                 bool least) {
  const std::uint32_t only = plan_.only_output.at(router, plan_.endpoint_of[destination]);
  if (only != PlaceTable::kNone) return only;
  const auto next = plan_.minimal->next(RouterId(router), RouterId(destination));
  const std::uint32_t chosen = random_.below(static_cast<std::uint32_t>(next.size()));
  std::uint32_t best = plan_.ports.local(plan_.ports.output_of_channel[next[chosen].value]);
  if (!least) return best;
  std::uint32_t best_used = used(router, best);
  for (const ChannelId c : next) {
    const std::uint32_t place = plan_.ports.local(plan_.ports.output_of_channel[c.value]);
    const std::uint32_t place_used = used(router, place);
    if (place_used >= best_used) continue;
    best = place;
    best_used = place_used;
  }
  return best;
}

/// What is in use at the fullest output of a shortest path to the router, at each router by the output with
/// least.
template <class Shape, Mode kMode>
std::uint32_t Core<Shape, kMode>::most_used_along(std::uint32_t router, std::uint32_t to) {
  std::uint32_t most = 0;
  while (router != to) {
    const std::uint32_t place = minimal_output(router, to, true);
    most = std::max(most, used(router, place));
    const std::uint32_t channel = plan_.ports.output_to[plan_.ports.first_output[router] + place];
    router = plan_.network.target(ChannelId(channel)).value;
  }
  return most;
}

/// What UGAL counts of a shortest path to the router: its first output, or with Ugal::global the fullest.
template <class Shape, Mode kMode>
std::uint32_t Core<Shape, kMode>::used_towards(std::uint32_t router, std::uint32_t to) {
  if (plan_.ugal.global) [[unlikely]]
    return most_used_along(router, to);
  return used(router, minimal_output(router, to, true));
}

/// A router with terminals on a shortest path, both ends among them. [Nesson and Johnsson 1995: ROMM]
template <class Shape, Mode kMode>
std::uint32_t Core<Shape, kMode>::draw_within(std::uint32_t router, std::uint32_t goal) {
  const MinimalPaths& paths = *plan_.minimal;
  const std::uint32_t length = paths.distance(RouterId(router), RouterId(goal));
  const auto lies_within = [&](std::uint32_t via) {
    return std::uint32_t{paths.distance(RouterId(router), RouterId(via))} +
               paths.distance(RouterId(via), RouterId(goal)) ==
           length;
  };
  std::uint32_t count = 0;
  for (const std::uint32_t via : plan_.endpoints) count += lies_within(via) ? 1 : 0;
  std::uint32_t left = random_.below(count);
  for (const std::uint32_t via : plan_.endpoints) {
    if (lies_within(via) && left-- == 0) return via;
  }
  return goal;
}

/// Whether a shortest path from the intermediate router leads by here again, to what is to be avoided.
template <class Shape, Mode kMode>
bool Core<Shape, kMode>::comes_back(std::uint32_t router, std::uint32_t via, std::uint32_t goal) const {
  const MinimalPaths& paths = *plan_.minimal;
  return std::uint32_t{paths.distance(RouterId(via), RouterId(router))} +
             paths.distance(RouterId(router), RouterId(goal)) ==
         paths.distance(RouterId(via), RouterId(goal));
}

/// At the source: by way of an intermediate router or not. [Kathareios et al., SC'15, sections 3.2, 3.3]
template <class Shape, Mode kMode>
void Core<Shape, kMode>::decide_indirect(std::uint32_t router, std::uint32_t p) {
  if constexpr (kFull) {
    Packet& packet = packets_[p];
    const std::uint32_t goal = plan_.goals[packet.target].home;
    if (plan_.within) {
      const std::uint32_t via = draw_within(router, goal);
      if (via != router && via != goal) packet.target = Packet::kVia | via;
      return;
    }
    const auto count = static_cast<std::uint32_t>(plan_.endpoints.size());
    if (count < 3) return;
    const auto draw = [&] {
      std::uint32_t via = 0;
      do {
        via = plan_.endpoints[random_.below(count)];
      } while (via == router || via == goal);
      return via;
    };
    std::uint32_t chosen = kNobody;
    if (plan_.kind == RoutePlan::Kind::valiant) {
      chosen = draw();
    } else {
      const Ugal& ugal = plan_.ugal;
      const std::uint32_t minimal = used_towards(router, goal);
      if (static_cast<double>(minimal) <= ugal.threshold * buffer_behind_ && ugal.threshold > 0) return;
      double best = static_cast<double>(minimal);
      const double length = plan_.minimal->distance(RouterId(router), RouterId(goal));
      for (std::uint32_t i = 0; i < ugal.indirect; ++i) {
        const std::uint32_t via = draw();
        if (packet.hops > 0 && comes_back(router, via, goal)) continue;
        std::uint32_t in_use = used_towards(router, via);
        if (ugal.global) in_use = std::max(in_use, most_used_along(via, goal));
        double cost = ugal.penalty * in_use;
        if (ugal.by_length) {
          cost *= (plan_.minimal->distance(RouterId(router), RouterId(via)) +
                   plan_.minimal->distance(RouterId(via), RouterId(goal))) /
                  length;
        }
        // A tie is the minimal path's.
        if (cost < best) {
          best = cost;
          chosen = via;
        }
      }
      if (chosen == kNobody) return;
    }
    packets_.journey(p).source |= Journey::kIndirect;
    packet.target = Packet::kVia | chosen;
  }
}

/// At the source: of its destination's addresses the packet goes to the one with the least in use behind the
/// first output, of equals to the one that it came with. [BookSim2's adaptive_xy_yx]
template <class Shape, Mode kMode>
void Core<Shape, kMode>::choose_address(std::uint32_t router, std::uint32_t p) {
  if constexpr (kFull) {
    Packet& packet = packets_[p];
    const std::uint32_t addresses = plan_.network.terminal_count() / plan_.hosts->terminal_count();
    const std::uint32_t first = packet.target / addresses * addresses;
    const auto in_use = [&](std::uint32_t target) {
      return used(router, plan_.next_output(router, plan_.goals[target]));
    };
    std::uint32_t least = in_use(packet.target);
    for (std::uint32_t target = first; target < first + addresses; ++target) {
      const std::uint32_t here = in_use(target);
      if (here >= least) continue;
      least = here;
      packet.target = target;
    }
    packet.state =
        plan_.routing.service_levels.get(TerminalId(packets_.journey(p).source), TerminalId(packet.target));
  }
}

/// With Ugal::progressive: the packet has gone minimally so far, and is to be weighed again here.
template <class Shape, Mode kMode>
bool Core<Shape, kMode>::undecided(std::uint32_t p) const {
  if constexpr (kFull) return packets_[p].hops > 0 && packets_[p].state < plan_.ugal.progressive;
  return false;
}

/// Whether a packet that is weighed here, and leaves by this output, is weighed again at the next router.
/// Paths from there are those of Valiant's routing only where it has terminals.
template <class Shape, Mode kMode>
bool Core<Shape, kMode>::weighed_again(std::uint32_t router, std::uint32_t place, std::uint32_t p) const {
  const auto& packet = packets_[p];
  if (packet.hops >= plan_.ugal.progressive || (packet.target & simulate::Packet::kVia) != 0) return false;
  const std::uint32_t channel = plan_.ports.output_to[plan_.ports.first_output[router] + place];
  const RouterId next = plan_.network.target(ChannelId(channel));
  return next.value != plan_.goals[packet.target].home && !plan_.network.terminals_at(next).empty();
}

template <class Shape, Mode kMode>
typename Core<Shape, kMode>::Choice Core<Shape, kMode>::choose_path(std::uint32_t router, std::uint32_t p) {
  if constexpr (kFull) {
    Packet& packet = packets_[p];
    const bool decides = packet.hops == 0 || undecided(p);
    bool turned = false;
    if (decides && (plan_.kind != RoutePlan::Kind::minimal || plan_.within)) decide_indirect(router, p);
    if (packet.target == (Packet::kVia | router)) {
      packet.target = packets_.errand(p).destination;
      turned = !plan_.within;  // else the whole is one shortest path
    }
    const std::uint32_t goal =
        (packet.target & Packet::kVia) != 0 ? packet.target & ~Packet::kVia : plan_.goals[packet.target].home;
    const std::uint32_t place = minimal_output(router, goal, plan_.kind == RoutePlan::Kind::ugal && decides);
    if (plan_.ugal.progressive > 0 && decides && weighed_again(router, place, p)) [[unlikely]] {
      packet.state = static_cast<std::uint8_t>(packet.hops);
    } else if (decides) {
      packet.state = plan_.steps.first;
    } else {
      packet.state = turned ? plan_.steps.turned[packet.state] : plan_.steps.onward[packet.state];
    }
    if (plan_.lanes == RoutePlan::Lanes::any) return {place, all_lanes_};
    if (packet.state >= plan_.lanes_needed) no_lane(router, packet.state);
    return {place, lane_groups_[packet.state]};
  }
  return {};
}

}  // namespace unknot::simulate
