// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string>

#include "unknot/verify/certificate_gap.hpp"
#include "unknot/verify/flow_search.hpp"
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
  std::string misfit = certificate_misfit(network, certificate);
  if (!misfit.empty()) return misfit;
  Progress silent;
  const DependencyGraph graph = walk_tables(network, routing, 0, 0, silent).graph;
  const auto gap = certificate_gap(network, routing.flow_control, graph, certificate);
  if (!gap) return {};
  const auto hop = [&](DependencyGraph::Vertex v) {
    return LaneChannel{ChannelId(graph.channel_of(v)), static_cast<std::uint8_t>(graph.lane_of(v))};
  };
  const LaneChannel from = hop(gap->from);
  if (!gap->to) {
    return fmt::format("{} use {}, which has no number",
                       flow_name(network, find_flow(network, routing, from)), name(network, from));
  }
  const LaneChannel to = hop(*gap->to);
  return fmt::format("{} hold {} (number {}) and wait for {} (number {})",
                     flow_name(network, find_flow(network, routing, from, to)), name(network, from),
                     certificate.number[gap->from], name(network, to), certificate.number[*gap->to]);
}

}  // namespace

bool check_certificate(const Network& network, const Routing& routing, const Certificate& certificate,
                       std::string* why) {
  std::string text = objection(network, routing, certificate);
  for (const Routing& further : routing.further) {
    if (text.empty()) text = objection(network, further, certificate);
  }
  if (why != nullptr) *why = text;
  return text.empty();
}

}  // namespace unknot
