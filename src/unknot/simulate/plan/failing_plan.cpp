// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/plan/failing_plan.hpp"

#include <fmt/format.h>

#include <cstddef>

#include "unknot/support/error.hpp"

namespace unknot::simulate {

FailingPlan::FailingPlan(const Network& network, const Routing& routing, std::uint32_t lanes)
    : plan_(plan_changing(network, routing, lanes)),
      in_force_(routing.table()),
      failed_channels_(network.channel_count(), false),
      failed_routers_(network.router_count(), false) {
  // One more column, for packets that are lost.
  const std::uint32_t terminals = network.terminal_count();
  RoutePlan::Goal nowhere = plan_.goals.front();
  nowhere.column = terminals;
  plan_.goals.push_back(nowhere);
  const std::size_t columns = std::size_t{terminals} + 1;
  plan_.table = PlaceTable(std::vector<std::uint16_t>(network.router_count() * columns, PlaceTable::kNone),
                           columns, plan_.ports.most_outputs);
  // Rows that later levels may need.
  ServiceLevels levels(network, ServiceLevels::Rows::by_terminal);
  plan_.routing.service_levels = levels;
  take(routing);
}

bool FailingPlan::works(ChannelId channel) const {
  return !failed_channels_[channel.value] && !failed_routers_[plan_.network.source(channel).value] &&
         !failed_routers_[plan_.network.target(channel).value];
}

std::vector<ChannelId> FailingPlan::dead_channels() const {
  std::vector<ChannelId> dead;
  for (const ChannelId c : plan_.network.channels()) {
    if (!works(c)) dead.push_back(c);
  }
  return dead;
}

Faults FailingPlan::faults() const {
  Faults faults;
  for (const RouterId r : plan_.network.routers()) {
    if (failed_routers_[r.value]) faults.routers.push_back(r);
  }
  for (const ChannelId c : plan_.network.channels()) {
    if (failed_channels_[c.value]) faults.channels.push_back(c);
  }
  return faults;
}

void FailingPlan::refresh(RouterId router) {
  const Network& network = plan_.network;
  const IdRange<ChannelId> out = network.out(router);
  for (const TerminalId t : network.terminals()) {
    std::uint32_t entry = in_force_.get(router, t);
    if (failed_routers_[router.value] || (entry < out.size() && !works(out[entry])))
      entry = ForwardingTable::kNone;
    set_entry(plan_, router, t, entry);
  }
}

void FailingPlan::set(const Faults& parts, bool failed) {
  const Network& network = plan_.network;
  if (!parts.terminals.empty()) {
    throw InputError(
        "simulate: cables, channels and routers fail during a run, and terminals with their "
        "routers, not alone");
  }
  const char* const already = failed ? "has failed already" : "has not failed";
  for (const RouterId r : parts.routers) {
    if (failed_routers_[r.value] == failed)
      throw InputError(fmt::format("simulate: router {} {}", network.router_name(r), already));
    failed_routers_[r.value] = failed;
  }
  for (const ChannelId c : parts.channels) {
    if (failed_channels_[c.value] == failed)
      throw InputError(fmt::format("simulate: channel {} {}", network.channel_name(c), already));
    failed_channels_[c.value] = failed;
  }
  std::vector<bool> touched(network.router_count(), false);
  for (const RouterId r : parts.routers) {
    touched[r.value] = true;
    for (const ChannelId c : network.in(r)) touched[network.source(c).value] = true;
  }
  for (const ChannelId c : parts.channels) touched[network.source(c).value] = true;
  for (const RouterId r : network.routers()) {
    if (touched[r.value]) refresh(r);
  }
}

void FailingPlan::fail(const Faults& parts) {
  set(parts, true);
}

void FailingPlan::repair(const Faults& parts) {
  set(parts, false);
}

void FailingPlan::take(const Routing& routing) {
  in_force_ = routing.table();
  const Network& network = plan_.network;
  for (const RouterId r : network.routers()) refresh(r);
  ServiceLevels& levels = plan_.routing.service_levels;
  for (const TerminalId s : network.terminals()) {
    for (const TerminalId d : network.terminals()) {
      const std::uint8_t level = routing.service_levels.get(s, d);
      if (level != ServiceLevels::kMissing) levels.row(levels.row_of(s))[d.value] = level;
    }
  }
}

}  // namespace unknot::simulate
