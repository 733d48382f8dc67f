// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string>

#include "unknot/support/files/append.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {

namespace {

/// "H-3", or "H-3 (address 2 of it)".
std::string destination(const Network& network, TerminalId t, std::uint32_t address) {
  const std::string name = network.terminal_name(t);
  return address == 0 ? name : fmt::format("{} (address {} of it)", name, address + 1);
}

}  // namespace

std::string describe(const Network& network, const Witness& witness) {
  std::string text;
  const std::size_t length = witness.steps.size();
  append(text, "{} channels wait for each other in a circle:\n", length);
  for (std::size_t i = 0; i < length; ++i) {
    const WitnessStep& step = witness.steps[i];
    append(text, "  {}. {}, lane {}: held by packets of {} to {}, waiting for {}\n", i + 1,
           network.channel_name(step.from.channel), step.from.lane, network.terminal_name(step.source),
           step.group != 0 ? fmt::format("group 0x{:04x}", step.group)
                           : destination(network, step.destination, step.address),
           i + 1 < length ? fmt::format("{}.", i + 2) : "1.");
  }
  return text;
}

std::string describe(const Network& network, const Finding& finding) {
  std::string flow = fmt::format("{} to {}", network.terminal_name(finding.source),
                                 destination(network, finding.destination, finding.address));
  const std::string at = network.router_name(finding.at);
  switch (finding.kind) {
    case Finding::Kind::unreachable:
      return fmt::format("{}: {} has no entry for the destination", flow, at);
    case Finding::Kind::stray_port:
      return fmt::format("{}: {} sends to a port that does not lead to the destination", flow, at);
    case Finding::Kind::loop:
      return fmt::format("{}: packets come back to {} forever", flow, at);
    case Finding::Kind::missing_service_level:
      return fmt::format("{}: the path has no valid service level", flow);
    case Finding::Kind::dropped_lane: {
      const std::string who =
          finding.at_source ? "the adapter of " + network.terminal_name(finding.source) : at;
      if (finding.lane == LaneMap::kDrop && finding.lanes == LaneMap::kDrop)
        return fmt::format("{}: the SL-to-VL table of {} drops its service level", flow, who);
      return fmt::format(
          "{}: {} would send it on lane {}, and only {} for data", flow, who, finding.lane,
          finding.lanes == 1 ? "lane 0 is there" : fmt::format("lanes 0 to {} are there", finding.lanes - 1));
    }
  }
  return flow;
}

}  // namespace unknot
