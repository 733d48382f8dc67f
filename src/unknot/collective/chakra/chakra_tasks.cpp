// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/chakra/chakra_tasks.hpp"

#include <map>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "unknot/traffic/workloads/task_graph.hpp"

namespace unknot::chakra {

TaskGraph task_graph_of(const std::vector<Trace>& traces) {
  TaskGraphBuilder builder;
  // messages of one pair and tag are matched in their order
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::queue<std::uint32_t>> sent;
  std::vector<std::unordered_map<std::uint64_t, std::uint32_t>> task(traces.size());
  for (std::uint32_t rank = 0; rank < traces.size(); ++rank) {
    for (const TraceNode& node : traces[rank]) {
      if (node.type == NodeType::send) {
        const std::uint32_t made = builder.send(TerminalId(rank), TerminalId(node.peer), node.bytes);
        task[rank][node.id] = made;
        sent[{rank, node.peer, node.tag}].push(made);
      } else if (node.type == NodeType::compute) {
        task[rank][node.id] = builder.compute(TerminalId(rank), node.microseconds * 1000);
      }
    }
  }
  for (std::uint32_t rank = 0; rank < traces.size(); ++rank) {
    for (const TraceNode& node : traces[rank]) {
      if (node.type != NodeType::receive) continue;
      std::queue<std::uint32_t>& waiting = sent.at({node.peer, rank, node.tag});
      task[rank][node.id] = builder.receive(waiting.front());
      waiting.pop();
    }
  }
  for (std::uint32_t rank = 0; rank < traces.size(); ++rank) {
    for (const TraceNode& node : traces[rank]) {
      for (const std::uint64_t before : node.after)
        builder.require_done(task[rank].at(node.id), task[rank].at(before));
    }
  }
  return std::move(builder).build();
}

}  // namespace unknot::chakra
