// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/bounds/length_count.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <queue>
#include <utility>
#include <vector>

#include "unknot/support/parallel.hpp"

namespace unknot {
namespace {

/// Shortest paths in lengths, over all paths or over those with fewest hops.
class LengthSearch {
 public:
  LengthSearch(const Problem& problem, const LengthProof& proof)
      : graph_(*problem.graph), minimal_(problem.extra_hops == 0), length_(graph_.arc_count()) {
    for (const ArcId a : graph_.arcs())
      length_[a.value] = proof.arc[a.value] + (proof.link.empty() ? 0U : proof.link[graph_.link(a)]);
  }

  const std::vector<std::uint64_t>& from(NodeId source) {
    minimal_ ? by_hops(source) : by_length(source);
    return distance_;
  }

 private:
  void by_length(NodeId source) {
    using Entry = std::pair<std::uint64_t, NodeId>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    distance_.assign(graph_.node_count(), UINT64_MAX);
    distance_[source.value] = 0;
    queue.emplace(0, source);
    while (!queue.empty()) {
      const auto [far, n] = queue.top();
      queue.pop();
      if (far != distance_[n.value] || (graph_.is_leaf(n) && n != source)) continue;
      for (const ArcId a : graph_.out(n)) {
        const std::uint64_t next = far + length_[a.value];
        if (next >= distance_[graph_.head(a).value]) continue;
        distance_[graph_.head(a).value] = next;
        queue.emplace(next, graph_.head(a));
      }
    }
  }

  void by_hops(NodeId source) {
    graph_.distances_from(source, hops_);
    distance_.assign(graph_.node_count(), UINT64_MAX);
    distance_[source.value] = 0;
    order_.clear();
    for (const NodeId n : graph_.nodes()) {
      if (hops_[n.value] != NodeGraph::kUnreached) order_.push_back(n);
    }
    std::stable_sort(order_.begin(), order_.end(),
                     [&](NodeId a, NodeId b) { return hops_[a.value] < hops_[b.value]; });
    for (const NodeId n : order_) {
      if (graph_.is_leaf(n) && n != source) continue;
      for (const ArcId a : graph_.out(n)) {
        const NodeId to = graph_.head(a);
        if (hops_[to.value] != hops_[n.value] + 1) continue;
        distance_[to.value] = std::min(distance_[to.value], distance_[n.value] + length_[a.value]);
      }
    }
  }

  const NodeGraph& graph_;
  bool minimal_;
  std::vector<std::uint64_t> length_, distance_;
  std::vector<std::uint32_t> hops_;
  std::vector<NodeId> order_;
};

}  // namespace

LengthCount count_lengths(const Problem& problem, const LengthProof& proof, std::uint32_t threads) {
  const NodeGraph& graph = *problem.graph;
  LengthCount count;
  for (const ArcId a : graph.arcs()) count.capacity += std::uint64_t{proof.arc[a.value]} * graph.capacity(a);
  for (std::uint32_t link = 0; link < proof.link.size(); ++link)
    count.capacity += std::uint64_t{proof.link[link]} * graph.link_capacity(link);
  if (threads == 0) threads = hardware_threads();
  std::vector<std::uint64_t> of_group(problem.groups(), 0);
  std::vector<std::unique_ptr<LengthSearch>> workers(threads);
  parallel_blocks(problem.groups(), 8, threads,
                  [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
                    if (!workers[worker]) workers[worker] = std::make_unique<LengthSearch>(problem, proof);
                    for (std::uint32_t g = begin; g < end; ++g) {
                      const auto& distance = workers[worker]->from(problem.owner[g]);
                      for (const NodeId n : problem.partners(g)) of_group[g] += distance[n.value];
                    }
                  });
  for (const std::uint64_t one : of_group) count.distances += one;
  return count;
}

}  // namespace unknot
