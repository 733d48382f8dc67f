// SPDX-License-Identifier: Apache-2.0
#include "unknot/deadlock/shortest_cycle.hpp"

#include <algorithm>

#include "unknot/deadlock/components.hpp"

namespace unknot {
namespace {

using Vertex = DependencyGraph::Vertex;

class CycleSearch {
 public:
  CycleSearch(const DependencyGraph& graph, std::uint64_t max_arcs)
      : graph_(graph), components_(cyclic_components(graph)), arcs_left_(max_arcs) {}

  std::vector<Vertex> run() {
    if (components_.count == 0) return {};
    depth_.assign(graph_.vertex_count(), kUnseen);
    parent_.resize(graph_.vertex_count());
    for (Vertex v = 0; v < graph_.vertex_count() && best_.size() != 1; ++v) {
      if (components_.component[v] == CyclicComponents::kNone) continue;
      if (arcs_left_ == 0 && !best_.empty()) {
        proven_ = false;
        break;
      }
      search(v);
      components_.component[v] = CyclicComponents::kNone;  // every cycle through v has been considered
    }
    return std::move(best_);
  }
  [[nodiscard]] bool proven() const { return proven_; }

 private:
  static constexpr std::uint32_t kUnseen = 0xFFFFFFFFU;

  /// Takes over a cycle through `root` that is shorter than the best one.
  void search(Vertex root) {
    queue_.assign(1, root);
    depth_[root] = 0;
    bool found = false;
    for (std::size_t next = 0; next < queue_.size() && !found; ++next) {
      const Vertex v = queue_[next];
      if (!best_.empty() && depth_[v] + 1 >= best_.size()) break;
      const auto arcs = graph_.next(v);
      arcs_left_ -= std::min<std::uint64_t>(arcs_left_, arcs.size());
      for (const Vertex w : arcs) {
        if (w == root) {
          take(v);
          found = true;
          break;
        }
        if (depth_[w] != kUnseen || components_.component[w] != components_.component[root]) continue;
        depth_[w] = depth_[v] + 1;
        parent_[w] = v;
        queue_.push_back(w);
      }
    }
    for (const Vertex v : queue_) depth_[v] = kUnseen;
  }

  void take(Vertex last) {
    best_.clear();
    for (; depth_[last] > 0; last = parent_[last]) best_.push_back(last);
    best_.push_back(last);
    std::reverse(best_.begin(), best_.end());
  }

  const DependencyGraph& graph_;
  CyclicComponents components_;
  std::uint64_t arcs_left_;
  bool proven_ = true;
  std::vector<std::uint32_t> depth_;
  std::vector<Vertex> parent_, queue_, best_;
};

}  // namespace

std::vector<Vertex> shortest_cycle(const DependencyGraph& graph, std::uint64_t max_arcs, bool* proven) {
  CycleSearch search(graph, max_arcs);
  std::vector<Vertex> cycle = search.run();
  if (proven != nullptr) *proven = search.proven();
  return cycle;
}

}  // namespace unknot
