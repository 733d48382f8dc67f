// SPDX-License-Identifier: Apache-2.0
#include "unknot/tables/multicast_tables.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <unordered_map>
#include <utility>

namespace unknot {

MulticastGroup::MulticastGroup(std::uint16_t lid, std::uint8_t level, std::uint32_t routers,
                               std::vector<MulticastPort> ports)
    : lid_(lid), level_(level), router_count_(routers) {
  assert(lid >= kFirstLid && lid <= kLastLid);
  std::sort(ports.begin(), ports.end());
  ports.erase(std::unique(ports.begin(), ports.end()), ports.end());
  ports_.reserve(ports.size());
  for (const MulticastPort& one : ports) {
    assert(one.router.value < routers);
    if (routers_.empty() || routers_.back() != one.router) {
      routers_.push_back(one.router);
      first_.push_back(static_cast<std::uint32_t>(ports_.size()));
    }
    ports_.push_back(one.port);
  }
  first_.push_back(static_cast<std::uint32_t>(ports_.size()));
}

std::span<const std::uint16_t> MulticastGroup::ports(RouterId r) const {
  const auto found = std::lower_bound(routers_.begin(), routers_.end(), r);
  if (found == routers_.end() || *found != r) return {};
  const auto at = static_cast<std::size_t>(found - routers_.begin());
  return {ports_.data() + first_[at], ports_.data() + first_[at + 1]};
}

std::vector<TerminalId> members(const Network& network, const MulticastGroup& group) {
  std::vector<TerminalId> all;
  for (const RouterId r : group.routers()) {
    const auto ports = group.ports(r);
    for (const TerminalId t : network.terminals_at(r)) {
      if (std::binary_search(ports.begin(), ports.end(), network.terminal_port(t))) all.push_back(t);
    }
  }
  return all;
}

MulticastTables carried_over(const Network& before, const MulticastTables& tables, const Network& after) {
  std::unordered_map<std::uint64_t, RouterId> by_guid;
  for (const RouterId r : after.routers()) by_guid.emplace(after.router_guid(r), r);
  MulticastTables result;
  for (const MulticastGroup& group : tables.groups) {
    std::vector<MulticastPort> ports;
    for (const RouterId r : group.routers()) {
      const auto there = by_guid.find(before.router_guid(r));
      if (there == by_guid.end()) continue;
      for (const std::uint16_t port : group.ports(r)) ports.push_back({there->second, port});
    }
    result.groups.emplace_back(group.lid(), group.level(), after.router_count(), std::move(ports));
  }
  return result;
}

}  // namespace unknot
