// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/paths/pair_paths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::size_t kMostArcs = std::size_t{1} << 31U;

/// What is known of the ways to one node.
struct Target {
  std::vector<std::uint32_t> hops;  ///< by node: to it
  std::vector<double> ways;         ///< by node: shortest paths to it
};

Target look_back_from(const NodeGraph& graph, NodeId target) {
  Target result;
  graph.distances_to(target, result.hops);
  result.ways.assign(graph.node_count(), 0);
  result.ways[target.value] = 1;
  std::vector<NodeId> order;
  for (const NodeId n : graph.nodes()) {
    if (result.hops[n.value] != NodeGraph::kUnreached && n != target) order.push_back(n);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](NodeId a, NodeId b) { return result.hops[a.value] < result.hops[b.value]; });
  for (const NodeId n : order) {
    for (const ArcId a : graph.out(n)) {
      const NodeId next = graph.head(a);
      if (graph.is_leaf(next) && next != target) continue;
      if (result.hops[next.value] + 1 == result.hops[n.value])
        result.ways[n.value] += result.ways[next.value];
    }
  }
  return result;
}

/// Lists the paths of one pair.
class Lister {
 public:
  Lister(const NodeGraph& graph, const PathLimits& limits)
      : graph_(&graph), limits_(limits), on_path_(graph.node_count(), 0) {}

  /// Appends each path's arcs and where it ends.
  void list(NodeId from, NodeId to, const Target& target, std::vector<ArcId>& arcs,
            std::vector<std::uint32_t>& ends) {
    to_ = to;
    target_ = &target;
    arcs_ = &arcs;
    ends_ = &ends;
    left_ = limits_.most;
    const double shortest = target.ways[from.value];
    if (shortest > limits_.most) {
      for (std::uint32_t i = 0; i < limits_.most; ++i) {
        add_shortest(from, static_cast<double>(i) * shortest / limits_.most);
      }
      return;
    }
    for (std::uint32_t extra = 0; extra <= limits_.extra_hops && left_ > 0; ++extra) {
      path_.clear();
      on_path_[from.value] = 1;
      extend(from, target.hops[from.value] + extra);
      on_path_[from.value] = 0;
    }
  }

 private:
  /// The shortest path that has this many before it in the order of arcs.
  void add_shortest(NodeId from, double before) {
    path_.clear();
    NodeId at = from;
    while (at != to_) {
      ArcId chosen;
      for (const ArcId a : graph_->out(at)) {
        const NodeId next = graph_->head(a);
        if (graph_->is_leaf(next) && next != to_) continue;
        if (target_->hops[next.value] + 1 != target_->hops[at.value]) continue;
        chosen = a;
        if (before < target_->ways[next.value]) break;
        before -= target_->ways[next.value];
      }
      path_.push_back(chosen);
      at = graph_->head(chosen);
    }
    keep();
  }

  /// All ways on that have exactly this many hops more.
  void extend(NodeId at, std::uint32_t hops) {
    for (const ArcId a : graph_->out(at)) {
      if (left_ == 0) return;
      const NodeId next = graph_->head(a);
      if (on_path_[next.value] != 0 || target_->hops[next.value] == NodeGraph::kUnreached ||
          target_->hops[next.value] + 1 > hops) {
        continue;
      }
      if (next == to_) {
        if (hops != 1) continue;
        path_.push_back(a);
        keep();
        path_.pop_back();
        continue;
      }
      if (graph_->is_leaf(next)) continue;
      path_.push_back(a);
      on_path_[next.value] = 1;
      extend(next, hops - 1);
      on_path_[next.value] = 0;
      path_.pop_back();
    }
  }

  void keep() {
    arcs_->insert(arcs_->end(), path_.begin(), path_.end());
    if (arcs_->size() >= kMostArcs) {
      throw InputError("schedule: the paths of all pairs together are too many; keep fewer of each");
    }
    ends_->push_back(static_cast<std::uint32_t>(arcs_->size()));
    --left_;
  }

  const NodeGraph* graph_;
  PathLimits limits_;
  std::vector<std::uint8_t> on_path_;  // by node
  std::vector<ArcId> path_;
  NodeId to_;
  const Target* target_ = nullptr;
  std::vector<ArcId>* arcs_ = nullptr;
  std::vector<std::uint32_t>* ends_ = nullptr;
  std::uint32_t left_ = 0;
};

}  // namespace

PairPaths::PairPaths(const NodeGraph& graph, std::span<const MessageEnds> pairs, const PathLimits& limits,
                     const Progress& progress) {
  std::unordered_map<std::uint32_t, Target> targets;
  Lister lister(graph, limits);
  first_.reserve(pairs.size() + 1);
  for (const MessageEnds& pair : pairs) {
    if (progress.interrupted()) throw Interrupted();
    auto found = targets.find(pair.partner.value);
    if (found == targets.end()) {
      found = targets.emplace(pair.partner.value, look_back_from(graph, pair.partner)).first;
    }
    if (found->second.hops[pair.owner.value] == NodeGraph::kUnreached) {
      throw InputError(
          fmt::format("schedule: node {} cannot reach node {}", pair.owner.value, pair.partner.value));
    }
    lister.list(pair.owner, pair.partner, found->second, arcs_, begin_);
    first_.push_back(static_cast<std::uint32_t>(begin_.size()) - 1);
  }
}

}  // namespace unknot
