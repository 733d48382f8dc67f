// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/verify.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "unknot/verify/deadlock_proof.hpp"
#include "unknot/verify/flow_search.hpp"
#include "unknot/verify/table_walk.hpp"

namespace unknot {
namespace {

LaneChannel lane_channel(const DependencyGraph& graph, DependencyGraph::Vertex v) {
  return {ChannelId(graph.channel_of(v)), static_cast<std::uint8_t>(graph.lane_of(v))};
}

Witness find_witness(const Network& network, const Routing& routing, const DependencyGraph& graph,
                     const std::vector<DependencyGraph::Vertex>& cycle) {
  Witness witness;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const LaneChannel from = lane_channel(graph, cycle[i]);
    const LaneChannel to = lane_channel(graph, cycle[(i + 1) % cycle.size()]);
    const auto flow = find_flow(network, routing, from, to);
    if (!flow) throw std::logic_error("verify: a dependency without a flow");
    witness.steps.push_back({from, flow->source, flow->destination});
  }
  return witness;
}

std::uint32_t count_lanes(const DependencyGraph& graph) {
  std::vector<bool> carries(graph.lane_count(), false);
  for (std::uint32_t v = 0; v < graph.vertex_count(); ++v) {
    if (graph.used(v)) carries[graph.lane_of(v)] = true;
  }
  return static_cast<std::uint32_t>(std::count(carries.begin(), carries.end(), true));
}

}  // namespace

Verdict verify(const Network& network, const Routing& routing, const VerifyOptions& options,
               Progress& progress) {
  TableWalk walk = walk_tables(network, routing, options.threads, options.max_findings, progress);
  const std::uint64_t terminals = network.terminal_count();
  Verdict verdict;
  verdict.pairs = terminals == 0 ? 0 : terminals * (terminals - 1);
  verdict.unroutable_pairs = walk.tally.unroutable;
  verdict.looping_pairs = walk.tally.looping;
  verdict.longer_pairs = walk.tally.longer;
  verdict.lanes_used = count_lanes(walk.graph);
  verdict.max_hops = walk.tally.max_hops;
  verdict.total_hops = walk.tally.total_hops;
  verdict.dependencies = walk.graph.arc_count();
  verdict.findings = std::move(walk.tally.findings);
  DeadlockProof proof = prove(network, routing.flow_control, walk.graph);
  verdict.flow_control = routing.flow_control;
  verdict.deadlock_free = proof.deadlock_free;
  if (!proof.deadlock_free) {
    verdict.witness = find_witness(network, routing, walk.graph, proof.cycle);
  } else if (options.certificate) {
    verdict.certificate =
        Certificate{network.fingerprint(), walk.graph.lane_count(), std::move(proof.number)};
  }
  return verdict;
}

}  // namespace unknot
