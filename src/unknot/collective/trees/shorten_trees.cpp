// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/trees/shorten_trees.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace unknot {
namespace {

constexpr std::uint32_t kUnset = 0xFFFFFFFFU;
/// Deeper trees than the farthest member needs by more edges than that are worth a search.
constexpr std::uint32_t kSpareEdges = 1;
constexpr std::size_t kMostEntries = std::size_t{1} << 28U;

/// Edges from the roots of trees to the members that are farthest from them.
std::uint32_t farthest(const MemberGraph& graph, const std::vector<EqualTrees>& trees) {
  std::vector<std::vector<std::uint32_t>> next(graph.members.size());
  for (const MemberGraph::Arc& arc : graph.arcs) next[arc.tail].push_back(arc.head);
  std::uint32_t most = 0, last = kUnset;
  std::vector<std::uint32_t> depth, reached;
  for (const EqualTrees& some : trees) {
    if (some.root == last) continue;  // trees of a root stand together
    last = some.root;
    depth.assign(graph.members.size(), kUnset);
    depth[some.root] = 0;
    reached.assign(1, some.root);
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (const std::uint32_t member : next[reached[i]]) {
        if (depth[member] != kUnset) continue;
        depth[member] = depth[reached[i]] + 1;
        reached.push_back(member);
      }
    }
    most = std::max(most, depth[reached.back()]);
  }
  return most;
}

std::uint32_t deepest(const MemberGraph& graph, const std::vector<EqualTrees>& trees) {
  std::uint32_t most = 0;
  std::vector<std::uint32_t> depth(graph.members.size(), 0);
  for (const EqualTrees& some : trees) {
    depth[some.root] = 0;
    for (const std::uint32_t arc : some.arcs) {
      depth[graph.arcs[arc].head] = depth[graph.arcs[arc].tail] + 1;
      most = std::max(most, depth[graph.arcs[arc].head]);
    }
  }
  return most;
}

class Shortening {
 public:
  Shortening(const MemberGraph& graph, std::uint32_t goal)
      : graph_(graph), goal_(goal), into_(graph.members.size()) {
    room_.reserve(graph.arcs.size());
    for (std::uint32_t a = 0; a < graph.arcs.size(); ++a) {
      into_[graph.arcs[a].head].push_back(a);
      room_.push_back(graph.arcs[a].capacity);
    }
  }

  void run(std::vector<EqualTrees>& trees) {
    read(trees);
    for (std::size_t t = 0; t < root_.size(); ++t) {
      while (shortened(t)) {
      }
    }
    trees.clear();
    trees.reserve(root_.size());
    for (std::size_t t = 0; t < root_.size(); ++t) trees.push_back(written(t));
    std::stable_sort(trees.begin(), trees.end(),
                     [](const EqualTrees& a, const EqualTrees& b) { return a.root < b.root; });
  }

 private:
  /// A member of a deep tree is entered by `arc` in place of the arc it was; another tree, unless there is
  /// room, the other way about.
  struct Exchange {
    std::uint32_t arc, member;
    std::size_t other;
    std::uint32_t gain;  // edges
  };
  static constexpr std::size_t kRoom = ~std::size_t{0};

  void read(const std::vector<EqualTrees>& trees) {
    entry_.assign(into_.size(), std::vector<std::uint32_t>(trees.size(), kUnset));
    depth_.assign(into_.size(), std::vector<std::uint32_t>(trees.size(), 0));
    for (std::size_t t = 0; t < trees.size(); ++t) {
      root_.push_back(trees[t].root);
      count_.push_back(trees[t].count);
      for (const std::uint32_t arc : trees[t].arcs) {
        const std::uint32_t member = graph_.arcs[arc].head;
        entry_[member][t] = arc;
        room_[arc] -= trees[t].count;
        depth_[member][t] = depth_[graph_.arcs[arc].tail][t] + 1;
      }
    }
  }

