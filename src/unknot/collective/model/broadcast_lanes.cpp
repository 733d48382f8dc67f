// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/model/broadcast_lanes.hpp"

#include <algorithm>
#include <numeric>

namespace unknot {
namespace {

/// By node: has a message at some time.
std::vector<std::uint8_t> parties(const Problem& problem) {
  std::vector<std::uint8_t> takes_part(problem.graph->node_count(), 0);
  for (const NodeId n : problem.owner) takes_part[n.value] = 1;
  for (const NodeId n : problem.partner) takes_part[n.value] = 1;
  return takes_part;
}

/// The arcs of an Eulerian circuit, in its order.
class Circuit {
 public:
  Circuit(const NodeGraph& graph, const std::vector<std::uint8_t>& stops) : graph_(&graph), stops_(&stops) {
    start_ = NodeId(
        static_cast<std::uint32_t>(std::find(stops.begin(), stops.end(), std::uint8_t{1}) - stops.begin()));
  }

  /// Around a random spanning tree of two-way channels; depth first or breadth first by chance.
  bool around_tree(Random& random) {
    take_.assign(graph_->arc_count(), 0);
    std::vector<std::uint8_t> seen(graph_->node_count(), 0);
    std::vector<NodeId> open{start_};
    std::vector<ArcId> into(graph_->node_count());  // invalid at the start
    const bool deep = random.below(2) == 0;
    std::size_t next = 0;
    std::vector<std::uint32_t> order;
    while (next < open.size()) {
      const NodeId n = deep ? open.back() : open[next];
      if (deep) {
        open.pop_back();
      } else {
        ++next;
      }
      if (deep && seen[n.value] != 0) continue;
      seen[n.value] = 1;
      order.assign(graph_->out(n).size(), 0);
      std::iota(order.begin(), order.end(), 0U);
      random.shuffle(order);
      for (const std::uint32_t i : order) {
        const ArcId a = graph_->out(n)[i];
        const NodeId to = graph_->head(a);
        if (seen[to.value] != 0 || !graph_->find(to, n).valid()) continue;
        if (!deep) seen[to.value] = 1;
        into[to.value] = a;
        open.push_back(to);
      }
    }
    for (const NodeId n : graph_->nodes()) {
      if (!into[n.value].valid()) continue;
      take_[into[n.value].value] = 1;
      take_[graph_->find(n, graph_->tail(into[n.value])).value] = 1;
    }
    return find();
  }

  /// Through every channel once.
  bool through_all() {
    for (const NodeId n : graph_->nodes()) {
      if (graph_->in_capacity(n) != graph_->out_capacity(n)) return false;
    }
    take_.clear();
    for (const ArcId a : graph_->arcs()) take_.push_back(graph_->capacity(a));
    return find();
  }

  [[nodiscard]] NodeId start() const { return start_; }
  [[nodiscard]] const std::vector<ArcId>& arcs() const { return circuit_; }

 private:
  /// Through the arcs taken, which are as many in as out at every node; false where that misses a stop.
  /// [Hierholzer 1873]
  bool find() {
    std::vector<std::uint32_t> at(graph_->node_count(), 0);
    std::vector<ArcId> walk;
    circuit_.clear();
    NodeId n = start_;
    while (true) {
      const auto out = graph_->out(n);
      std::uint32_t& i = at[n.value];
      while (i < out.size() && take_[out[i].value] == 0) ++i;
      if (i < out.size()) {
        --take_[out[i].value];
        walk.push_back(out[i]);
        n = graph_->head(out[i]);
      } else {
        if (walk.empty()) break;
        circuit_.push_back(walk.back());
        n = graph_->tail(walk.back());
        walk.pop_back();
      }
    }
    std::reverse(circuit_.begin(), circuit_.end());
    std::vector<std::uint8_t> met(graph_->node_count(), 0);
    for (const ArcId a : circuit_) met[graph_->head(a).value] = 1;
    for (const NodeId node : graph_->nodes()) {
      if ((*stops_)[node.value] != 0 && met[node.value] == 0) return false;
    }
    return true;
  }

