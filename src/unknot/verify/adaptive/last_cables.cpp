// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/adaptive/last_cables.hpp"

#include "unknot/tables/lane_function.hpp"

namespace unknot {

LastCables::LastCables(const Network& network, const AdaptiveRouting& routing, const PacketWays& ways,
                       const RelationView& view) {
  const AdaptiveLanes rule(routing);
  if (rule.stays()) return;  // on the lane that let it out of its adapter
  const std::uint8_t level = ways.packets().level;
  const std::uint32_t channels = network.channel_count();
  const auto drops = [&](std::uint8_t lane, RouterId r, std::uint16_t in_port, TerminalId t) {
    return rule.next(level, lane, r, in_port, network.terminal_port(t)) >= ways.lanes();
  };
  first_.reserve(ways.buffer_count() + std::size_t{1});
  for (std::uint32_t buffer = 0; buffer < ways.buffer_count(); ++buffer) {
    first_.push_back(static_cast<std::uint32_t>(terminals_.size()));
    if (ways.stand_of(buffer) == PacketWays::kNowhere) continue;
    const ChannelId c(buffer % channels);
    const RouterId r = network.target(c);
    for (const TerminalId t : network.terminals_at(r)) {
      if (drops(static_cast<std::uint8_t>(buffer / channels), r, network.target_port(c), t))
        terminals_.push_back(t);
    }
  }
  first_.push_back(static_cast<std::uint32_t>(terminals_.size()));
  const ServiceLevels& levels = routing.service_levels;
  for (const TerminalId to : network.terminals()) {
    const RouterId r = network.router_of(to);
    for (const TerminalId from : network.terminals_at(r)) {
      if (from == to || (!levels.empty() && levels.get(from, to) != level)) continue;
      const std::uint8_t lane = rule.injected(level, from);
      if (lane >= ways.lanes()) continue;
      const std::uint16_t in_port = network.terminal_port(from);
      const std::uint32_t plane = routing.plane_map ? routing.plane_map->plane(r, in_port, lane, level) : 0U;
      if (view.option_of(plane, r, to) != RelationView::kHere || !drops(lane, r, in_port, to)) continue;
      at_home_.push_back(to);
      break;
    }
  }
}

}  // namespace unknot
