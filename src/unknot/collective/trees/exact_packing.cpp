// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/trees/exact_packing.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "unknot/collective/bandwidth/bandwidth_optimum.hpp"
#include "unknot/collective/bandwidth/supplied_flow.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

/// Arcs that are farther from the root or narrower than that are not told apart.
constexpr std::size_t kClasses = 256;
/// An edge more weighs as much as so many times half of what an arc has left. With less trees grow deep, with
/// more they enter twice what can be entered but once for each.
constexpr std::size_t kEdge = 4;

class ExactPacking {
 public:
  ExactPacking(const MemberGraph& graph, const std::vector<std::uint64_t>& units)
      : graph_(graph),
        left_(units),
        flow_(static_cast<std::uint32_t>(graph.members.size())),
        sinks_(graph.members.size()),
        waiting_(kClasses) {
    std::iota(sinks_.begin(), sinks_.end(), 0);
    out_.resize(graph.members.size());
    for (std::uint32_t a = 0; a < graph.arcs.size(); ++a) {
      flow_.add_arc(graph.arcs[a].tail, graph.arcs[a].head, graph.arcs[a].capacity);
      out_[graph.arcs[a].tail].push_back(a);
      widest_ = std::max(widest_, static_cast<int>(std::bit_width(graph.arcs[a].capacity)));
    }
    for (std::uint32_t m = 0; m < units.size(); ++m) flow_.set_supply(m, units[m]);
    others_ = std::accumulate(units.begin(), units.end(), std::uint64_t{0});
  }

  /// Of many roots unseen, looked at once; where the others are in want then, of fewer, at last edge by edge.
  std::vector<EqualTrees> run(Progress& progress) && {
    const auto roots = static_cast<std::uint32_t>(left_.size());
    progress.begin("trees", roots);
    std::uint32_t batch = roots;
    for (std::uint32_t root = 0; root < roots;) {
      if (progress.interrupted()) throw Interrupted();
      const std::uint32_t some = std::min(batch, roots - root);
      if (grow_unseen(root, root + some)) {
        batch = some * 2;
      } else if (some > 1) {
        batch = (some + 3) / 4;
        continue;
      } else {
        while (left_[root] > 0) grow(root, progress);
      }
      root += some;
      progress.update(root);
    }
    return std::move(trees_);
  }

 private:
  /// All trees of the roots from `first` to before `end`; false, and all as before, where they cannot be
  /// completed or leave too little to the roots that come after.
  bool grow_unseen(std::uint32_t first, std::uint32_t end) {
    const std::size_t before = trees_.size();
    bool complete = true;
    for (std::uint32_t root = first; root < end && complete; ++root) {
      while (left_[root] > 0 && complete) complete = grow_widest(root);
    }
    if (complete && (end == left_.size() || first_in_want(flow_, sinks_, others_) == sinks_.size()))
      return true;
    for (std::size_t i = before; i < trees_.size(); ++i) {
      const EqualTrees& some = trees_[i];
      for (const std::uint32_t arc : some.arcs) flow_.set_capacity(arc, flow_.capacity(arc) + some.count);
      set_left(some.root, left_[some.root] + some.count);
    }
    trees_.resize(before);
    return false;
  }

  /// A tree along arcs near the root that have much left, as often as they allow. So what only a few narrow
  /// arcs lead to is entered once, and the rest of it reached by wider ones.
  bool grow_widest(std::uint32_t root) {
    for (std::vector<std::uint32_t>& one : waiting_) one.clear();
    taken_.assign(kClasses, 0);
    depth_.assign(left_.size(), kNowhere);
    EqualTrees tree{root, left_[root], {}};
    tree.arcs.reserve(left_.size() - 1);
    std::size_t best = 0;
    const auto reach = [&](std::uint32_t member, std::uint32_t depth) {
      depth_[member] = depth;
      for (const std::uint32_t arc : out_[member]) {
        if (depth_[graph_.arcs[arc].head] != kNowhere || flow_.capacity(arc) == 0) continue;
        const auto narrow = static_cast<std::size_t>(widest_ - std::bit_width(flow_.capacity(arc)));
        const std::size_t weight = std::min(kEdge * depth + narrow, kClasses - 1);
        waiting_[weight].push_back(arc);
        best = std::min(best, weight);
      }
    };
    reach(root, 0);
    while (tree.arcs.size() + 1 < left_.size()) {
      while (taken_[best] == waiting_[best].size()) {
        if (++best == kClasses) return false;
      }
      const std::uint32_t arc = waiting_[best][taken_[best]++];
      const std::uint32_t next = graph_.arcs[arc].head;
      if (depth_[next] != kNowhere) continue;
      tree.arcs.push_back(arc);
      tree.count = std::min(tree.count, flow_.capacity(arc));
      reach(next, depth_[graph_.arcs[arc].tail] + 1);
    }
    for (const std::uint32_t arc : tree.arcs) flow_.set_capacity(arc, flow_.capacity(arc) - tree.count);
    set_left(root, left_[root] - tree.count);
    trees_.push_back(std::move(tree));
    return true;
  }

