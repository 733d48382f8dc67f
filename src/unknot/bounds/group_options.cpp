// SPDX-License-Identifier: Apache-2.0
#include "unknot/bounds/group_options.hpp"

#include <fmt/format.h>

#include "unknot/support/error.hpp"

namespace unknot {

const AdaptivePlane& only_plane(const AdaptiveRouting& routing) {
  if (routing.planes.size() > 1) {
    throw InputError(fmt::format(
        "{}: switches look packets up in {} tables by port and lane; ways are listed of one table alone",
        routing.source, routing.planes.size()));
  }
  return routing.planes.front();
}

std::uint16_t levels_of(const AdaptiveRouting& routing, TerminalId source, TerminalId destination) {
  if (routing.service_levels.empty()) return routing.levels();
  const std::uint8_t level = routing.service_levels.get(source, destination);
  if (level >= LaneMap::kLevels) return 0;
  return static_cast<std::uint16_t>(1U << level & routing.levels());
}

std::span<const std::uint16_t> options_of(const AdaptivePlane& plane, RouterId r, std::uint16_t entry,
                                          bool adaptive) {
  const Choice& choice = plane.choices(r)[entry];
  if (adaptive && choice.kind != ChoiceKind::fixed) return plane.group(r, choice.group);
  if (choice.fixed < Choice::kStray) return {&choice.fixed, 1};
  return {};
}

void refuse_return(const Network& network, const AdaptiveRouting& routing, TerminalId source,
                   TerminalId destination, RouterId at) {
  throw InputError(fmt::format("{}: packets from {} to {} may come to {} twice, expected ways that end",
                               routing.source, network.terminal_name(source),
                               network.terminal_name(destination), network.router_name(at)));
}

}  // namespace unknot
