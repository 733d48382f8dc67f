// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/packing/route_resources.hpp"

namespace unknot {

RouteResources::RouteResources(const Problem& problem)
    : problem_(&problem), half_duplex_(problem.graph->link_class() == LinkClass::half_duplex) {
  const PairRoutes& routes = *problem.routes;
  const NodeGraph& graph = *problem.graph;
  for (std::uint32_t line = 0; line < routes.line_count(); ++line) capacity_.push_back(routes.capacity(line));
  const auto ports = [&](std::uint32_t channels, std::uint32_t most) {
    if (most >= channels) return Problem::kNone;
    capacity_.push_back(most);
    return count() - 1;
  };
  for (const NodeId n : graph.nodes()) {
    sender_.push_back(ports(graph.out_capacity(n), problem.send_ports));
    receiver_.push_back(ports(graph.in_capacity(n), problem.receive_ports));
  }
}

bool RouteResources::add_taken(NodeId from, NodeId to, std::vector<std::uint32_t>& taken) const {
  const PairRoutes& routes = *problem_->routes;
  const auto lines = routes.lines(from, to);
  if (lines.empty()) return false;
  for (const std::uint32_t line : lines) taken.push_back(half_duplex_ ? routes.cable(line) : line);
  if (sender_[from.value] != Problem::kNone) taken.push_back(sender_[from.value]);
  if (receiver_[to.value] != Problem::kNone) taken.push_back(receiver_[to.value]);
  return true;
}

}  // namespace unknot
