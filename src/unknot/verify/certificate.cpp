// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string>
#include <vector>

#include "unknot/verify/flow_search.hpp"
#include "unknot/verify/ring_rule.hpp"
#include "unknot/verify/table_walk.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

std::string name(const Network& network, const LaneChannel& hop) {
  return fmt::format("{}, lane {}", network.channel_name(hop.channel), hop.lane);
}

std::string flow_name(const Network& network, const std::optional<FlowEnds>& flow) {
  if (!flow) return "packets";
  return fmt::format("packets of {} to {}", network.terminal_name(flow->source),
                     network.terminal_name(flow->destination));
}

/// Empty when the certificate holds.
std::string objection(const Network& network, const Routing& routing, const Certificate& certificate) {
  if (certificate.network_fingerprint != network.fingerprint())
    return "the certificate was made for another network";
  const std::uint64_t channels = network.channel_count();
  if (certificate.number.size() != channels * certificate.lanes) {
    return fmt::format("the certificate has {} numbers where {} channels on {} lanes need {}",
                       certificate.number.size(), channels, certificate.lanes, channels * certificate.lanes);
  }
  Progress silent;
  const DependencyGraph graph = walk_tables(network, routing, 0, 0, silent).graph;
  const auto hop = [&](DependencyGraph::Vertex v) {
    return LaneChannel{ChannelId(graph.channel_of(v)), static_cast<std::uint8_t>(graph.lane_of(v))};
  };
  // Vertices of the graph and entries of the certificate share their numbering: lane * channels + channel.
  for (DependencyGraph::Vertex v = 0; v < graph.vertex_count(); ++v) {
    if (!graph.used(v)) continue;
    if (v >= certificate.number.size() || certificate.number[v] == Certificate::kUnused) {
      return fmt::format("{} use {}, which has no number",
                         flow_name(network, find_flow(network, routing, hop(v))), name(network, hop(v)));
    }
  }
  DirectedRings rings{std::vector<std::uint32_t>(network.channel_count(), DirectedRings::kNone)};
  if (routing.flow_control == FlowControl::bubble) rings = directed_rings(network);
  for (DependencyGraph::Vertex v = 0; v < graph.vertex_count(); ++v) {
    for (const DependencyGraph::Vertex w : graph.next(v)) {
      if (certificate.number[v] < certificate.number[w]) continue;
      if (certificate.number[v] == certificate.number[w] && graph.lane_of(v) == graph.lane_of(w) &&
          rings.together(graph.channel_of(v), graph.channel_of(w)))
        continue;
      return fmt::format("{} hold {} (number {}) and wait for {} (number {})",
                         flow_name(network, find_flow(network, routing, hop(v), hop(w))),
                         name(network, hop(v)), certificate.number[v], name(network, hop(w)),
                         certificate.number[w]);
    }
  }
  return {};
}

}  // namespace

bool check_certificate(const Network& network, const Routing& routing, const Certificate& certificate,
                       std::string* why) {
  const std::string text = objection(network, routing, certificate);
  if (why != nullptr) *why = text;
  return text.empty();
}

}  // namespace unknot
