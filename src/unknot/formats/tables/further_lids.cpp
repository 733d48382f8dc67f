// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/tables/further_lids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "unknot/formats/tables/lids_in_force.hpp"
#include "unknot/network/addressed_network.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

void require_infiniband_levels(const ServiceLevels& levels) {
  for (std::uint32_t i = 0; i < levels.row_count(); ++i) {
    for (const std::uint8_t level : levels.row(i)) {
      if (level < LaneMap::kLevels || level == ServiceLevels::kMissing) continue;
      throw InputError(
          fmt::format("the tables to several addresses of a terminal (LMC above 0) have service level {}, "
                      "but InfiniBand has levels up to {} only",
                      level, LaneMap::kLevels - 1));
    }
  }
}

}  // namespace

void require_unicast_lids(const LidMap& lids, const char* advice) {
  if (lids.highest() <= kLastUnicastLid) return;
  throw InputError(
      fmt::format("the fabric needs LIDs up to {}, but InfiniBand has unicast LIDs up to {} only; {}",
                  lids.highest(), kLastUnicastLid, advice));
}

LidMap lids_of_addresses(const Network& network, const Routing& routing) {
  const std::size_t further = routing.further.size();
  if (further == 0) return LidMap::of(network);
  if (further > kMostFurther) {
    throw InputError(fmt::format("the tables lead to {} addresses of a terminal, expected {} at most",
                                 further + 1, kMostFurther + 1));
  }
  if (std::any_of(network.terminals().begin(), network.terminals().end(),
                  [&](TerminalId t) { return network.further_address(t); }))
    throw InputError("tables to further addresses go with a network that has each terminal once");
  for (const Routing* one : tables_to_addresses(routing)) {
    require_tables(*one, "several addresses of a terminal (LMC above 0)");
    require_infiniband_levels(one->service_levels);
  }
  const auto lmc = static_cast<std::uint32_t>(std::bit_width(further));
  const Network addressed = addressed_network(network, lmc);
  LidMap lids(network);
  for (const TerminalId t : network.terminals()) {
    const std::uint32_t lowest = addressed.terminal_lid(TerminalId(t.value << lmc));
    for (std::uint32_t rank = 0; rank <= further; ++rank)
      lids.assign(Device(Device::Kind::terminal, t.value), lowest + rank);
  }
  for (const RouterId r : network.routers())
    lids.assign(Device(Device::Kind::router, r.value), addressed.router_lid(r));
  const std::vector<ServiceNode>& nodes = addressed.labels().service_nodes;
  for (std::uint32_t i = 0; i < nodes.size(); ++i)
    lids.assign(Device(Device::Kind::service_node, i), nodes[i].lid);
  require_unicast_lids(lids, "a lower --lmc gives each host fewer");
  return lids;
}

OnEveryAddress on_every_lid(const Network& network, const Routing& routing) {
  return on_every_address(with_lids(network, lids_of_addresses(network, routing)), routing);
}

}  // namespace unknot
