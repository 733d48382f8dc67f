// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "unknot/formats/chips/floogen.hpp"
#include "unknot/formats/chips/floogen_graph.hpp"
#include "unknot/formats/chips/floogen_plan.hpp"
#include "unknot/formats/draft/fabric_draft.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {

bool looks_like_floogen(std::string_view head) {
  static const std::string kNoFile;
  Lines lines(head.substr(0, head.find('\0')), kNoFile);
  while (lines.next()) {
    for (const std::string_view key : {"network_type:", "endpoints:", "protocols:"})
      if (lines.line().starts_with(key)) return true;
  }
  return false;
}

Network read_floogen(std::string_view text, const std::string& name) {
  const FloogenPlan plan = read_floogen_plan(text, name);
  const FloogenGraph graph = make_floogen_graph(plan, name);
  NetworkBuilder builder;
  builder.add_routers(graph.routers);
  Labels& labels = builder.labels();
  for (std::uint32_t r = 0; r < graph.routers; ++r) {
    const FloogenGraph::Node& node = graph.nodes[r];
    labels.router_name.push_back(node.name);
    labels.router_ports.push_back(static_cast<std::uint16_t>(*node.degree));
    for (std::size_t i = 0; i < node.edges.size(); ++i) {
      const std::uint32_t to = node.edges[i].to;
      if (r < to && to < graph.routers)
        builder.add_cable(RouterId(r), node.ports[i], RouterId(to), graph.port_to(to, r));
    }
  }
  for (std::uint32_t t = graph.routers; t < graph.nodes.size(); ++t) {
    const FloogenGraph::Node& node = graph.nodes[t];
    const std::uint32_t router = node.edges.front().to;
    builder.add_terminal(RouterId(router), graph.port_to(router, t));
    labels.terminal_name.push_back(node.name);
  }
  builder.set_description(name);
  Network network = std::move(builder).build();
  require_connected(network, name);
  return network;
}

}  // namespace unknot
