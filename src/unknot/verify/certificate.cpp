// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string>

#include "unknot/verify/certificate_gap.hpp"
#include "unknot/verify/flow_search.hpp"
#include "unknot/verify/multicast/multicast_walk.hpp"
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

LaneChannel hop(const DependencyGraph& graph, DependencyGraph::Vertex v) {
  return {ChannelId(graph.channel_of(v)), static_cast<std::uint8_t>(graph.lane_of(v))};
}

/// Empty when the certificate holds for these dependencies; `who(from, to)` names packets that make one, to a
/// vertex or to none.
template <class Who>
std::string objection(const Network& network, FlowControl flow_control, const DependencyGraph& graph,
                      const Certificate& certificate, const Who& who) {
  const auto gap = certificate_gap(network, flow_control, graph, certificate);
  if (!gap) return {};
  const LaneChannel from = hop(graph, gap->from);
  if (!gap->to) return fmt::format("{} use {}, which has no number", who(from, nullptr), name(network, from));
  const LaneChannel to = hop(graph, *gap->to);
  return fmt::format("{} hold {} (number {}) and wait for {} (number {})", who(from, &to),
                     name(network, from), certificate.number[gap->from], name(network, to),
                     certificate.number[*gap->to]);
}

std::string objection(const Network& network, const Routing& routing, const Certificate& certificate) {
  Progress silent;
  return objection(network, routing.flow_control, walk_tables(network, routing, 0, 0, silent).graph,
                   certificate, [&](LaneChannel from, const LaneChannel* to) {
                     return flow_name(network, to == nullptr ? find_flow(network, routing, from)
                                                             : find_flow(network, routing, from, *to));
                   });
}

std::string multicast_objection(const Network& network, const Routing& routing,
                                const Certificate& certificate) {
  if (!routing.multicast) return {};
  Progress silent;
  return objection(network, routing.flow_control, walk_multicast(network, routing, 0, silent).graph,
                   certificate, [&](LaneChannel from, const LaneChannel* to) -> std::string {
                     if (to == nullptr) return "packets of multicast groups";
                     const auto flow = find_multicast_flow(network, routing, from.channel, from.lane,
                                                           to->channel, to->lane);
                     return flow ? fmt::format("packets of {} to group 0x{:04x}",
                                               network.terminal_name(flow->source), flow->group)
                                 : "packets of multicast groups";
                   });
}

}  // namespace

bool check_certificate(const Network& network, const Routing& routing, const Certificate& certificate,
                       std::string* why) {
  std::string text = certificate_misfit(network, certificate);
  if (text.empty()) text = objection(network, routing, certificate);
  if (text.empty()) text = multicast_objection(network, routing, certificate);
  for (const Routing& further : routing.further) {
    if (text.empty()) text = objection(network, further, certificate);
  }
  if (why != nullptr) *why = text;
  return text.empty();
}

}  // namespace unknot
