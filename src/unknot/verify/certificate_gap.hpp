// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "unknot/deadlock/dependency_graph.hpp"
#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {

/// Where a certificate does not prove a channel dependency graph deadlock-free.
struct CertificateGap {
  DependencyGraph::Vertex from = 0;
  /// Waited for by packets that hold `from`, without a larger number; nothing where `from` has no number.
  std::optional<DependencyGraph::Vertex> to;
};

/// Empty where the certificate is one of this network, with a number for each channel and lane.
std::string certificate_misfit(const Network& network, const Certificate& certificate);

/// Nothing where every dependency goes from a smaller to a larger number of the certificate (under bubble
/// flow control: or stays on one number within one directed ring). Vertices and entries of the certificate
/// share their numbering, lane * channels + channel. O(vertices + arcs).
std::optional<CertificateGap> certificate_gap(const Network& network, FlowControl flow_control,
                                              const DependencyGraph& graph, const Certificate& certificate);

}  // namespace unknot
