// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "unknot/collective/combine/combined_problem.hpp"
#include "unknot/collective/combine/combined_schedule.hpp"

namespace unknot::testing {

/// What a node contributes to a block: sums of up to 2^16 of these are all different from one another.
inline std::uint64_t contribution(NodeId node, const Block& block) {
  return (std::uint64_t{node.value} + 1) * 1'000'003 * (block.origin.value * 131 + block.part + 7) +
         node.value * node.value;
}

/// Carries a schedule out with numbers, as plainly as can be: every node has a number for each block, copies
/// replace it, sums add to it. Says what is wrong with channels, ports or results; "" where all is right.
inline std::string played(const CombinedProblem& problem, const CombinedSchedule& schedule,
                          bool channels_are_shared = false) {
  using Key = std::pair<NodeId, Block>;
  const NodeGraph& graph = *problem.base.graph;
  const bool half = graph.link_class() == LinkClass::half_duplex;
  std::map<Key, std::uint64_t> holds;
  for (std::uint32_t b = 0; b < problem.blocks(); ++b) {
    for (const NodeId n : problem.sources(b))
      holds[{n, problem.block[b]}] = contribution(n, problem.block[b]);
  }
  const std::set<NodeId> takes_part(problem.nodes.begin(), problem.nodes.end());
  for (std::uint32_t step = 0; step < schedule.step_count(); ++step) {
    std::map<std::uint32_t, std::uint32_t> arcs, links;
    std::map<NodeId, std::uint32_t> sent, received;
    const std::map<Key, std::uint64_t> before = holds;
    for (std::uint32_t t = schedule.step_begin(step); t < schedule.step_end(step); ++t) {
      const auto path = schedule.path(t);
      if (!takes_part.contains(path.front()) || !takes_part.contains(path.back())) return "ends";
      if (std::set<NodeId>(path.begin(), path.end()).size() != path.size() || path.size() < 2) return "path";
      for (std::size_t i = 1; i < path.size(); ++i) {
        const ArcId a = graph.find(path[i - 1], path[i]);
        if (!a.valid()) return "channel";
        if (i + 1 < path.size() && graph.is_leaf(path[i])) return "leaf";
        if (++arcs[a.value] > graph.capacity(a) && !channels_are_shared) return "conflict";
        if (++links[graph.link(a)] > graph.link_capacity(graph.link(a)) && half) return "link";
      }
      if (++sent[path.front()] > problem.base.send_ports) return "send ports";
      if (++received[path.back()] > problem.base.receive_ports) return "receive ports";
      for (const Block& block : schedule.blocks(t)) {
        const auto from = before.find({path.front(), block});
        if (from == before.end()) return "not held";
        std::uint64_t& there = holds[{path.back(), block}];
        there = schedule.combines(t) ? there + from->second : from->second;
      }
    }
  }
  for (std::uint32_t b = 0; b < problem.blocks(); ++b) {
    for (const NodeId target : problem.targets(b)) {
      std::uint64_t sum = 0;
      for (const NodeId n : problem.sources(b)) {
        if (problem.outcome != Outcome::scan || n <= target) sum += contribution(n, problem.block[b]);
      }
      const auto found = holds.find({target, problem.block[b]});
      if (found == holds.end() || found->second != sum) return "result";
    }
  }
  return "";
}

}  // namespace unknot::testing