  EqualTrees written(std::size_t t) const {
    std::vector<std::uint32_t> order(into_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return depth_[a][t] < depth_[b][t]; });
    EqualTrees some{root_[t], count_[t], {}};
    some.arcs.reserve(order.size());
    for (const std::uint32_t member : order) {
      if (member != root_[t]) some.arcs.push_back(entry_[member][t]);
    }
    return some;
  }

  /// The best exchange on the way to one of a tree's deep members.
  bool shortened(std::size_t t) {
    for (std::uint32_t deep = 0; deep < into_.size(); ++deep) {
      if (depth_[deep][t] <= goal_) continue;
      std::optional<Exchange> best;
      for (std::uint32_t m = deep; depth_[m][t] > 1; m = parent(m, t)) {
        const std::optional<Exchange> found = exchange(t, m);
        if (found && (!best || best->gain < found->gain)) best = found;
      }
      if (!best) continue;
      make(t, *best);
      return true;
    }
    return false;
  }

  std::optional<Exchange> exchange(std::size_t t, std::uint32_t member) {
    std::optional<Exchange> best;
    for (const std::uint32_t arc : into_[member]) {
      const std::uint32_t depth = depth_[graph_.arcs[arc].tail][t] + 1;
      if (depth >= depth_[member][t]) continue;
      const std::uint32_t gain = depth_[member][t] - depth;
      if (best && best->gain >= gain) continue;
      if (room_[arc] > 0) {
        best = Exchange{arc, member, kRoom, gain};
        continue;
      }
      const std::vector<std::uint32_t>& entry = entry_[member];
      for (auto at = entry.begin(); (at = std::find(at, entry.end(), arc)) != entry.end(); ++at) {
        const auto other = static_cast<std::size_t>(at - entry.begin());
        if (!may_enter(other, member, entry[t])) continue;
        best = Exchange{arc, member, other, gain};
        break;
      }
    }
    return best;
  }

  /// Whether a tree may enter a member by an arc and stays a tree, no deeper than the goal by it.
  bool may_enter(std::size_t t, std::uint32_t member, std::uint32_t arc) const {
    const std::uint32_t tail = graph_.arcs[arc].tail, depth = depth_[tail][t] + 1;
    if (depth <= depth_[member][t]) return true;  // no descendant of it is so near to the root
    if (depth > goal_) return false;
    for (std::uint32_t at = tail; depth_[at][t] >= depth_[member][t]; at = parent(at, t)) {
      if (at == member) return false;
    }
    return depth + height(t, member) <= goal_;
  }

  /// Edges below a member.
  std::uint32_t height(std::size_t t, std::uint32_t member) const {
    std::uint32_t most = 0;
    for (std::uint32_t m = 0; m < into_.size(); ++m) {
      if (depth_[m][t] <= depth_[member][t] + most) continue;
      std::uint32_t at = m;
      while (depth_[at][t] > depth_[member][t]) at = parent(at, t);
      if (at == member) most = depth_[m][t] - depth_[member][t];
    }
    return most;
  }

  std::uint32_t parent(std::uint32_t member, std::size_t t) const {
    return graph_.arcs[entry_[member][t]].tail;
  }

  void make(std::size_t t, const Exchange& what) {
    const std::uint64_t count =
        std::min(count_[t], what.other == kRoom ? room_[what.arc] : count_[what.other]);
    const std::uint32_t old = entry_[what.member][t];
    keep_rest(t, count);
    if (what.other == kRoom) {
      room_[what.arc] -= count;
      room_[old] += count;
    } else {
      keep_rest(what.other, count);
      enter(what.other, what.member, old);
    }
    enter(t, what.member, what.arc);
  }

  /// So many trees change; the others stay as they are.
  void keep_rest(std::size_t t, std::uint64_t count) {
    if (count_[t] == count) return;
    root_.push_back(root_[t]);
    count_.push_back(count_[t] - count);
    count_[t] = count;
    for (std::uint32_t m = 0; m < into_.size(); ++m) {
      entry_[m].push_back(entry_[m][t]);
      depth_[m].push_back(depth_[m][t]);
    }
  }

  void enter(std::size_t t, std::uint32_t member, std::uint32_t arc) {
    entry_[member][t] = arc;
    for (std::vector<std::uint32_t>& one : depth_) one[t] = kUnset;
    depth_[root_[t]][t] = 0;
    for (std::uint32_t m = 0; m < into_.size(); ++m) {
      way_.clear();
      std::uint32_t at = m;
      for (; depth_[at][t] == kUnset; at = parent(at, t)) way_.push_back(at);
      std::uint32_t depth = depth_[at][t];
      for (std::size_t i = way_.size(); i-- > 0;) depth_[way_[i]][t] = ++depth;
    }
  }

  const MemberGraph& graph_;
  std::vector<std::uint64_t> room_;  // by arc
  std::uint32_t goal_;
  std::vector<std::vector<std::uint32_t>> into_;  // by member: arcs that enter it
  // By tree, or equal ones; and by member, then tree: the arc that enters it, and edges from the root.
  std::vector<std::uint32_t> root_;
  std::vector<std::uint64_t> count_;
  std::vector<std::vector<std::uint32_t>> entry_, depth_;
  std::vector<std::uint32_t> way_;
};

}  // namespace

void shorten_trees(const MemberGraph& graph, std::vector<EqualTrees>& trees) {
  if (trees.size() * graph.members.size() > kMostEntries) return;
  const std::uint32_t depth = deepest(graph, trees);
  if (depth <= 1 + kSpareEdges) return;
  const std::uint32_t goal = farthest(graph, trees) + kSpareEdges;
  if (depth > goal) Shortening(graph, goal).run(trees);
}

}  // namespace unknot
