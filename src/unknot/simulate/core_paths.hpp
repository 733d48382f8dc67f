// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where a head goes, and on which lanes, beyond plain tables. See core.hpp and route_plan.hpp.
#include "unknot/simulate/core.hpp"

namespace unknot::simulate {

/// Flits in the buffers behind the output: in its own output buffer where it has one, else in the next
/// router's input buffer, those on the way included.
template <std::uint32_t kWords, Mode kMode>
std::uint32_t Core<kWords, kMode>::occupancy(std::uint32_t output) const {
  return used_[output];
}

/// Lanes beyond those that the routing tells apart are shared out: each of its lanes is a group of them, so
/// what was proven of its lanes holds for the groups.
template <std::uint32_t kWords, Mode kMode>
std::uint32_t Core<kWords, kMode>::lane_group(std::uint32_t lane) const {
  const std::uint32_t size = settings_.vcs / plan_.lanes_needed;
  const std::uint32_t bits = size >= 32 ? ~0U : (1U << size) - 1;
  return bits << (lane * size);
}

template <std::uint32_t kWords, Mode kMode>
typename Core<kWords, kMode>::Choice Core<kWords, kMode>::choose(std::uint32_t lane, const InPort& port,
                                                                 Entry& entry) {
  const std::uint32_t destination =
      (entry.target & Entry::kVia) != 0 ? packets_[entry.packet].destination : entry.target;
  if (plan_.goals[destination].home == port.router && entry.target == destination) {
    return {plan_.goals[destination].eject, all_lanes_};
  }
  if (plan_.kind >= RoutePlan::Kind::minimal) return choose_path(port, entry);
  std::uint32_t local = RoutePlan::kNoRoute;
  if (plan_.kind == RoutePlan::Kind::tables) {
    local = plan_.table[std::size_t{port.router} * plan_.columns + plan_.goals[destination].column];
  } else {
    const auto route =
        plan_.routing.routes->route(TerminalId(packets_[entry.packet].source), TerminalId(destination));
    if (entry.hops < route.size()) {
      local = plan_.ports.local(plan_.ports.output_of_channel[route[entry.hops].value]);
    }
  }
  if (local == RoutePlan::kNoRoute) no_route(port.router, destination);
  if (plan_.lanes == RoutePlan::Lanes::any) return {local, all_lanes_};
  const std::uint32_t output = port.first_output + local;
  const std::uint32_t vl =
      lane_of_hop(plan_.routing.lane_map.get(), entry.state, RouterId(port.router),
                  plan_.ports.input_number[lane >> shift_], plan_.ports.output_number[output]);
  if (vl >= plan_.lanes_needed) no_lane(port.router, vl);
  return {local, lane_group(vl)};
}

template <std::uint32_t kWords, Mode kMode>
std::uint32_t Core<kWords, kMode>::minimal_output(std::uint32_t router, std::uint32_t destination,
                                                  bool least) {
  const auto next = plan_.minimal->next(RouterId(router), RouterId(destination));
  if (next.size() == 1) return plan_.ports.output_of_channel[next[0].value];
  const std::uint32_t chosen = random_.below(static_cast<std::uint32_t>(next.size()));
  std::uint32_t best = plan_.ports.output_of_channel[next[chosen].value];
  if (!least) return best;
  for (const ChannelId c : next) {
    const std::uint32_t output = plan_.ports.output_of_channel[c.value];
    if (occupancy(output) < occupancy(best)) best = output;
  }
  return best;
}

/// At the source: by way of an intermediate router or not. [Kathareios et al., SC'15, sections 3.2, 3.3]
template <std::uint32_t kWords, Mode kMode>
void Core<kWords, kMode>::decide_indirect(std::uint32_t router, Entry& entry) {
  const std::uint32_t goal = plan_.goals[entry.target].home;
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
    const std::uint32_t minimal = occupancy(minimal_output(router, goal, true));
    if (static_cast<double>(minimal) <= ugal.threshold * buffer_behind_ && ugal.threshold > 0) return;
    double best = static_cast<double>(minimal);
    const double length = plan_.minimal->distance(RouterId(router), RouterId(goal));
    for (std::uint32_t i = 0; i < ugal.indirect; ++i) {
      const std::uint32_t via = draw();
      double cost = ugal.penalty * occupancy(minimal_output(router, via, true));
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
  packets_[entry.packet].indirect = 1;
  entry.target = Entry::kVia | chosen;
}

template <std::uint32_t kWords, Mode kMode>
typename Core<kWords, kMode>::Choice Core<kWords, kMode>::choose_path(const InPort& port, Entry& entry) {
  const bool at_source = entry.hops == 0;
  bool turned = false;
  if (at_source && plan_.kind != RoutePlan::Kind::minimal) decide_indirect(port.router, entry);
  if (entry.target == (Entry::kVia | port.router)) {
    entry.target = packets_[entry.packet].destination;
    turned = true;
  }
  const std::uint32_t goal =
      (entry.target & Entry::kVia) != 0 ? entry.target & ~Entry::kVia : plan_.goals[entry.target].home;
  const std::uint32_t output =
      minimal_output(port.router, goal, plan_.kind == RoutePlan::Kind::ugal && at_source);
  if (plan_.lanes == RoutePlan::Lanes::any) return {output - port.first_output, all_lanes_};
  if (at_source) {
    entry.state = plan_.steps.first;
  } else {
    entry.state = turned ? plan_.steps.turned[entry.state] : plan_.steps.onward[entry.state];
  }
  if (entry.state >= plan_.lanes_needed) no_lane(port.router, entry.state);
  return {output - port.first_output, lane_group(entry.state)};
}

}  // namespace unknot::simulate
