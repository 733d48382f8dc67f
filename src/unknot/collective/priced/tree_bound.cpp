// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/priced/tree_bound.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <stdexcept>
#include <utility>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint64_t kUnreachable = UINT64_MAX;
using Matrix = std::vector<std::vector<std::uint64_t>>;

std::vector<std::uint64_t> lengths_from(const NodeGraph& graph, const std::vector<std::uint32_t>& length,
                                        NodeId source) {
  using Entry = std::pair<std::uint64_t, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  std::vector<std::uint64_t> far(graph.node_count(), kUnreachable);
  far[source.value] = 0;
  queue.emplace(0, source.value);
  while (!queue.empty()) {
    const auto [here, n] = queue.top();
    queue.pop();
    if (here != far[n] || (graph.is_leaf(NodeId(n)) && NodeId(n) != source)) continue;
    for (const ArcId a : graph.out(NodeId(n))) {
      const std::uint32_t to = graph.head(a).value;
      if (here + length[a.value] >= far[to]) continue;
      far[to] = here + length[a.value];
      queue.emplace(far[to], to);
    }
  }
  return far;
}

/// What the cheapest tree from a place costs, and nothing of which it is: each place pays its cheapest way
/// in; places that have chosen each other in a circle become one, which pays the difference.
std::uint64_t tree_cost(Matrix costs, std::size_t root) {
  std::uint64_t all = 0;
  while (true) {
    const std::size_t n = costs.size();
    std::vector<std::size_t> from(n, root);
    std::vector<std::uint64_t> least(n, 0);
    for (std::size_t v = 0; v < n; ++v) {
      if (v == root) continue;
      for (std::size_t u = 0; u < n; ++u) {
        if (u != v && costs[u][v] < costs[from[v]][v]) from[v] = u;
      }
      least[v] = costs[from[v]][v];
      if (least[v] == kUnreachable)
        throw InputError("a node that takes part cannot be reached by all others");
      all += least[v];
    }
    // Who does not hang from the root hangs from a circle; number circles, then the others.
    std::vector<std::size_t> colour(n, 0), part(n, n);
    std::size_t parts = 0;
    colour[root] = n + 1;
    for (std::size_t v = 0; v < n; ++v) {
      std::size_t u = v;
      for (; colour[u] == 0; u = from[u]) colour[u] = v + 1;
      if (u == root || colour[u] != v + 1 || part[u] != n) continue;
      for (; part[u] == n; u = from[u]) part[u] = parts;
      ++parts;
    }
    if (parts == 0) return all;
    for (std::size_t v = 0; v < n; ++v) {
      if (part[v] == n) part[v] = parts++;
    }
    Matrix next(parts, std::vector<std::uint64_t>(parts, kUnreachable));
    for (std::size_t u = 0; u < n; ++u) {
      for (std::size_t v = 0; v < n; ++v) {
        if (part[u] == part[v] || v == root || costs[u][v] == kUnreachable) continue;
        std::uint64_t& cost = next[part[u]][part[v]];
        cost = std::min(cost, costs[u][v] - least[v]);
      }
    }
    root = part[root];
    costs = std::move(next);
  }
}

Matrix turned(const Matrix& costs) {
  Matrix result = costs;
  for (std::size_t u = 0; u < costs.size(); ++u) {
    for (std::size_t v = 0; v < costs.size(); ++v) result[v][u] = costs[u][v];
  }
  return result;
}

std::uint64_t group_cost(const BandwidthProblem& problem, const std::vector<std::uint32_t>& length) {
  Matrix costs;
  for (const NodeId from : problem.members) {
    const std::vector<std::uint64_t> far = lengths_from(*problem.graph, length, from);
    std::vector<std::uint64_t>& row = costs.emplace_back();
    for (const NodeId to : problem.members) row.push_back(far[to.value]);
  }
  std::uint64_t all = 0;
  if (!problem.all_reduce) {
    for (std::size_t m = 0; m < costs.size(); ++m) {
      const std::uint64_t shares = problem.shares[problem.members[m].value];
      if (shares > 0) all += shares * tree_cost(costs, m);
    }
    return all;
  }
  const Matrix back = turned(costs);
  std::uint64_t least = kUnreachable;
  for (std::size_t m = 0; m < costs.size(); ++m)
    least = std::min(least, tree_cost(costs, m) + tree_cost(back, m));
  return least * problem.all_shares;
}

bool same_both_ways(const NodeGraph& graph, const std::vector<std::uint32_t>& length) {
  const auto arcs = graph.arcs();
  return std::all_of(arcs.begin(), arcs.end(), [&](ArcId a) {
    const ArcId back = graph.find(graph.head(a), graph.tail(a));
    return (back.valid() ? length[back.value] : 0) == length[a.value];
  });
}

}  // namespace

TreeBound count_tree_lengths(std::span<const BandwidthProblem> groups, std::vector<std::uint32_t> length) {
  constexpr double kMostSum = 1.8e19;
  const NodeGraph& graph = *groups.front().graph;
  const double longest = *std::max_element(length.begin(), length.end());
  TreeBound bound;
  double all = 0, room = 0;
  for (const BandwidthProblem& group : groups) {
    all += 2 * longest * graph.node_count() * static_cast<double>(group.members.size()) *
           static_cast<double>(group.all_shares);
  }
  for (const ArcId a : graph.arcs()) room += static_cast<double>(length[a.value]) * graph.capacity(a);
  if (all > kMostSum || room > kMostSum)
    throw InputError("optimal in bandwidth: lengths have more digits than can be counted with");
  for (const ArcId a : graph.arcs()) bound.capacity += std::uint64_t{length[a.value]} * graph.capacity(a);
  if (bound.capacity == 0) throw std::logic_error("lengths of nothing");
  for (const BandwidthProblem& group : groups) {
    if (group.powers.any()) throw std::logic_error("lengths prove nothing of switches that copy or sum");
    bound.costs += group_cost(group, length);
  }
  const bool sums = std::any_of(groups.begin(), groups.end(), [](const auto& g) { return g.all_reduce; });
  bound.of_trees_only = sums && !same_both_ways(graph, length);
  bound.length = std::move(length);
  return bound;
}

}  // namespace unknot
