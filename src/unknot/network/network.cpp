// SPDX-License-Identifier: Apache-2.0
#include "unknot/network/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "unknot/support/hash.hpp"

namespace unknot {
namespace {

constexpr std::uint64_t kRouterGuidBase = 0x0002000000000000ULL;
constexpr std::uint64_t kTerminalGuidBase = 0x0001000000000000ULL;

}  // namespace

std::vector<RouterId> Network::endpoint_routers() const {
  std::vector<RouterId> with_terminals;
  for (const RouterId r : routers()) {
    if (!terminals_at(r).empty()) with_terminals.push_back(r);
  }
  return with_terminals;
}

ChannelId Network::channel_at(RouterId r, std::uint16_t port) const {
  const std::uint32_t first = out_first_[r.value];
  const auto begin = source_port_.begin();
  const auto row_end = begin + out_first_[r.value + 1];
  const auto found = std::lower_bound(begin + first, row_end, port);
  if (found == row_end || *found != port) return {};
  return ChannelId(static_cast<std::uint32_t>(found - begin));
}

TerminalId Network::terminal_at(RouterId r, std::uint16_t port) const {
  for (const TerminalId t : terminals_at(r)) {
    if (terminal_port_[t.value] == port) return t;
  }
  return {};
}

std::uint16_t Network::port_count(RouterId r) const {
  if (!labels_.router_ports.empty()) return labels_.router_ports[r.value];
  std::uint16_t highest = 0;
  const IdRange<ChannelId> row = out(r);
  if (!row.empty()) highest = source_port_[row.last() - 1];
  for (const ChannelId c : in(r)) highest = std::max(highest, target_port_[c.value]);
  for (const TerminalId t : terminals_at(r)) highest = std::max(highest, terminal_port_[t.value]);
  for (const ServiceNode& node : labels_.service_nodes) {
    if (node.router == r) highest = std::max(highest, node.router_port);
  }
  return highest;
}

std::string Network::router_name(RouterId r) const {
  return labels_.router_name.empty() ? fmt::format("S-{}", r.value) : labels_.router_name[r.value];
}

std::uint64_t Network::router_guid(RouterId r) const {
  return labels_.router_guid.empty() ? kRouterGuidBase + r.value : labels_.router_guid[r.value];
}

std::uint32_t Network::router_lid(RouterId r) const {
  return labels_.router_lid.empty() ? terminal_count() + 1 + r.value : labels_.router_lid[r.value];
}

std::string Network::terminal_name(TerminalId t) const {
  return labels_.terminal_name.empty() ? fmt::format("H-{}", t.value) : labels_.terminal_name[t.value];
}

std::uint64_t Network::terminal_node_guid(TerminalId t) const {
  return labels_.terminal_node_guid.empty() ? kTerminalGuidBase + 2ULL * t.value
                                            : labels_.terminal_node_guid[t.value];
}

std::uint64_t Network::terminal_port_guid(TerminalId t) const {
  return labels_.terminal_port_guid.empty() ? kTerminalGuidBase + 2ULL * t.value + 1
                                            : labels_.terminal_port_guid[t.value];
}

std::uint32_t Network::terminal_lid(TerminalId t) const {
  return labels_.terminal_lid.empty() ? 1 + t.value : labels_.terminal_lid[t.value];
}

std::uint16_t Network::terminal_adapter_port(TerminalId t) const {
  return labels_.terminal_adapter_port.empty() ? std::uint16_t{1} : labels_.terminal_adapter_port[t.value];
}

std::uint16_t Network::terminal_adapter_ports(TerminalId t) const {
  return labels_.terminal_adapter_ports.empty() ? std::uint16_t{1} : labels_.terminal_adapter_ports[t.value];
}

Network Network::described_as(std::string text) && {
  description_ = std::move(text);
  return std::move(*this);
}

LinkRate Network::channel_rate(ChannelId c) const {
  return labels_.channel_rate.empty() ? LinkRate{0} : labels_.channel_rate[c.value];
}

std::uint32_t Network::channel_latency(ChannelId c) const {
  return labels_.channel_latency.empty() ? 0 : labels_.channel_latency[c.value];
}

std::uint32_t Network::terminal_latency(TerminalId t) const {
  return labels_.terminal_latency.empty() ? 0 : labels_.terminal_latency[t.value];
}

std::uint32_t Network::channel_capacity(ChannelId c) const {
  return labels_.channel_capacity.empty() ? 0 : labels_.channel_capacity[c.value];
}

std::uint32_t Network::terminal_capacity(TerminalId t) const {
  return labels_.terminal_capacity.empty() ? 0 : labels_.terminal_capacity[t.value];
}

LinkRate Network::terminal_rate(TerminalId t) const {
  return labels_.terminal_rate.empty() ? LinkRate{0} : labels_.terminal_rate[t.value];
}

std::string Network::channel_name(ChannelId c) const {
  return fmt::format("{} port {} -> {} port {}", router_name(source(c)), source_port(c),
                     router_name(target(c)), target_port(c));
}

std::uint64_t Network::fingerprint() const {
  Hash64 hash;
  hash.add(router_count());
  hash.add(terminal_count());
  hash.add(channel_count());
  hash.add_bytes(std::as_bytes(std::span(source_)));
  hash.add_bytes(std::as_bytes(std::span(target_)));
  hash.add_bytes(std::as_bytes(std::span(source_port_)));
  hash.add_bytes(std::as_bytes(std::span(target_port_)));
  hash.add_bytes(std::as_bytes(std::span(terminal_router_)));
  hash.add_bytes(std::as_bytes(std::span(terminal_port_)));
  for (const RouterId r : routers()) hash.add(router_guid(r));
  for (const TerminalId t : terminals()) hash.add(terminal_port_guid(t));
  return hash.value();
}

}  // namespace unknot