  const NodeGraph* graph_;
  const std::vector<std::uint8_t>* stops_;
  NodeId start_;
  std::vector<std::uint32_t> take_;  // by arc: how often it may still be walked
  std::vector<ArcId> circuit_;
};

/// A walk without its closed parts, from the back: comes to no node twice.
std::vector<ArcId> simple_path(const NodeGraph& graph, std::span<const ArcId> walk) {
  std::vector<ArcId> path;
  for (const ArcId a : walk) {
    const NodeId to = graph.head(a);
    const auto before = std::find_if(path.begin(), path.end(), [&](ArcId b) { return graph.tail(b) == to; });
    if (before != path.end()) {
      path.erase(before, path.end());
    } else {
      path.push_back(a);
    }
  }
  return path;
}

/// Whether a path through the nodes between its ends is allowed, and not too long.
bool allowed(const Problem& problem, std::span<const ArcId> path, std::vector<std::uint32_t>& hops) {
  const NodeGraph& graph = *problem.graph;
  for (std::size_t i = 1; i < path.size(); ++i) {
    if (graph.is_leaf(graph.tail(path[i]))) return false;
  }
  if (problem.extra_hops == Problem::kAnyLength) return true;
  graph.distances_from(graph.tail(path.front()), hops);
  return path.size() <= std::size_t{hops[graph.head(path.back()).value]} + problem.extra_hops;
}

/// The parts of an Eulerian circuit from each stop to the next; nothing where there is none or one is too
/// long.
std::vector<std::vector<ArcId>> eulerian_tour(const Problem& problem, std::vector<std::uint8_t> to_stop,
                                              Random& random) {
  const NodeGraph& graph = *problem.graph;
  Circuit circuit(graph, to_stop);
  if (!circuit.around_tree(random) && !circuit.through_all()) return {};
  std::vector<std::vector<ArcId>> tour;
  std::vector<std::uint32_t> hops;
  std::size_t begin = 0;
  const std::span<const ArcId> arcs = circuit.arcs();
  to_stop[circuit.start().value] = 0;
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    const NodeId to = graph.head(arcs[i]);
    const bool last = i + 1 == arcs.size();
    if (to_stop[to.value] == 0 && !last) continue;
    to_stop[to.value] = 0;
    tour.push_back(simple_path(graph, arcs.subspan(begin, i + 1 - begin)));
    if (tour.back().empty() || !allowed(problem, tour.back(), hops)) return {};
    begin = i + 1;
  }
  return tour;
}

/// A closed tour of shortest paths that share no channel: from each stop to the nearest one that is left, any
/// of those as near. Its paths, one for each stop; fewer where it does not come round.
std::vector<std::vector<ArcId>> nearest_tour(const Problem& problem, std::vector<std::uint8_t> to_stop,
                                             Random& random) {
  const NodeGraph& graph = *problem.graph;
  auto left = static_cast<std::uint32_t>(std::count(to_stop.begin(), to_stop.end(), std::uint8_t{1}));
  std::vector<std::uint32_t> free, hops, far, order;
  for (const ArcId a : graph.arcs()) free.push_back(graph.capacity(a));
  std::uint32_t skip = random.below(left);
  NodeId start(0);
  while (to_stop[start.value] == 0 || skip-- > 0) ++start.value;
  std::vector<std::vector<ArcId>> tour;
  std::vector<ArcId> into(graph.node_count());
  std::vector<NodeId> queue;
  NodeId at = start;
  while (left > 0) {
    to_stop[at.value] = 0;
    --left;
    if (left == 0) to_stop[start.value] = 1;  // home
    graph.distances_from(at, far);
    hops.assign(graph.node_count(), NodeGraph::kUnreached);
    hops[at.value] = 0;
    queue.assign(1, at);
    NodeId to;
    for (std::size_t i = 0; i < queue.size() && !to.valid(); ++i) {
      const NodeId n = queue[i];
      if (n != at && to_stop[n.value] != 0) to = n;
      if (n != at && graph.is_leaf(n)) continue;
      order.resize(graph.out(n).size());
      std::iota(order.begin(), order.end(), 0U);
      random.shuffle(order);
      for (const std::uint32_t j : order) {
        const ArcId a = graph.out(n)[j];
        const NodeId next = graph.head(a);
        if (free[a.value] == 0 || hops[next.value] != NodeGraph::kUnreached) continue;
        if (hops[n.value] + 1 > far[next.value]) continue;
        hops[next.value] = hops[n.value] + 1;
        into[next.value] = a;
        queue.push_back(next);
      }
    }
    if (!to.valid()) return tour;
    std::vector<ArcId> path;
    for (NodeId n = to; n != at; n = graph.tail(path.back())) path.push_back(into[n.value]);
    std::reverse(path.begin(), path.end());
    for (const ArcId a : path) --free[a.value];
    tour.push_back(std::move(path));
    at = to;
  }
  return tour;
}

}  // namespace

void BroadcastLanes::add(const NodeGraph& graph, std::uint32_t units, std::span<const ArcId> path) {
  lanes_.push_back({graph.tail(path.front()), graph.head(path.back()), units});
  arcs_.insert(arcs_.end(), path.begin(), path.end());
  arcs_first_.push_back(static_cast<std::uint32_t>(arcs_.size()));
}

void BroadcastLanes::sort_by_head(std::uint32_t nodes) {
  std::vector<std::uint32_t> order(lanes_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return lanes_[a].head < lanes_[b].head; });
  BroadcastLanes sorted;
  sorted.in_first_.assign(nodes + 1, 0);
  for (const std::uint32_t l : order) {
    sorted.lanes_.push_back(lanes_[l]);
    const auto path = arcs(l);
    sorted.arcs_.insert(sorted.arcs_.end(), path.begin(), path.end());
    sorted.arcs_first_.push_back(static_cast<std::uint32_t>(sorted.arcs_.size()));
    ++sorted.in_first_[lanes_[l].head.value + 1];
  }
  std::partial_sum(sorted.in_first_.begin(), sorted.in_first_.end(), sorted.in_first_.begin());
  *this = std::move(sorted);
}

BroadcastLanes BroadcastLanes::of_arcs(const Problem& problem) {
  const NodeGraph& graph = *problem.graph;
  const std::vector<std::uint8_t> takes_part = parties(problem);
  BroadcastLanes lanes;
  for (const ArcId a : graph.arcs()) {
    if (takes_part[graph.tail(a).value] == 0 || takes_part[graph.head(a).value] == 0) continue;
    lanes.add(graph, graph.capacity(a), {&a, 1});
  }
  lanes.sort_by_head(graph.node_count());
  return lanes;
}

BroadcastLanes BroadcastLanes::of_tour(const Problem& problem, Random& random) {
  const NodeGraph& graph = *problem.graph;
  BroadcastLanes lanes;
  if (graph.link_class() != LinkClass::half_duplex) {
    const std::vector<std::uint8_t> stops = parties(problem);
    std::vector<std::vector<ArcId>> tour = eulerian_tour(problem, stops, random);
    if (tour.empty()) tour = nearest_tour(problem, stops, random);
    const auto wanted = std::count(stops.begin(), stops.end(), std::uint8_t{1});
    if (tour.size() == static_cast<std::size_t>(wanted)) {
      for (const std::vector<ArcId>& path : tour) lanes.add(graph, 1, path);
    }
  }
  lanes.sort_by_head(graph.node_count());
  return lanes;
}

}  // namespace unknot
