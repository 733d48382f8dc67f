// SPDX-License-Identifier: Apache-2.0
#include "unknot/tables/further_addresses.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "unknot/network/builder.hpp"

namespace unknot {
namespace {

/// By terminal of the network: the terminal of the addressed one that is its address of that rank.
std::vector<std::uint32_t> addresses_of_rank(const Network& network, const Network& addressed,
                                             std::uint32_t rank) {
  std::vector<std::uint32_t> of(network.terminal_count());
  std::size_t base = 0;
  std::uint32_t seen = 0;
  for (const TerminalId t : addressed.terminals()) {
    if (addressed.further_address(t)) {
      ++seen;
    } else {
      base += t.value == 0 ? 0 : 1;
      seen = 0;
    }
    if (seen == 0 || seen == rank) of[base] = t.value;
  }
  assert(base + 1 == of.size() || of.empty());
  return of;
}

std::uint32_t most_addresses(const Network& addressed) {
  std::uint32_t most = 1;
  std::uint32_t here = 1;
  for (const TerminalId t : addressed.terminals()) {
    here = addressed.further_address(t) ? here + 1 : 1;
    most = std::max(most, here);
  }
  return most;
}

ForwardingTable table_of(const Network& network, const ForwardingTable& all,
                         const std::vector<std::uint32_t>& addresses) {
  ForwardingTable table(network);
  assert(table.width() == all.width());
  table.with_entry_type([&]<class Entry>(Entry) {
    const auto to = table.entries<Entry>();
    const auto from = all.entries<Entry>();
    for (std::size_t r = 0; r < network.router_count(); ++r) {
      const Entry* const row = from.data() + r * all.terminal_count();
      Entry* const mine = to.data() + r * addresses.size();
      for (std::size_t t = 0; t < addresses.size(); ++t) mine[t] = row[addresses[t]];
    }
  });
  return table;
}

ServiceLevels levels_of(const Network& network, const ServiceLevels& all,
                        const std::vector<std::uint32_t>& sources,
                        const std::vector<std::uint32_t>& addresses) {
  if (all.empty()) return {};
  const bool by_router = all.shared_by_router();
  ServiceLevels levels(network,
                       by_router ? ServiceLevels::Rows::by_router : ServiceLevels::Rows::by_terminal);
  for (const RouterId r : network.routers()) {
    for (const TerminalId source : network.terminals_at(r)) {
      const auto from = all.row(all.row_of(TerminalId(sources[source.value])));
      const auto to = levels.row(levels.row_of(source));
      for (std::size_t t = 0; t < addresses.size(); ++t) to[t] = from[addresses[t]];
      if (by_router) break;
    }
  }
  return levels;
}

/// What is one for all addresses.
void share(const Routing& from, Routing& to) {
  to.engine = from.engine;
  to.lane_map = from.lane_map;
  to.virtual_lanes = from.virtual_lanes;
  to.data_lanes = from.data_lanes;
  to.lanes_needed = from.lanes_needed;
  to.flow_control = from.flow_control;
}

}  // namespace

Routing with_further_addresses(const Network& network, const Network& addressed, const Routing& routing) {
  require_tables(routing, "several addresses of a terminal (LMC above 0)");
  const std::vector<std::uint32_t> sources = addresses_of_rank(network, addressed, 0);
  const auto rank_of = [&](std::uint32_t rank) {
    const std::vector<std::uint32_t> addresses = addresses_of_rank(network, addressed, rank);
    Routing one;
    one.paths = table_of(network, routing.table(), addresses);
    one.service_levels = levels_of(network, routing.service_levels, sources, addresses);
    share(routing, one);
    return one;
  };
  Routing base = rank_of(0);
  base.report.note = routing.report.note;  // a bound would be of all addresses together
  base.multicast = routing.multicast;      // by ports of routers, the same in both
  const std::uint32_t count = most_addresses(addressed);
  base.further.reserve(count - 1);
  for (std::uint32_t rank = 1; rank < count; ++rank) base.further.push_back(rank_of(rank));
  return base;
}

void share_with_further(Routing& routing) {
  for (Routing& further : routing.further) share(routing, further);
}

std::vector<const Routing*> tables_to_addresses(const Routing& routing) {
  std::vector<const Routing*> tables = {&routing};
  for (const Routing& further : routing.further) tables.push_back(&further);
  return tables;
}

OnEveryAddress on_every_address(const Network& network, const Routing& routing) {
  require_tables(routing, "several addresses of a terminal (LMC above 0)");
  const auto count = static_cast<std::uint32_t>(routing.further.size()) + 1;
  OnEveryAddress all{NetworkBuilder::with_addresses(network, count), routing};
  all.routing.further.clear();
  ForwardingTable table(all.network);
  ServiceLevels levels;
  const bool by_router = routing.service_levels.shared_by_router();
  if (!routing.service_levels.empty() ||
      std::any_of(routing.further.begin(), routing.further.end(),
                  [](const Routing& one) { return !one.service_levels.empty(); })) {
    levels = ServiceLevels(all.network, ServiceLevels::Rows::by_terminal);
  }
  for (std::uint32_t rank = 0; rank < count; ++rank) {
    const Routing& one = rank == 0 ? routing : routing.further[rank - 1];
    for (const RouterId r : network.routers()) {
      for (const TerminalId t : network.terminals())
        table.set(r, TerminalId(t.value * count + rank), one.table().get(r, t));
    }
    if (levels.empty()) continue;
    for (const TerminalId s : network.terminals()) {
      const auto row = levels.row(levels.row_of(TerminalId(s.value * count)));
      for (const TerminalId t : network.terminals())
        row[t.value * count + rank] = one.service_levels.get(s, t);
    }
  }
  if (!levels.empty()) {
    // Further addresses send as the first.
    for (const TerminalId s : all.network.terminals()) {
      if (!all.network.further_address(s)) continue;
      const auto from = levels.row(levels.row_of(TerminalId(s.value - 1)));
      std::copy(from.begin(), from.end(), levels.row(levels.row_of(s)).begin());
    }
  }
  all.routing.paths = std::move(table);
  all.routing.service_levels = by_router ? levels.compacted(all.network) : std::move(levels);
  return all;
}

}  // namespace unknot
