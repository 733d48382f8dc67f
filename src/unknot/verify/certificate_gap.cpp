// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/certificate_gap.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <vector>

#include "unknot/verify/ring_rule.hpp"

namespace unknot {

std::string certificate_misfit(const Network& network, const Certificate& certificate) {
  if (certificate.network_fingerprint != network.fingerprint())
    return "the certificate was made for another network";
  const std::uint64_t channels = network.channel_count();
  if (certificate.number.size() != channels * certificate.lanes) {
    return fmt::format("the certificate has {} numbers where {} channels on {} lanes need {}",
                       certificate.number.size(), channels, certificate.lanes, channels * certificate.lanes);
  }
  return {};
}

std::optional<CertificateGap> certificate_gap(const Network& network, FlowControl flow_control,
                                              const DependencyGraph& graph, const Certificate& certificate) {
  for (DependencyGraph::Vertex v = 0; v < graph.vertex_count(); ++v) {
    if (!graph.used(v)) continue;
    if (v >= certificate.number.size() || certificate.number[v] == Certificate::kUnused)
      return CertificateGap{v, std::nullopt};
  }
  DirectedRings rings{std::vector<std::uint32_t>(network.channel_count(), DirectedRings::kNone)};
  if (flow_control == FlowControl::bubble) rings = directed_rings(network);
  for (DependencyGraph::Vertex v = 0; v < graph.vertex_count(); ++v) {
    for (const DependencyGraph::Vertex w : graph.next(v)) {
      if (certificate.number[v] < certificate.number[w]) continue;
      if (certificate.number[v] == certificate.number[w] && graph.lane_of(v) == graph.lane_of(w) &&
          rings.together(graph.channel_of(v), graph.channel_of(w)))
        continue;
      return CertificateGap{v, w};
    }
  }
  return std::nullopt;
}

}  // namespace unknot
