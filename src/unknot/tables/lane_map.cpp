// SPDX-License-Identifier: Apache-2.0
#include "unknot/tables/lane_map.hpp"

#include <optional>

namespace unknot {

namespace {

LaneMap::Row modulo(std::uint32_t lanes) {
  LaneMap::Row row{};
  for (std::uint32_t level = 0; level < row.size(); ++level)
    row[level] = static_cast<std::uint8_t>(level % lanes);
  return row;
}

}  // namespace

LaneMap::LaneMap(const Network& network, std::uint8_t lanes) {
  std::size_t total = 0;
  first_.reserve(network.router_count());
  ports_.reserve(network.router_count());
  for (const RouterId r : network.routers()) {
    const std::uint32_t ports = network.port_count(r) + 1U;
    first_.push_back(total);
    ports_.push_back(ports);
    total += static_cast<std::size_t>(ports) * ports;
  }
  rows_.assign(total, modulo(lanes));
}

void LaneMap::set_source(const Network& network, TerminalId t, const Row& row) {
  if (sources_.empty()) sources_.assign(network.terminal_count(), Row{});
  sources_[t.value] = row;
}

bool LaneMap::uniform(const Network& network, Row* common) const {
  std::optional<Row> seen;
  for (const RouterId r : network.routers()) {
    std::vector<std::uint16_t> incoming;
    for (const ChannelId c : network.in(r)) incoming.push_back(network.target_port(c));
    for (const TerminalId t : network.terminals_at(r)) incoming.push_back(network.terminal_port(t));
    for (const std::uint16_t in_port : incoming) {
      for (const ChannelId c : network.out(r)) {
        if (in_port == network.source_port(c)) continue;  // no path turns back
        const Row& row = get(r, in_port, network.source_port(c));
        if (!seen) seen = row;
        if (*seen != row) return false;
      }
    }
  }
  if (seen && common != nullptr) *common = *seen;
  return seen.has_value();
}

LaneMap cut_to_ports(const Network& network, std::span<const std::uint8_t> lanes) {
  LaneMap map(network, LaneMap::kLevels);
  for (const ChannelId c : network.channels()) {
    const std::uint8_t have = lanes[c.value];
    if (have >= LaneMap::kDrop) continue;
    LaneMap::Row row{};
    // Level 15 is for management, cut or not.
    for (std::uint32_t level = 0; level < LaneMap::kDrop; ++level)
      row[level] = static_cast<std::uint8_t>(level & (have - 1U));
    row[LaneMap::kDrop] = LaneMap::kDrop;
    const RouterId r = network.source(c);
    for (std::uint32_t in = 0; in <= network.port_count(r); ++in)
      map.set(r, static_cast<std::uint16_t>(in), network.source_port(c), row);
  }
  return map;
}

}  // namespace unknot
