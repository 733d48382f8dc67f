// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/chips/floogen_paths.hpp"

#include <algorithm>

namespace unknot {

namespace {

constexpr std::uint32_t kPathEnd = 0xFFFFFFFFU;

}  // namespace

FloogenPaths::FloogenPaths(const FloogenPlan& plan, const FloogenGraph& graph)
    : graph_(graph), nodes_(static_cast<std::uint32_t>(graph.nodes.size())) {
  for (std::uint32_t i = graph.routers; i < nodes_; ++i) {
    asks_.push_back(plan.endpoints[graph.nodes[i].group].asks ? 1 : 0);
    answers_.push_back(plan.endpoints[graph.nodes[i].group].answers ? 1 : 0);
  }
  for (Reach* one : {&there_, &back_}) {
    one->from.assign(2 * std::size_t{nodes_} - graph.routers, kPathEnd);
    one->search.assign(one->from.size(), 0);
  }
}

/// One more level from this end; true where it meets the other.
bool FloogenPaths::meet(Reach& reach, const Reach& other, bool forward, std::uint32_t& met) {
  level_.swap(reach.rim);
  reach.rim.clear();
  for (const std::uint32_t v : level_) {
    next_.clear();
    if (v >= nodes_) {  // a device
      const std::uint32_t e = v - nodes_;
      if ((forward ? asks_ : answers_)[e] != 0) next_.push_back(graph_.routers + e);
    } else {
      if (v >= graph_.routers && (forward ? answers_ : asks_)[v - graph_.routers] != 0)
        next_.push_back(nodes_ + v - graph_.routers);
      for (const FloogenGraph::Edge& edge : graph_.nodes[v].edges) next_.push_back(edge.to);
    }
    for (const std::uint32_t w : next_) {
      if (!has(reach, w)) {
        reach.search[w] = searches_;
        reach.from[w] = v;
        reach.rim.push_back(w);
      }
      if (has(other, w)) {
        met = w;
        return true;
      }
    }
  }
  return false;
}

std::vector<std::uint32_t> FloogenPaths::find(std::uint32_t from, std::uint32_t to) {
  ++searches_;
  const auto begin = [&](Reach& reach, std::uint32_t node) {
    reach.rim.assign(1, node);
    reach.search[node] = searches_;
    reach.from[node] = kPathEnd;
  };
  begin(there_, from);
  begin(back_, to);
  std::vector<std::uint32_t> path;
  std::uint32_t met = from;
  bool found = from == to;
  while (!found && !there_.rim.empty() && !back_.rim.empty()) {
    found = there_.rim.size() <= back_.rim.size() ? meet(there_, back_, true, met)
                                                  : meet(back_, there_, false, met);
  }
  if (!found) return path;
  for (std::uint32_t v = met; v != kPathEnd; v = there_.from[v]) path.push_back(v);
  std::reverse(path.begin(), path.end());
  for (std::uint32_t v = back_.from[met]; v != kPathEnd; v = back_.from[v]) path.push_back(v);
  return path;
}

}  // namespace unknot
