// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/adaptive/flow_of_buffer.hpp"

namespace unknot {

TerminalId source_of(const Network& network, const PacketWays& ways, const RelationView& view,
                     const ServiceLevels& levels, TerminalId destination, std::uint32_t buffer) {
  std::vector<TerminalId> source(ways.stand_count());
  std::vector<std::uint32_t> queue;
  const auto arrive = [&](std::uint32_t stand, TerminalId from) {
    const PacketWays::Stand& at = ways.stand(stand);
    if (source[stand].valid() || view.option_of(at.plane, at.router, destination) == RelationView::kHere)
      return;
    source[stand] = from;
    queue.push_back(stand);
  };
  for (const PacketWays::Entrance& entrance : ways.entrances()) {
    if (entrance.terminal == destination) continue;
    if (levels.empty() || levels.get(entrance.terminal, destination) == ways.packets().level)
      arrive(entrance.stand, entrance.terminal);
  }
  // NOLINTNEXTLINE(modernize-loop-convert): it grows meanwhile
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const std::uint32_t s = queue[next];
    const PacketWays::Stand& at = ways.stand(s);
    const std::uint16_t option = view.option_of(at.plane, at.router, destination);
    for (const std::uint16_t position : view.options(at.plane, at.router)[option].positions) {
      const std::uint8_t lane = ways.lane(s, position);
      if (lane >= ways.lanes()) continue;
      const std::uint32_t in = lane * network.channel_count() + network.out(at.router)[position].value;
      if (in == buffer) return source[s];
      arrive(ways.stand_of(in), source[s]);
    }
  }
  return {};
}

}  // namespace unknot
