// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/verify.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "unknot/verify/deadlock_proof.hpp"
#include "unknot/verify/flow_search.hpp"
#include "unknot/verify/joint_check.hpp"
#include "unknot/verify/multicast/multicast_walk.hpp"
#include "unknot/verify/table_walk.hpp"

namespace unknot {
namespace {

LaneChannel lane_channel(const DependencyGraph& graph, DependencyGraph::Vertex v) {
  return {ChannelId(graph.channel_of(v)), static_cast<std::uint8_t>(graph.lane_of(v))};
}

/// All tables that are in force: those to the lowest addresses first.
std::vector<const Routing*> in_force(const Routing& routing) {
  std::vector<const Routing*> all{&routing};
  for (const Routing& further : routing.further) all.push_back(&further);
  return all;
}

WitnessStep find_step(const Network& network, const std::vector<const Routing*>& routings, LaneChannel from,
                      LaneChannel to) {
  for (std::uint32_t address = 0; address < routings.size(); ++address) {
    const auto flow = find_flow(network, *routings[address], from, to);
    if (flow) return {from, flow->source, flow->destination, address};
  }
  const auto flow =
      find_multicast_flow(network, *routings.front(), from.channel, from.lane, to.channel, to.lane);
  if (flow) return {from, flow->source, TerminalId(), 0, flow->group};
  throw std::logic_error("verify: a dependency without a flow");
}

Witness find_witness(const Network& network, const std::vector<const Routing*>& routings,
                     const DependencyGraph& graph, const std::vector<DependencyGraph::Vertex>& cycle) {
  Witness witness;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    witness.steps.push_back(find_step(network, routings, lane_channel(graph, cycle[i]),
                                      lane_channel(graph, cycle[(i + 1) % cycle.size()])));
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
  const std::vector<const Routing*> routings = in_force(routing);
  const std::uint64_t terminals = network.terminal_count();
  Verdict verdict;
  verdict.addresses = static_cast<std::uint32_t>(routings.size());
  verdict.pairs = terminals == 0 ? 0 : terminals * (terminals - 1) * routings.size();
  std::vector<DependencyGraph> graphs;
  for (std::uint32_t address = 0; address < routings.size(); ++address) {
    const auto room = options.max_findings - static_cast<std::uint32_t>(verdict.findings.size());
    TableWalk walk = walk_tables(network, *routings[address], options.threads, room, progress);
    verdict.unroutable_pairs += walk.tally.unroutable;
    verdict.looping_pairs += walk.tally.looping;
    verdict.laneless_pairs += walk.tally.laneless;
    verdict.lanes_wanted = std::max(verdict.lanes_wanted, walk.tally.lanes_wanted);
    verdict.longer_pairs += walk.tally.longer;
    verdict.max_hops = std::max(verdict.max_hops, walk.tally.max_hops);
    verdict.total_hops += walk.tally.total_hops;
    for (Finding& finding : walk.tally.findings) {
      finding.address = address;
      verdict.findings.push_back(finding);
    }
    graphs.push_back(std::move(walk.graph));
  }
  if (routing.multicast) {
    MulticastWalk walk = walk_multicast(network, routing, options.max_findings, progress);
    verdict.multicast = std::move(walk.verdict);
    graphs.push_back(std::move(walk.graph));
  }
  const DependencyGraph graph = graphs.size() == 1 ? std::move(graphs[0]) : united(network, graphs);
  verdict.lanes_used = count_lanes(graph);
  verdict.dependencies = graph.arc_count();
  DeadlockProof proof = prove(network, routing.flow_control, graph);
  verdict.flow_control = routing.flow_control;
  verdict.deadlock_free = proof.deadlock_free;
  if (!proof.deadlock_free) {
    verdict.witness = find_witness(network, routings, graph, proof.cycle);
  } else if (options.certificate) {
    verdict.certificate = Certificate{network.fingerprint(), graph.lane_count(), std::move(proof.number)};
  }
  return verdict;
}

}  // namespace unknot
