// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "unknot/verify/adaptive/adaptive_verdict.hpp"

namespace unknot {
namespace {

std::string buffer_name(const Network& network, const LaneChannel& buffer) {
  return fmt::format("{}, lane {}", network.channel_name(buffer.channel), buffer.lane);
}

std::string packets_name(const PacketClass& packets) {
  return fmt::format("{} packets of level {}", packets.adaptive ? "adaptive" : "fixed", packets.level);
}

}  // namespace

std::string describe(const Network& network, const BlockedPacket& packet) {
  std::string text =
      fmt::format("{} from {} to {} in {}\n    wait for", packets_name(packet.packets),
                  packet.source.valid() ? network.terminal_name(packet.source) : std::string("a terminal"),
                  network.terminal_name(packet.destination), buffer_name(network, packet.holds));
  for (std::size_t i = 0; i < packet.waits_for.size(); ++i) {
    text += i == 0 ? " " : "\n      or ";
    text += buffer_name(network, packet.waits_for[i]);
  }
  if (packet.choice == ChoiceKind::hashed) text += " (to which they are committed)";
  return text;
}

std::string describe(const Network& network, const AdaptiveFinding& finding) {
  using Kind = AdaptiveFinding::Kind;
  const std::string router = network.router_name(finding.at);
  if (finding.at_source) {
    return fmt::format("{} are dropped by the adapters of {}: their lane carries no data",
                       packets_name(finding.packets), router);
  }
  const std::string who =
      fmt::format("{} to {}", packets_name(finding.packets), network.terminal_name(finding.destination));
  switch (finding.kind) {
    case Kind::no_route:
      return fmt::format("{} find no route at {}", who, router);
    case Kind::stray_port:
      return fmt::format("{} leave {} by a port that leads nowhere", who, router);
    case Kind::empty_group:
      return fmt::format("{} find an empty group of ports at {}", who, router);
    case Kind::dropped_lane:
      return fmt::format("{} may leave {} on a lane that carries no data", who, router);
    case Kind::loop:
      break;
  }
  constexpr std::size_t kMost = 12;
  std::string loop;
  for (std::size_t i = 0; i < finding.loop.size() && i < kMost; ++i)
    loop += network.router_name(finding.loop[i]) + " -> ";
  if (finding.loop.size() > kMost) loop += "... -> ";
  return fmt::format("{} may go in a circle: {}{}", who, loop, router);
}

}  // namespace unknot
