// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/lane_stops.hpp"

namespace unknot {
namespace {

/// True when `row` drops the same levels as `common`.
bool drops_alike(const LaneFunction& lanes, const LaneMap::Row& row, const LaneMap::Row& common) {
  for (std::size_t level = 0; level < row.size(); ++level) {
    if (lanes.drops(row[level]) != lanes.drops(common[level])) return false;
  }
  return true;
}

/// True when a packet is dropped on the cable of a terminal just where it would be dropped between routers.
bool terminals_drop_alike(const Network& network, const LaneFunction& lanes, const LaneMap::Row& common) {
  for (const TerminalId t : network.terminals()) {
    const RouterId r = network.router_of(t);
    const auto alike = [&](std::uint16_t in_port) {
      return drops_alike(lanes, lanes.map()->get(r, in_port, network.terminal_port(t)), common);
    };
    for (const ChannelId c : network.in(r)) {
      if (!alike(network.target_port(c))) return false;
    }
    for (const TerminalId neighbour : network.terminals_at(r)) {
      if (neighbour != t && !alike(network.terminal_port(neighbour))) return false;
    }
    const LaneMap::Row* injection = lanes.map()->source(t);
    if (injection == nullptr) continue;
    for (std::size_t level = 0; level < injection->size(); ++level) {
      if (lanes.drops((*injection)[level]) && !lanes.drops(common[level])) return false;
    }
  }
  return true;
}

bool stopped(const LaneFunction& lanes, std::uint8_t answer, std::uint8_t wanted, Finding& finding) {
  if (answer < kLanesToldApart) return false;
  finding.kind = answer == kLaneMissing ? Finding::Kind::missing_service_level : Finding::Kind::dropped_lane;
  finding.lane = wanted;
  finding.lanes = static_cast<std::uint8_t>(lanes.lanes());
  return true;
}

}  // namespace

bool stopped_at_source(const Network& network, const LaneFunction& lanes, std::uint8_t level,
                       Finding& finding) {
  const std::uint8_t lane = lanes.injected(level, finding.source);
  if (lane < kLanesToldApart) return false;
  finding.at = network.router_of(finding.source);
  finding.at_source = lanes.map() != nullptr;
  return stopped(lanes, lane, lane == kLaneMissing ? lane : lanes.injection_wanted(level, finding.source),
                 finding);
}

bool stopped_at(const LaneFunction& lanes, std::uint8_t level, RouterId at, std::uint16_t in_port,
                std::uint16_t out_port, Finding& finding) {
  const std::uint8_t lane = lanes.lane(level, at, in_port, out_port);
  if (lane < kLanesToldApart) return false;
  finding.at = at;
  return stopped(lanes, lane, lane == kLaneMissing ? lane : lanes.wanted(level, at, in_port, out_port),
                 finding);
}

std::optional<LaneOfLevel> lanes_by_level(const Network& network, const LaneFunction& lanes) {
  LaneOfLevel lane{};
  lane.fill(kLaneMissing);
  if (lanes.map() == nullptr) {
    for (std::uint32_t level = 0; level < kLanesToldApart; ++level)
      lane[level] = level < lanes.lanes() ? static_cast<std::uint8_t>(level) : kLaneDropped;
    return lane;
  }
  LaneMap::Row common{};
  if (!lanes.map()->uniform(network, &common) || !terminals_drop_alike(network, lanes, common))
    return std::nullopt;
  for (std::uint32_t level = 0; level < LaneMap::kLevels; ++level)
    lane[level] = lanes.drops(common[level]) ? kLaneDropped : common[level];
  return lane;
}

}  // namespace unknot
