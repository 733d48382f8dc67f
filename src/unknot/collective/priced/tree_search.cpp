// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/priced/tree_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kNoArc = 0xFFFFFFFFU;
constexpr double kFar = std::numeric_limits<double>::infinity();
using Entry = std::pair<double, std::uint32_t>;
using Queue = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;

/// A tree as it grows, member by member.
class GrowingTree {
 public:
  GrowingTree(const NodeGraph& graph, std::span<const std::uint8_t> is_member, NodeId root, bool inward,
              std::span<const double> length)
      : graph_(graph),
        is_member_(is_member),
        root_(root),
        inward_(inward),
        length_(length),
        distance_(graph.node_count(), kFar),
        arc_(graph.node_count(), kNoArc),
        joined_(graph.node_count(), 0) {}

  std::vector<PricedTree::Way> grow(double& cost) {
    std::size_t left = 0;
    for (const NodeId n : graph_.nodes()) left += is_member_[n.value] != 0 && n != root_ ? 1 : 0;
    join(root_.value);
    while (left > 0) {
      if (queue_.empty()) throw InputError("a node that takes part cannot be reached by all others");
      const auto [far, n] = queue_.top();
      queue_.pop();
      if (far != distance_[n]) continue;
      if (is_member_[n] != 0 && joined_[n] == 0) {
        --left;
        for (std::uint32_t at = n; joined_[at] == 0; at = above(at)) {
          cost += length_[arc_[at]];
          join(at);
        }
        continue;
      }
      if (graph_.is_leaf(NodeId(n)) && joined_[n] == 0) continue;
      look_around(n);
    }
    return ways();
  }

 private:
  void join(std::uint32_t n) {
    joined_[n] = 1;
    distance_[n] = 0;
    queue_.emplace(0.0, n);
  }

  [[nodiscard]] std::uint32_t above(std::uint32_t n) const {
    const ArcId a(arc_[n]);
    return inward_ ? graph_.head(a).value : graph_.tail(a).value;
  }

  void reach(std::uint32_t n, ArcId a, double far) {
    if (joined_[n] != 0 || far >= distance_[n]) return;
    distance_[n] = far;
    arc_[n] = a.value;
    queue_.emplace(far, n);
  }

  void look_around(std::uint32_t n) {
    const double far = distance_[n];
    if (inward_) {
      for (const ArcId a : graph_.in(NodeId(n))) reach(graph_.tail(a).value, a, far + length_[a.value]);
    } else {
      for (const ArcId a : graph_.out(NodeId(n))) reach(graph_.head(a).value, a, far + length_[a.value]);
    }
  }

  /// From each member and each node where the tree branches up to the next such, from the root on.
  std::vector<PricedTree::Way> ways() const {
    std::vector<std::vector<std::uint32_t>> below(joined_.size());
    for (std::uint32_t n = 0; n < joined_.size(); ++n) {
      if (joined_[n] != 0 && n != root_.value) below[above(n)].push_back(n);
    }
    std::vector<PricedTree::Way> result;
    std::vector<std::uint32_t> ends{root_.value};
    for (std::size_t i = 0; i < ends.size(); ++i) {
      for (std::uint32_t n : below[ends[i]]) {
        PricedTree::Way way{NodeId(ends[i])};
        for (; is_member_[n] == 0 && below[n].size() == 1; n = below[n].front()) way.emplace_back(n);
        way.emplace_back(n);
        ends.push_back(n);
        if (inward_) std::reverse(way.begin(), way.end());
        result.push_back(std::move(way));
      }
    }
    if (inward_) std::reverse(result.begin(), result.end());
    return result;
  }

  const NodeGraph& graph_;
  std::span<const std::uint8_t> is_member_;
  NodeId root_;
  bool inward_;
  std::span<const double> length_;
  std::vector<double> distance_;    // by node, from the tree
  std::vector<std::uint32_t> arc_;  // by node: to what is above it
  std::vector<std::uint8_t> joined_;
  Queue queue_;
};

}  // namespace

MemberDistances::MemberDistances(const NodeGraph& graph, std::vector<NodeId> members)
    : graph_(graph), members_(std::move(members)) {
  costs_.places = static_cast<std::uint32_t>(members_.size());
  costs_.cost.resize(members_.size() * members_.size());
  arc_to_.resize(members_.size() * graph.node_count());
  is_member_.assign(graph.node_count(), 0);
  for (const NodeId n : members_) is_member_[n.value] = 1;
}

void MemberDistances::measure(std::span<const double> length, std::uint32_t threads) {
  constexpr std::uint32_t kBlock = 4;
  parallel_blocks(costs_.places, kBlock, threads, [&](std::uint32_t, std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t m = begin; m < end; ++m) measure_from(m, length);
  });
}

void MemberDistances::measure_from(std::uint32_t from, std::span<const double> length) {
  std::uint32_t* const arc_to = arc_to_.data() + std::size_t{from} * graph_.node_count();
  std::vector<double> distance(graph_.node_count(), kFar);
  std::size_t left = members_.size();
  Queue queue;
  distance[members_[from].value] = 0;
  queue.emplace(0.0, members_[from].value);
  while (!queue.empty()) {
    const auto [far, n] = queue.top();
    queue.pop();
    if (far != distance[n]) continue;
    // Nothing beyond the farthest member is asked for.
    if (is_member_[n] != 0 && --left == 0) break;
    if (graph_.is_leaf(NodeId(n)) && NodeId(n) != members_[from]) continue;
    for (const ArcId a : graph_.out(NodeId(n))) {
      const std::uint32_t to = graph_.head(a).value;
      const double next = far + length[a.value];
      if (next >= distance[to]) continue;
      distance[to] = next;
      arc_to[to] = a.value;
      queue.emplace(next, to);
    }
  }
  for (std::uint32_t other = 0; other < members_.size(); ++other) {
    const double far = distance[members_[other].value];
    if (far == kFar) {
      throw InputError(
          fmt::format("node {} does not reach node {}", members_[from].value, members_[other].value));
    }
    costs_.cost[std::size_t{from} * members_.size() + other] = far;
  }
}

PricedTree::Way MemberDistances::way(std::uint32_t from, std::uint32_t to) const {
  const std::uint32_t* arc_to = arc_to_.data() + std::size_t{from} * graph_.node_count();
  PricedTree::Way way{members_[to]};
  while (way.back() != members_[from]) way.push_back(graph_.tail(ArcId(arc_to[way.back().value])));
  std::reverse(way.begin(), way.end());
  return way;
}

std::vector<PricedTree::Way> branching_ways(const NodeGraph& graph, std::span<const std::uint8_t> is_member,
                                            NodeId root, bool inward, std::span<const double> length,
                                            double& cost) {
  return GrowingTree(graph, is_member, root, inward, length).grow(cost);
}

}  // namespace unknot
