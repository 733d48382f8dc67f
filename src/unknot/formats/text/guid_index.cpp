// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/text/guid_index.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "unknot/support/error.hpp"

namespace unknot {

GuidIndex::GuidIndex(const Network& network) : network_(&network) {
  const std::vector<ServiceNode>& service_nodes = network.labels().service_nodes;
  if (network.router_count() > Device::kMaxIndex || network.terminal_count() > Device::kMaxIndex) {
    throw InputError("the network is too large for tables with GUIDs");
  }
  ports_.reserve(network.router_count() + network.terminal_count() + service_nodes.size());
  nodes_.reserve(network.terminal_count());
  for (const RouterId r : network.routers()) {
    if (network.own_port(r).valid()) continue;  // comes with the terminals
    ports_.emplace_back(network.router_guid(r), Device(Device::Kind::router, r.value));
  }
  for (const TerminalId t : network.terminals()) {
    if (network.further_address(t)) continue;  // found by the first
    ports_.emplace_back(network.terminal_port_guid(t), Device(Device::Kind::terminal, t.value));
    nodes_.emplace_back(network.terminal_node_guid(t), t);
  }
  for (std::uint32_t i = 0; i < service_nodes.size(); ++i) {
    if (service_nodes[i].port_guid == 0) continue;
    ports_.emplace_back(service_nodes[i].port_guid, Device(Device::Kind::service_node, i));
  }
  std::sort(ports_.begin(), ports_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::sort(nodes_.begin(), nodes_.end());
  const auto twice = std::adjacent_find(ports_.begin(), ports_.end(),
                                        [](const auto& a, const auto& b) { return a.first == b.first; });
  if (twice != ports_.end()) {
    throw InputError(fmt::format("two devices of the fabric have the port GUID 0x{:016x}", twice->first));
  }
}

Device GuidIndex::port(std::uint64_t guid) const {
  const auto found = std::lower_bound(ports_.begin(), ports_.end(), guid,
                                      [](const auto& entry, std::uint64_t g) { return entry.first < g; });
  return found == ports_.end() || found->first != guid ? Device() : found->second;
}

RouterId GuidIndex::router(std::uint64_t guid) const {
  const Device device = port(guid);
  if (device.is_router()) return RouterId(device.index());
  if (!device.is_terminal()) return {};
  const TerminalId t(device.index());
  const RouterId r = network_->router_of(t);
  return network_->own_port(r) == t ? r : RouterId();
}

std::span<const std::pair<std::uint64_t, TerminalId>> GuidIndex::node(std::uint64_t guid) const {
  const auto first = std::lower_bound(nodes_.begin(), nodes_.end(), guid,
                                      [](const auto& entry, std::uint64_t g) { return entry.first < g; });
  auto last = first;
  while (last != nodes_.end() && last->first == guid) ++last;
  return {first, last};
}

}  // namespace unknot
