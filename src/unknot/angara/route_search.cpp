// SPDX-License-Identifier: Apache-2.0
#include "unknot/angara/route_search.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>

namespace unknot::angara {

using State = RoutingGraph::State;

RouteSearch::RouteSearch(const RoutingGraph& graph)
    : graph_(&graph),
      back_(graph.states()),
      distance_(graph.vertex_count(), kUnreached),
      best_(graph.torus().node_count(), kUnreached) {
  for (const State state : graph.all_states()) {
    for (const RoutingGraph::Move& move : graph.moves(state)) {
      if (move.direction != RoutingGraph::kNoDirection) back_[move.to].push_back({state, move.needs_turn});
    }
  }
}

void RouteSearch::run(std::uint32_t source) {
  const RoutingGraph& graph = *graph_;
  for (const std::uint32_t vertex : queue_) distance_[vertex] = kUnreached;
  std::fill(best_.begin(), best_.end(), kUnreached);
  queue_.assign(1, graph.vertex(source, RoutingGraph::begin()));
  distance_[queue_[0]] = 0;
  best_[source] = 0;
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const std::uint32_t node = queue_[i] / graph.states();
    const auto state = static_cast<State>(queue_[i] % graph.states());
    const auto hops = static_cast<std::uint16_t>(distance_[queue_[i]] + 1U);
    for (const RoutingGraph::Move& move : graph.moves(state)) {
      if (move.direction == RoutingGraph::kNoDirection) continue;
      const std::uint32_t slot = graph.slot_of(node, state, move);
      if (slot == Torus::kNone) continue;
      const std::uint32_t to = graph.torus().next(slot);
      const std::uint32_t vertex = graph.vertex(to, move.to);
      if (distance_[vertex] != kUnreached) continue;
      distance_[vertex] = hops;
      best_[to] = std::min(best_[to], hops);
      queue_.push_back(vertex);
    }
  }
}

void RouteSearch::list(std::uint32_t node, std::vector<RouteCode>& routes) {
  if (best_[node] == kUnreached || best_[node] == 0) return;
  const auto first = static_cast<std::ptrdiff_t>(routes.size());
  for (const State state : graph_->all_states()) {
    if (distance_[graph_->vertex(node, state)] == best_[node]) trace(node, state, routes);
  }
  std::sort(routes.begin() + first, routes.end());
  routes.erase(std::unique(routes.begin() + first, routes.end()), routes.end());
}

void RouteSearch::trace(std::uint32_t node, State state, std::vector<RouteCode>& routes) {
  const RoutingGraph& graph = *graph_;
  const std::uint16_t hops = distance_[graph.vertex(node, state)];
  if (hops == 0) {
    std::vector<Direction> forwards(directions_.rbegin(), directions_.rend());
    const auto code = encode(graph.torus(), forwards);
    if (!code) throw std::logic_error("angara: a route of the routing graph cannot be written");
    routes.push_back(*code);
    return;
  }
  const Direction d = graph.entered_by(state);
  const std::uint32_t slot = graph.torus().entering(node, d);
  const std::uint32_t before = slot / graph.torus().directions();
  directions_.push_back(d);
  for (const Back& back : back_[state]) {
    if (distance_[graph.vertex(before, back.from)] + 1 != hops) continue;
    if (graph.slot_of(before, back.from, {d, state, back.needs_turn}) == slot)
      trace(before, back.from, routes);
  }
  directions_.pop_back();
}

}  // namespace unknot::angara
