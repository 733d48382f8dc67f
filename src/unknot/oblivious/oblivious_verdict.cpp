// SPDX-License-Identifier: Apache-2.0
#include "unknot/oblivious/oblivious_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "unknot/oblivious/intermediates.hpp"
#include "unknot/oblivious/oblivious_dependencies.hpp"
#include "unknot/verify/certificate_gap.hpp"
#include "unknot/verify/deadlock_proof.hpp"

namespace unknot {
namespace {

LaneChannel lane_channel(const DependencyGraph& graph, DependencyGraph::Vertex v) {
  return {ChannelId(graph.channel_of(v)), static_cast<std::uint8_t>(graph.lane_of(v))};
}

ObliviousWitness find_witness(const Network& network, ObliviousPaths paths, const LaneScheme& scheme,
                              const DependencyGraph& graph,
                              const std::vector<DependencyGraph::Vertex>& cycle) {
  ObliviousWitness witness;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    auto step = find_oblivious_flow(network, scheme, paths, lane_channel(graph, cycle[i]),
                                    lane_channel(graph, cycle[(i + 1) % cycle.size()]));
    if (!step) throw std::logic_error("verify_oblivious: a dependency without a path");
    witness.steps.push_back(std::move(*step));
  }
  return witness;
}

void count_pairs(const Network& network, ObliviousPaths paths, ObliviousVerdict& verdict) {
  const std::uint64_t terminals = network.terminal_count();
  verdict.pairs = terminals == 0 ? 0 : terminals * (terminals - 1);
  const Intermediates intermediates(network);
  const EndpointRouters& endpoints = intermediates.endpoints();
  for (std::uint32_t d = 0; d < endpoints.count(); ++d) {
    for (std::uint32_t s = 0; s < endpoints.count(); ++s) {
      if (s == d) continue;
      if (paths == ObliviousPaths::minimal ? intermediates.joined(s, d) : intermediates.share(s, d) > 0)
        continue;
      const IdRange<TerminalId> from = network.terminals_at(endpoints[s]);
      const IdRange<TerminalId> to = network.terminals_at(endpoints[d]);
      if (verdict.unroutable_pairs == 0) {
        verdict.lost_source = from[0];
        verdict.lost_destination = to[0];
      }
      verdict.unroutable_pairs += std::uint64_t{from.size()} * to.size();
    }
  }
}

std::uint32_t count_lanes(const DependencyGraph& graph) {
  std::vector<bool> carries(graph.lane_count(), false);
  for (DependencyGraph::Vertex v = 0; v < graph.vertex_count(); ++v) {
    if (graph.used(v)) carries[graph.lane_of(v)] = true;
  }
  return static_cast<std::uint32_t>(std::count(carries.begin(), carries.end(), true));
}

std::string objection(const Network& network, const PathLengths& lengths, const LaneScheme& scheme,
                      const Certificate& certificate) {
  std::string misfit = certificate_misfit(network, certificate);
  if (!misfit.empty()) return misfit;
  Progress silent;
  const DependencyGraph graph = oblivious_dependencies(network, lengths, scheme, 0, silent);
  const auto gap = certificate_gap(network, FlowControl::credits, graph, certificate);
  if (!gap) return {};
  const auto name = [&](DependencyGraph::Vertex v) {
    return fmt::format("{}, lane {}", network.channel_name(ChannelId(graph.channel_of(v))), graph.lane_of(v));
  };
  if (!gap->to) return fmt::format("packets use {}, which has no number", name(gap->from));
  const auto step = find_oblivious_flow(network, scheme, lengths.paths, lane_channel(graph, gap->from),
                                        lane_channel(graph, *gap->to));
  if (!step) throw std::logic_error("check_oblivious_certificate: a dependency without a path");
  return fmt::format("packets on the way {} hold {} (number {}) and wait for {} (number {})",
                     describe(network, step->flow), name(gap->from), certificate.number[gap->from],
                     name(*gap->to), certificate.number[*gap->to]);
}

}  // namespace

bool check_oblivious_certificate(const Network& network, const PathLengths& lengths, const LaneScheme& scheme,
                                 const Certificate& certificate, std::string* why) {
  const std::string text = objection(network, lengths, scheme, certificate);
  if (why != nullptr) *why = text;
  return text.empty();
}

ObliviousVerdict verify_oblivious(const Network& network, const PathLengths& lengths,
                                  const LaneScheme& scheme, const ObliviousVerifyOptions& options,
                                  Progress& progress) {
  ObliviousVerdict verdict;
  count_pairs(network, lengths.paths, verdict);
  const DependencyGraph graph = oblivious_dependencies(network, lengths, scheme, options.threads, progress);
  verdict.lanes = scheme.lanes;
  verdict.lanes_used = count_lanes(graph);
  verdict.vertices = graph.vertex_count();
  verdict.dependencies = graph.arc_count();
  verdict.max_hops = lengths.longest;
  const double searches = static_cast<double>(EndpointRouters(network).count()) * network.router_count();
  if (searches <= options.most_listed_paths &&
      explicit_paths(network, lengths.paths) <= options.most_listed_paths)
    verdict.check = explicit_check(network, lengths.paths, scheme, graph, progress);
  DeadlockProof proof = prove(network, FlowControl::credits, graph);
  verdict.deadlock_free = proof.deadlock_free;
  if (proof.deadlock_free) {
    verdict.certificate = Certificate{network.fingerprint(), scheme.lanes, std::move(proof.number)};
  } else {
    verdict.witness = find_witness(network, lengths.paths, scheme, graph, proof.cycle);
  }
  return verdict;
}

}  // namespace unknot
