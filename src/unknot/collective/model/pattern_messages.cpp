// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/model/pattern_messages.hpp"

#include "unknot/traffic/catalogue.hpp"

namespace unknot {

std::vector<MessageEnds> pattern_messages(const Network& network, const NodeGraph& graph,
                                          std::string_view pattern, std::uint64_t seed) {
  const TrafficPattern made = make_pattern(network, pattern);
  const auto node_of = [&](TerminalId t) {
    return graph.has_terminal_nodes() ? NodeId(graph.router_count() + t.value)
                                      : NodeId(network.router_of(t).value);
  };
  std::vector<MessageEnds> messages;
  if (made.all_pairs) {
    for (const TerminalId from : network.terminals()) {
      for (const TerminalId to : network.terminals()) messages.push_back({node_of(from), node_of(to)});
    }
    return messages;
  }
  std::vector<Flow> flows;
  made.flows(seed, 0, flows);
  for (const Flow& flow : flows) messages.push_back({node_of(flow.source), node_of(flow.destination)});
  return messages;
}

}  // namespace unknot