  void set_left(std::uint32_t root, std::uint64_t trees) {
    others_ = others_ - left_[root] + trees;
    left_[root] = trees;
    flow_.set_supply(root, trees);
  }

  /// As many equal trees of a root as can be had at once: `count_`, along `arcs_`.
  void grow(std::uint32_t root, const Progress& progress) {
    count_ = left_[root];
    set_left(root, 0);
    arcs_.clear();
    std::vector<std::uint8_t> has(left_.size(), 0);
    has[root] = 1;
    std::vector<std::uint32_t> reached{root};
    // Nodes in the order in which they were reached, so that trees are shallow. An arc that some cut cannot
    // spare stays so while the tree grows, until there are fewer of these trees.
    std::size_t before = 0;
    while (reached.size() != left_.size()) {
      if (reached.size() == before) throw std::logic_error("a tree that cannot be completed");
      before = reached.size();
      for (std::size_t i = 0; i < reached.size(); ++i) {
        if (progress.interrupted()) throw Interrupted();
        for (const std::uint32_t arc : out_[reached[i]]) {
          const std::uint32_t next = graph_.arcs[arc].head;
          if (has[next] != 0) continue;
          const std::uint64_t can = spared(arc);
          if (can == 0) continue;
          if (can < count_) fewer(root, can);
          flow_.set_capacity(arc, flow_.capacity(arc) - count_);
          arcs_.push_back(arc);
          has[next] = 1;
          reached.push_back(next);
        }
      }
    }
    trees_.push_back({root, count_, arcs_});
  }

  /// The others begin anew, from the root alone.
  void fewer(std::uint32_t root, std::uint64_t trees) {
    for (const std::uint32_t arc : arcs_) flow_.set_capacity(arc, flow_.capacity(arc) + (count_ - trees));
    set_left(root, left_[root] + (count_ - trees));
    count_ = trees;
  }

  /// How many of the trees at hand may take an arc.
  std::uint64_t spared(std::uint32_t arc) {
    const std::uint64_t wanted = std::min(count_, flow_.capacity(arc));
    if (wanted == 0) return 0;
    const std::uint32_t from = graph_.arcs[arc].tail, to = graph_.arcs[arc].head;
    const std::uint64_t supply = flow_.supply(from);
    flow_.set_supply(from, SuppliedFlow::kEndless);
    const std::uint64_t found = flow_.run(std::array{to}, others_ + wanted);
    flow_.set_supply(from, supply);
    return found <= others_ ? 0 : std::min(wanted, found - others_);
  }

  const MemberGraph& graph_;
  std::vector<std::uint64_t> left_;  // by root: trees not begun
  SuppliedFlow flow_;
  std::vector<std::vector<std::uint32_t>> out_;
  std::uint64_t others_ = 0;  // trees not begun, of all roots
  std::vector<EqualTrees> trees_;
  // Of trees at hand.
  std::uint64_t count_ = 0;
  std::vector<std::uint32_t> arcs_;
  // Of trees that are grown unseen.
  std::vector<std::uint32_t> sinks_;
  static constexpr std::uint32_t kNowhere = 0xFFFFFFFFU;
  int widest_ = 0;                                   // bits of the largest capacity
  std::vector<std::vector<std::uint32_t>> waiting_;  // arcs by weight
  std::vector<std::size_t> taken_;                   // of these
  std::vector<std::uint32_t> depth_;                 // by member
};

}  // namespace

std::vector<EqualTrees> pack_exactly(const MemberGraph& graph, const std::vector<std::uint64_t>& units,
                                     Progress& progress) {
  return ExactPacking(graph, units).run(progress);
}

}  // namespace unknot
