// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/exchange/exchange_bound.hpp"

#include <functional>
#include <memory>
#include <queue>
#include <utility>

#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot {
namespace {

constexpr std::uint64_t kFar = 0xFFFFFFFFFFFFFFFFU;
/// Of one distance: messages are fewer than 2^32.
constexpr std::uint64_t kMostDistance = std::uint64_t{1} << 31U;

/// Distances from one node, over paths that lead through no leaf (Dijkstra).
class Distances {
 public:
  explicit Distances(const NodeGraph& graph) : graph_(graph), distance_(graph.node_count()) {}

  void run(NodeId source, const std::vector<std::uint32_t>& length) {
    distance_.assign(graph_.node_count(), kFar);
    distance_[source.value] = 0;
    queue_.emplace(0, source.value);
    while (!queue_.empty()) {
      const auto [distance, node] = queue_.top();
      queue_.pop();
      const NodeId n(node);
      if (distance > distance_[node] || (graph_.is_leaf(n) && n != source)) continue;
      for (const ArcId a : graph_.out(n)) {
        const std::uint64_t through = distance + length[a.value];
        if (through >= distance_[graph_.head(a).value]) continue;
        distance_[graph_.head(a).value] = through;
        queue_.emplace(through, graph_.head(a).value);
      }
    }
  }

  [[nodiscard]] std::uint64_t to(NodeId n) const {
    if (distance_[n.value] > kMostDistance)
      throw InputError("optimal in bandwidth: lengths have more digits than can be counted with");
    return distance_[n.value];
  }

 private:
  using Item = std::pair<std::uint64_t, std::uint32_t>;
  const NodeGraph& graph_;
  std::vector<std::uint64_t> distance_;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> queue_;
};

}  // namespace

ExchangeBound count_lengths(const Problem& problem, std::vector<std::uint32_t> length,
                            std::uint32_t threads) {
  const NodeGraph& graph = *problem.graph;
  ExchangeBound bound;
  for (const ArcId a : graph.arcs()) bound.capacity += std::uint64_t{length[a.value]} * graph.capacity(a);
  std::vector<std::uint64_t> of_group(problem.groups(), 0);
  if (threads == 0) threads = hardware_threads();
  std::vector<std::unique_ptr<Distances>> workers(threads);
  parallel_blocks(problem.groups(), 8, threads,
                  [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
                    if (!workers[worker]) workers[worker] = std::make_unique<Distances>(graph);
                    for (std::uint32_t g = begin; g < end; ++g) {
                      workers[worker]->run(problem.owner[g], length);
                      for (const NodeId n : problem.partners(g)) of_group[g] += workers[worker]->to(n);
                    }
                  });
  for (const std::uint64_t one : of_group) bound.distances += one;
  bound.length = std::move(length);
  return bound;
}

}  // namespace unknot
