// SPDX-License-Identifier: Apache-2.0
#include "unknot/deadlock/components.hpp"

#include <algorithm>

namespace unknot {
namespace {

using Vertex = DependencyGraph::Vertex;

class Tarjan {
 public:
  explicit Tarjan(const DependencyGraph& graph)
      : graph_(graph), index_(graph.vertex_count(), kUnseen), low_(graph.vertex_count(), 0) {
    result_.component.assign(graph.vertex_count(), CyclicComponents::kNone);
  }

  CyclicComponents run() {
    for (Vertex v = 0; v < graph_.vertex_count(); ++v) {
      if (index_[v] == kUnseen) search(v);
    }
    return std::move(result_);
  }

 private:
  static constexpr std::uint32_t kUnseen = 0xFFFFFFFFU;
  static constexpr std::uint32_t kClosed = 0xFFFFFFFEU;  // its component is complete
  struct Frame {
    Vertex vertex;
    std::size_t next_arc;
  };

  void open(Vertex v) {
    index_[v] = low_[v] = counter_++;
    open_.push_back(v);
    path_.push_back({v, 0});
  }

  void search(Vertex root) {
    open(root);
    while (!path_.empty()) {
      Frame& frame = path_.back();
      const Vertex v = frame.vertex;
      const auto arcs = graph_.next(v);
      if (frame.next_arc < arcs.size()) {
        const Vertex w = arcs[frame.next_arc++];
        if (index_[w] == kUnseen) {
          open(w);
        } else if (index_[w] != kClosed) {
          low_[v] = std::min(low_[v], index_[w]);
        }
        continue;
      }
      path_.pop_back();
      if (!path_.empty()) low_[path_.back().vertex] = std::min(low_[path_.back().vertex], low_[v]);
      if (low_[v] == index_[v]) close(v);
    }
  }

  void close(Vertex root) {
    const auto self = graph_.next(root);
    const bool cyclic = open_.back() != root || std::find(self.begin(), self.end(), root) != self.end();
    const std::uint32_t number = cyclic ? result_.count++ : CyclicComponents::kNone;
    Vertex v = root;
    do {
      v = open_.back();
      open_.pop_back();
      index_[v] = kClosed;
      result_.component[v] = number;
    } while (v != root);
  }

  const DependencyGraph& graph_;
  std::vector<std::uint32_t> index_, low_;
  std::vector<Vertex> open_;
  std::vector<Frame> path_;
  std::uint32_t counter_ = 0;
  CyclicComponents result_;
};

}  // namespace

CyclicComponents cyclic_components(const DependencyGraph& graph) {
  return Tarjan(graph).run();
}

}  // namespace unknot
