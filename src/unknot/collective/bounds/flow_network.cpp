// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/bounds/flow_network.hpp"

#include <utility>

#include "unknot/network/builder.hpp"

namespace unknot {
namespace {

Network network_of(const Problem& problem) {
  const NodeGraph& graph = *problem.graph;
  NetworkBuilder builder;
  builder.add_routers(graph.node_count());
  const std::vector<Role> roles = problem.roles();
  for (const NodeId n : graph.nodes()) {
    if (roles[n.value] != Role::switch_only) builder.add_terminal(RouterId(n.value));
  }
  for (const ArcId a : graph.arcs())
    builder.add_channel(RouterId(graph.tail(a).value), RouterId(graph.head(a).value));
  return std::move(builder).build();
}

RouterDemand demand_of(const Problem& problem, const Network& network) {
  std::vector<RouterFlow> flows;
  flows.reserve(problem.messages());
  for (std::uint32_t g = 0; g < problem.groups(); ++g) {
    for (const NodeId n : problem.partners(g))
      flows.push_back({RouterId(problem.owner[g].value), RouterId(n.value)});
  }
  return RouterDemand::of_flows(network, flows);
}

}  // namespace

FlowNetwork::FlowNetwork(const Problem& problem)
    : network_(network_of(problem)), demand_(demand_of(problem, network_)) {
  const NodeGraph& graph = *problem.graph;
  arc_of_.reserve(network_.channel_count());
  capacity_.reserve(network_.channel_count());
  for (const ChannelId c : network_.channels()) {
    arc_of_.push_back(graph.find(NodeId(network_.source(c).value), NodeId(network_.target(c).value)));
    capacity_.push_back(graph.capacity(arc_of_.back()));
  }
}

std::vector<double> FlowNetwork::lengths_by_arc(const ConcurrentFlow& flow) const {
  std::vector<double> length(arc_of_.size(), 0);
  for (const ChannelId c : network_.channels()) length[arc_of(c).value] = flow.length[c.value];
  return length;
}

}  // namespace unknot
