// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/part_deadlines.hpp"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace unknot {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFU;
constexpr std::uint64_t kMostWork = 20'000'000;

/// Tree of dominators of the nodes that the owner reaches [Cooper, Harvey, Kennedy 2001], numbered in its
/// preorder: the nodes behind one, itself included, are consecutive.
class Dominators {
 public:
  Dominators(const NodeGraph& graph, NodeId owner) : graph_(graph), rank_(graph.node_count(), kNone) {
    number(owner);
    std::vector<std::uint32_t> over(order_.size(),
                                    kNone);  // by rank, of a higher rank; the owner's is highest
    const auto top = static_cast<std::uint32_t>(order_.size()) - 1;
    over[top] = top;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t r = top; r-- > 0;) changed = lower(over, r) || changed;
    }
    lay_out(over, top);
  }

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(node_.size()); }
  [[nodiscard]] NodeId node(std::uint32_t place) const { return node_[place]; }
  [[nodiscard]] std::uint32_t parent(std::uint32_t place) const { return parent_[place]; }
  /// One past the last place behind this one.
  [[nodiscard]] std::uint32_t end(std::uint32_t place) const { return end_[place]; }
  /// kNone where the owner does not reach it.
  [[nodiscard]] std::uint32_t place(NodeId n) const { return place_[n.value]; }

 private:
  /// Postorder of a depth-first search.
  void number(NodeId owner) {
    std::vector<std::pair<NodeId, std::uint32_t>> walk{{owner, 0}};
    std::vector<std::uint8_t> seen(graph_.node_count(), 0);
    seen[owner.value] = 1;
    while (!walk.empty()) {
      auto& [n, next] = walk.back();
      const auto out = graph_.out(n);
      if (next == out.size() || (graph_.is_leaf(n) && n != owner)) {
        rank_[n.value] = static_cast<std::uint32_t>(order_.size());
        order_.push_back(n);
        walk.pop_back();
        continue;
      }
      const NodeId to = graph_.head(out[next++]);
      if (std::exchange(seen[to.value], 1) == 0) walk.emplace_back(to, 0);
    }
  }
  bool lower(std::vector<std::uint32_t>& over, std::uint32_t r) const {
    std::uint32_t common = kNone;
    for (const ArcId a : graph_.in(order_[r])) {
      const NodeId from = graph_.tail(a);
      const std::uint32_t other = rank_[from.value];
      const bool passes = !graph_.is_leaf(from) || other + 1 == order_.size();
      if (other == kNone || over[other] == kNone || !passes) continue;
      if (common == kNone) common = other;
      for (std::uint32_t x = other; common != x;) (common < x ? common : x) = over[common < x ? common : x];
    }
    return std::exchange(over[r], common) != common;
  }
  void lay_out(const std::vector<std::uint32_t>& over, std::uint32_t top) {
    std::vector<std::uint32_t> first(order_.size() + 1, 0), below(top);
    for (std::uint32_t r = 0; r < top; ++r) ++first[over[r] + 1];
    for (std::uint32_t r = 0; r <= top; ++r) first[r + 1] += first[r];
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    for (std::uint32_t r = 0; r < top; ++r) below[next[over[r]]++] = r;
    place_.assign(graph_.node_count(), kNone);
    std::vector<std::uint32_t> walk{top};
    while (!walk.empty()) {
      const std::uint32_t r = walk.back();
      walk.pop_back();
      place_[order_[r].value] = size();
      parent_.push_back(r == top ? kNone : place_[order_[over[r]].value]);
      node_.push_back(order_[r]);
      for (std::uint32_t i = first[r]; i < first[r + 1]; ++i) walk.push_back(below[i]);
    }
    end_.resize(size());
    for (std::uint32_t p = size(); p-- > 0;) {
      end_[p] = std::max(end_[p], p + 1);
      if (p > 0) end_[parent_[p]] = std::max(end_[parent_[p]], end_[p]);
    }
  }

  const NodeGraph& graph_;
  std::vector<std::uint32_t> rank_;          // by node
  std::vector<NodeId> order_;                // by rank
  std::vector<NodeId> node_;                 // by place
  std::vector<std::uint32_t> parent_, end_;  // by place
  std::vector<std::uint32_t> place_;         // by node
};

/// Steps until so many have the message: `sent` come in the first step, and each that has it sends its part
/// from the next on, in every step. Stops behind `most`.
std::uint32_t steps_to_grow(const std::vector<std::uint64_t>& sends, std::uint64_t sent, std::uint32_t most) {
  std::uint64_t informed = 0;
  std::uint32_t steps = 0;
  for (; informed < sends.size() && steps <= most; ++steps) {
    const std::uint64_t after = std::min<std::uint64_t>(sends.size(), informed + sent);
    for (; informed < after; ++informed) sent += sends[informed];
  }
  return steps;
}

}  // namespace

bool parts_come_too_late(const Problem& problem, std::uint32_t steps) {
  const NodeGraph& graph = *problem.graph;
  const Dominators tree(graph, problem.owner.front());
  std::vector<std::uint8_t> receiver(graph.node_count(), 0);
  for (const NodeId n : problem.partner) receiver[n.value] = 1;
  // For each part, the steps that it takes; parts of few receivers are as good as their receivers.
  std::vector<std::uint32_t> takes(tree.size(), 0);
  std::vector<std::uint64_t> sends;
  std::uint64_t work = 0;
  for (std::uint32_t p = 1; p < tree.size(); ++p) {
    work += tree.end(p) - p;
    if (work > kMostWork) return false;
    sends.clear();
    for (std::uint32_t q = p; q < tree.end(p); ++q) {
      if (receiver[tree.node(q).value] != 0) sends.push_back(problem.send_limit(tree.node(q)));
    }
    std::sort(sends.begin(), sends.end(), std::greater<>());
    std::uint64_t enters = 0;
    for (const ArcId a : graph.in(tree.node(p))) {
      const std::uint32_t from = tree.place(graph.tail(a));
      if (from != kNone && (from < p || from >= tree.end(p))) enters += graph.capacity(a);
    }
    takes[p] = steps_to_grow(sends, enters, steps);
  }
  sends.clear();
  for (const NodeId n : problem.partner) sends.push_back(problem.send_limit(n));
  std::sort(sends.begin(), sends.end(), std::greater<>());
  std::uint64_t informed = 0, sent = problem.send_limit(problem.owner.front());
  std::vector<std::uint32_t> parts(tree.size());
  for (std::uint32_t step = 0; step < steps; ++step) {
    // Parts that nobody has the message in after this many steps must not take more than what is left.
    std::fill(parts.begin(), parts.end(), 0U);
    for (std::uint32_t p = tree.size(); p-- > 1;) {
      if (parts[p] == 0 && takes[p] > steps - step) parts[p] = 1;
      parts[tree.parent(p)] += parts[p];
    }
    if (parts[0] > informed) return true;
    const std::uint64_t after = std::min<std::uint64_t>(sends.size(), informed + sent);
    for (; informed < after; ++informed) sent += sends[informed];
  }
  return informed < sends.size();
}

}  // namespace unknot
