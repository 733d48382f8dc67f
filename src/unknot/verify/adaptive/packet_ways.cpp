// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/adaptive/packet_ways.hpp"

#include <algorithm>
#include <bit>

#include "unknot/tables/lane_function.hpp"

namespace unknot {

std::uint32_t lane_bound(const Network& /*network*/, const AdaptiveRouting& routing) {
  if (!AdaptiveLanes(routing).stays()) return std::min<std::uint32_t>(routing.data_lanes, LaneMap::kDrop);
  const auto highest = static_cast<std::uint32_t>(std::bit_width(routing.levels()));
  return std::max(1U, std::min(highest, routing.data_lanes));
}

namespace {

bool sends(const Network& network, const AdaptiveRouting& routing, TerminalId source, std::uint8_t level) {
  const ServiceLevels& levels = routing.service_levels;
  if (levels.empty()) return true;
  for (const TerminalId t : network.terminals())
    if (t != source && levels.get(source, t) == level) return true;
  return false;
}

}  // namespace

PacketWays::PacketWays(const Network& network, const AdaptiveRouting& routing, PacketClass packets)
    : network_(network),
      routing_(routing),
      lane_rule_(routing),
      packets_(packets),
      lanes_(lane_bound(network, routing)),
      stand_of_(static_cast<std::size_t>(lanes_) * network.channel_count(), kNowhere),
      stands_at_(network.router_count()) {
  for (const RouterId r : network.routers()) {
    for (const TerminalId t : network.terminals_at(r)) {
      const std::uint8_t lane = lane_rule_.injected(packets.level, t);
      if (lane >= lanes_) {
        if (sends(network, routing, t, packets.level)) shut_out_.push_back(t);
        continue;
      }
      const Entrance entrance{stand_for(r, network.terminal_port(t), lane), t};
      const bool same_row =
          !entrances_.empty() && entrances_.back().stand == entrance.stand &&
          (routing.service_levels.empty() || !routing.service_levels.begins_row(network, t));
      if (!same_row) entrances_.push_back(entrance);
    }
  }
  for (std::uint32_t s = 0; s < stands_.size(); ++s) {  // more are found on the way
    const RouterId r = stands_[s].router;
    for (std::uint32_t i = 0; i < network.out(r).size(); ++i) {
      const std::uint8_t next = lane(s, i);
      if (next >= lanes_) continue;
      const ChannelId c = network.out(r)[i];
      std::uint32_t& stand = stand_of_[static_cast<std::size_t>(next) * network.channel_count() + c.value];
      if (stand == kNowhere) stand = stand_for(network.target(c), network.target_port(c), next);
    }
  }
}

std::uint32_t PacketWays::stand_for(RouterId r, std::uint16_t in_port, std::uint8_t lane) {
  const auto plane =
      routing_.plane_map ? routing_.plane_map->plane(r, in_port, lane, packets_.level) : std::uint8_t{0};
  const IdRange<ChannelId> out = network_.out(r);
  // Where a packet keeps its lane, all ports are alike, and the first look finds it.
  if (lane_rule_.stays()) {
    for (const std::uint32_t s : stands_at_[r.value])
      if (stands_[s].plane == plane) return s;
  }
  const auto begin = static_cast<std::uint32_t>(lane_pool_.size());
  for (const ChannelId c : out)
    lane_pool_.push_back(lane_rule_.next(packets_.level, lane, r, in_port, network_.source_port(c)));
  for (const std::uint32_t s : stands_at_[r.value]) {
    if (stands_[s].plane == plane &&
        std::equal(lane_pool_.begin() + begin, lane_pool_.end(), lane_pool_.begin() + stands_[s].lanes)) {
      lane_pool_.resize(begin);
      return s;
    }
  }
  stands_.push_back({r, plane, begin});
  stands_at_[r.value].push_back(static_cast<std::uint32_t>(stands_.size() - 1));
  return stands_at_[r.value].back();
}

}  // namespace unknot
