// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/plan/route_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "unknot/oblivious/path_lengths.hpp"
#include "unknot/support/error.hpp"
#include "unknot/verify/ring_rule.hpp"

namespace unknot::simulate {
namespace {

RoutePlan bare_plan(const Network& network, bool sinks = false) {
  if (network.terminal_count() < 2) {
    throw InputError(fmt::format("{}: simulation needs at least two terminals", network.description()));
  }
  RoutePlan plan;
  plan.network = network;
  plan.ports = make_ports(network, sinks);
  const std::uint32_t terminals = network.terminal_count();
  plan.goals.resize(terminals);
  for (const TerminalId t : network.terminals()) {
    plan.goals[t.value].home = network.router_of(t).value;
    plan.goals[t.value].eject = plan.ports.local(plan.ports.output_of_terminal[t.value]);
  }
  return plan;
}

/// Fills table and columns. A terminal shares the column of the first terminal of its router where all
/// routers send both the same way.
void fill_tables(RoutePlan& plan) {
  const Network& network = plan.network;
  const ForwardingTable& table = plan.routing.table();
  const auto same = [&](TerminalId a, TerminalId b) {
    for (const RouterId r : network.routers()) {
      if (table.get(r, a) != table.get(r, b)) return false;
    }
    return true;
  };
  std::vector<TerminalId> leader;
  std::vector<std::size_t> first_column;  // by endpoint, and one more
  for (const RouterId r : network.routers()) {
    if (network.terminals_at(r).empty()) continue;
    first_column.push_back(leader.size());
    const auto first = static_cast<std::uint32_t>(leader.size());
    for (const TerminalId t : network.terminals_at(r)) {
      std::uint32_t c = first;
      while (c < leader.size() && !same(leader[c], t)) ++c;
      if (c == leader.size()) leader.push_back(t);
      plan.goals[t.value].column = c;
      plan.goals[t.value].endpoint = static_cast<std::uint32_t>(first_column.size() - 1);
    }
  }
  first_column.push_back(leader.size());
  const std::size_t columns = leader.size();
  std::vector<std::uint16_t> places(network.router_count() * columns, PlaceTable::kNone);
  for (const RouterId r : network.routers()) {
    std::uint16_t* const row = places.data() + r.value * columns;
    for (std::size_t c = 0; c < columns; ++c) {
      const ChannelId next = table.next(network, r, leader[c]);
      if (next.valid()) {
        row[c] = static_cast<std::uint16_t>(plan.ports.local(plan.ports.output_of_channel[next.value]));
      }
    }
  }
  const std::size_t endpoints = first_column.size() - 1;
  std::vector<std::uint16_t> shared(network.router_count() * endpoints, PlaceTable::kNone);
  for (const RouterId r : network.routers()) {
    const std::uint16_t* const row = places.data() + r.value * columns;
    for (std::size_t e = 0; e < endpoints; ++e) {
      const std::uint16_t* const from = row + first_column[e];
      const std::uint16_t* const to = row + first_column[e + 1];
      if (plan.goals[leader[first_column[e]].value].home == r.value) {
        shared[r.value * endpoints + e] = 0;  // terminals of this router, whose outputs are in their goals
      } else if (std::all_of(from, to, [&](std::uint16_t place) { return place == *from; })) {
        shared[r.value * endpoints + e] = *from;
      }
    }
  }
  plan.to_endpoint = PlaceTable(std::move(shared), endpoints, plan.ports.most_outputs);
  plan.table = PlaceTable(std::move(places), columns, plan.ports.most_outputs);
}

void fill_rings(RoutePlan& plan) {
  const DirectedRings rings = directed_rings(plan.network);
  plan.ring_of_output.assign(plan.ports.outputs(), RoutePlan::kNoRing);
  plan.ring_of_input.assign(plan.ports.inputs(), RoutePlan::kNoRing);
  for (const ChannelId c : plan.network.channels()) {
    plan.ring_of_output[plan.ports.output_of_channel[c.value]] = rings.ring[c.value];
    plan.ring_of_input[plan.ports.input_of_channel[c.value]] = rings.ring[c.value];
  }
  static_assert(RoutePlan::kNoRing == DirectedRings::kNone);
}

/// The steps among lanes that come after so many others.
LaneSteps behind(const LaneSteps& steps, std::uint32_t others) {
  if (others == 0) return steps;
  if (others >= kMaxSchemeLanes) {
    throw InputError(fmt::format("paths ugal: packets are weighed again at no more than {} routers, not {}",
                                 kMaxSchemeLanes - 1, others));
  }
  const auto moved = [&](std::uint8_t lane) {
    return lane == LaneSteps::kNever ? lane : static_cast<std::uint8_t>(lane + others);
  };
  LaneSteps all;
  all.first = moved(steps.first);
  all.onward.fill(LaneSteps::kNever);
  all.turned.fill(LaneSteps::kNever);
  for (std::uint32_t lane = 0; lane + others < kMaxSchemeLanes; ++lane) {
    all.onward[lane + others] = moved(steps.onward[lane]);
    all.turned[lane + others] = moved(steps.turned[lane]);
  }
  return all;
}

void fill_only_outputs(RoutePlan& plan) {
  const Network& network = plan.network;
  plan.endpoint_of.assign(network.router_count(), 0);
  for (const RouterId r : plan.minimal->endpoints().all()) {
    plan.endpoint_of[r.value] = static_cast<std::uint32_t>(plan.endpoints.size());
    plan.endpoints.push_back(r.value);
  }
  const std::size_t width = plan.endpoints.size();
  std::vector<std::uint16_t> only(network.router_count() * width, PlaceTable::kNone);
  for (const RouterId r : network.routers()) {
    for (std::size_t e = 0; e < width; ++e) {
      const auto next = plan.minimal->next(r, RouterId(plan.endpoints[e]));
      if (next.size() != 1) continue;
      only[r.value * width + e] =
          static_cast<std::uint16_t>(plan.ports.local(plan.ports.output_of_channel[next[0].value]));
    }
  }
  plan.only_output = PlaceTable(std::move(only), width, plan.ports.most_outputs);
}

}  // namespace

RoutePlan plan_routing(const Network& network, const Routing& routing, bool any_lane) {
  require_fit(network, routing);
  RoutePlan plan = bare_plan(network);
  plan.routing = routing;
  plan.lanes = any_lane ? RoutePlan::Lanes::any : RoutePlan::Lanes::level;
  plan.lanes_needed = any_lane ? 1 : routing.virtual_lanes;
  if (routing.routes() != nullptr) {
    plan.kind = RoutePlan::Kind::source;
  } else {
    plan.kind = RoutePlan::Kind::tables;
    fill_tables(plan);
  }
  if (routing.flow_control == FlowControl::bubble) {
    plan.bubble = true;
    fill_rings(plan);
  }
  return plan;
}

RoutePlan plan_adaptive(const Network& network, const AdaptiveRouting& routing, bool committed) {
  RoutePlan plan = bare_plan(network);
  plan.kind = RoutePlan::Kind::adaptive;
  plan.lanes = RoutePlan::Lanes::level;
  plan.adaptive = std::make_shared<const AdaptivePlan>(network, plan.ports, routing, committed);
  plan.lanes_needed = plan.adaptive->lanes_needed();
  return plan;
}

RoutePlan plan_changing(const Network& network, const Routing& routing, std::uint32_t lanes) {
  require_tables(routing, "changing tables while packets travel");
  require_fit(network, routing);
  if (routing.lane_map != nullptr)
    throw InputError("simulate: SL-to-VL tables cannot change while packets travel");
  RoutePlan plan = bare_plan(network, true);
  plan.routing = routing;
  plan.lanes = RoutePlan::Lanes::level;
  plan.lanes_needed = lanes;
  constexpr std::uint32_t kNowhere = 0xFFFFFFFFU;  // the table has the word at every router
  for (const TerminalId t : network.terminals())
    plan.goals[t.value] = {kNowhere, 0, t.value, plan.goals[t.value].eject};
  plan.to_endpoint = PlaceTable(std::vector<std::uint16_t>(network.router_count(), PlaceTable::kNone), 1, 1);
  plan.table =
      PlaceTable(std::vector<std::uint16_t>(std::size_t{network.router_count()} * network.terminal_count(),
                                            PlaceTable::kNone),
                 network.terminal_count(), plan.ports.most_outputs);
  for (const RouterId r : network.routers()) {
    for (const TerminalId t : network.terminals()) set_entry(plan, r, t, routing.table().get(r, t));
  }
  return plan;
}

void set_entry(RoutePlan& plan, RouterId router, TerminalId destination, std::uint32_t entry) {
  const IdRange<ChannelId> out = plan.network.out(router);
  std::uint32_t place = PlaceTable::kNone;
  if (entry < out.size()) {
    place = plan.ports.local(plan.ports.output_of_channel[out[entry].value]);
  } else if (entry == ForwardingTable::kHere && plan.network.router_of(destination) == router) {
    place = plan.goals[destination.value].eject;
  }
  plan.table.set(router.value, destination.value, static_cast<std::uint16_t>(place));
}

RoutePlan plan_paths(const Network& network, const AdaptiveChoice& choice, std::uint32_t threads) {
  RoutePlan plan = bare_plan(network);
  plan.kind = choice.kind;
  plan.ugal = choice.ugal;
  plan.within = choice.within;
  plan.minimal = std::make_shared<MinimalPaths>(plan.network, threads);
  if (plan.minimal->unreachable_pairs() > 0) {
    throw InputError(fmt::format("{}: {} pairs of routers with terminals have no path", network.description(),
                                 plan.minimal->unreachable_pairs()));
  }
  fill_only_outputs(plan);
  if (choice.lane_scheme == "any") {
    plan.lanes = RoutePlan::Lanes::any;
    plan.steps.first = static_cast<std::uint8_t>(plan.ugal.progressive);
    plan.steps.onward.fill(plan.steps.first);
    plan.steps.turned.fill(plan.steps.first);
    return plan;
  }
  const PathLengths lengths =
      path_lengths(plan.network, choice.kind == RoutePlan::Kind::minimal ? ObliviousPaths::minimal
                                                                         : ObliviousPaths::valiant);
  const LaneScheme scheme = make_lane_scheme(lengths, choice.lane_scheme);
  plan.lanes = RoutePlan::Lanes::scheme;
  plan.lanes_needed = scheme.lanes + plan.ugal.progressive;
  plan.steps = behind(lane_steps(scheme, lengths), plan.ugal.progressive);
  return plan;
}

}  // namespace unknot::simulate
