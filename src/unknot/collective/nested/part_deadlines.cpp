// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/nested/part_deadlines.hpp"

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

/// How many of some receivers can have the message after each step, from none before the first: `sent` come
/// in every step, and each that has it sends its part from the next on, those that send most first.
void grow(const std::vector<std::uint64_t>& sends, std::uint64_t sent, std::vector<std::uint64_t>& informed) {
  std::uint64_t now = 0;
  for (std::uint64_t& after : informed) {
    after = now;
    const std::uint64_t next = std::min<std::uint64_t>(sends.size(), now + sent);
    for (; now < next; ++now) sent += sends[now];
  }
}

class Parts {
 public:
  Parts(const Problem& problem, std::uint32_t most)
      : problem_(problem),
        graph_(*problem.graph),
        tree_(graph_, problem.owner.front()),
        most_(most),
        receiver_(graph_.node_count(), 0),
        informed_(std::size_t{most} + 1) {
    for (const NodeId n : problem.partner) receiver_[n.value] = 1;
  }

  std::uint32_t run() {
    std::uint64_t work = std::uint64_t{tree_.size()} * (std::uint64_t{most_} + 2);
    if (work > kMostWork) return 1;
    waiting_.assign(work, 0);
    for (std::uint32_t p = tree_.size(); p-- > 1;) {
      work += tree_.end(p) - p;
      if (work > kMostWork) return 1;
      const std::uint32_t takes = steps_of(p, entering(p));
      for (std::uint32_t steps = 1; steps <= most_ + 1; ++steps)
        waiting(tree_.parent(p), steps) += std::max(waiting(p, steps), takes >= steps ? 1U : 0U);
    }
    return steps_of(0, problem_.send_limit(problem_.owner.front()));
  }

 private:
  /// Disjoint parts behind a place, itself aside, that take this many steps or more.
  std::uint32_t& waiting(std::uint32_t place, std::uint32_t steps) {
    return waiting_[std::size_t{place} * (most_ + 2) + steps];
  }

  [[nodiscard]] std::uint64_t entering(std::uint32_t p) const {
    std::uint64_t sum = 0;
    for (const ArcId a : graph_.in(tree_.node(p))) {
      const std::uint32_t from = tree_.place(graph_.tail(a));
      if (from != kNone && (from < p || from >= tree_.end(p))) sum += graph_.capacity(a);
    }
    return sum;
  }

  /// Steps that a part takes at least, or one more than are of interest.
  std::uint32_t steps_of(std::uint32_t p, std::uint64_t enters) {
    sends_.clear();
    for (std::uint32_t q = p; q < tree_.end(p); ++q) {
      if (receiver_[tree_.node(q).value] != 0) sends_.push_back(problem_.send_limit(tree_.node(q)));
    }
    std::sort(sends_.begin(), sends_.end(), std::greater<>());
    grow(sends_, enters, informed_);
    std::uint32_t steps = 0;
    while (steps <= most_ && (informed_[steps] < sends_.size() || !keeps_deadlines(p, steps))) ++steps;
    return steps;
  }
  /// After each step, parts behind this one that take more than is left then have somebody informed.
  bool keeps_deadlines(std::uint32_t p, std::uint32_t steps) {
    for (std::uint32_t step = 0; step < steps; ++step) {
      if (waiting(p, steps - step + 1) > informed_[step]) return false;
    }
    return true;
  }

  const Problem& problem_;
  const NodeGraph& graph_;
  Dominators tree_;
  std::uint32_t most_;
  std::vector<std::uint8_t> receiver_;   // by node
  std::vector<std::uint32_t> waiting_;   // by place and steps
  std::vector<std::uint64_t> informed_;  // by step
  std::vector<std::uint64_t> sends_;
};

}  // namespace

std::uint32_t steps_of_parts(const Problem& problem, std::uint32_t most) {
  return Parts(problem, most).run();
}

}  // namespace unknot
