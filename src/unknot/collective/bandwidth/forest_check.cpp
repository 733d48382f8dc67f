// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/bandwidth/forest_check.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "unknot/collective/symmetry/translation_check.hpp"

namespace unknot {
namespace {

constexpr const char* kBeyond = "there are more parts than 64 bits can count";

class ForestCheck {
 public:
  ForestCheck(std::span<const BandwidthProblem> groups, const Forest& forest)
      : groups_(groups),
        graph_(*groups.front().graph),
        forest_(forest),
        load_(graph_.arc_count(), 0),
        parts_(groups.size(), std::vector<std::uint64_t>(graph_.node_count(), 0)),
        has_(graph_.node_count(), 0),
        waits_(graph_.node_count(), 0) {}

  ForestVerdict run() {
    if (forest_.copies == 0) return failed("a share is divided into no part");
    for (const ArcId a : graph_.arcs()) (void)product(forest_.copies, graph_.capacity(a));
    for (const BandwidthProblem& problem : groups_) (void)product(forest_.copies, problem.all_shares);
    if (beyond_) return failed(kBeyond);
    if (std::string why = translations_fault(); !why.empty()) return failed(std::move(why));
    for (std::size_t t = 0; t < forest_.trees.size(); ++t) {
      if (std::string why = follow(forest_.trees[t]); !why.empty())
        return failed(fmt::format("tree {}: {}", t + 1, why));
    }
    if (!forest_.translations.empty()) translate();
    if (beyond_) return failed(kBeyond);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if (std::string why = count_parts(g); !why.empty()) return failed(std::move(why));
    }
    for (const ArcId a : graph_.arcs()) {
      const Fraction time(load_[a.value], product(forest_.copies, graph_.capacity(a)));
      if (time <= verdict_.time) continue;
      verdict_.time = time;
      verdict_.from = graph_.tail(a);
      verdict_.to = graph_.head(a);
    }
    return verdict_;
  }

 private:
  ForestVerdict failed(std::string why) {
    verdict_.fault = std::move(why);
    return verdict_;
  }

  /// Files may say any number: what does not fit is a fault, and not another number.
  void add(std::uint64_t& sum, std::uint64_t more) {
    if (__builtin_add_overflow(sum, more, &sum)) beyond_ = true;
  }
  std::uint64_t product(std::uint64_t a, std::uint64_t b) {
    std::uint64_t result = 0;
    if (__builtin_mul_overflow(a, b, &result)) beyond_ = true;
    return result;
  }

  /// All of a group as Translations says, and all who take part alike.
  [[nodiscard]] std::string translations_fault() const {
    if (forest_.translations.empty()) return {};
    if (forest_.trees.empty()) return "there is no tree to translate";
    const BandwidthProblem& problem = groups_.front();
    const bool alike = std::all_of(problem.members.begin(), problem.members.end(),
                                   [&](NodeId n) { return problem.shares[n.value] == 1; });
    if (groups_.size() > 1 || !alike || problem.all_shares != problem.members.size())
      return "trees are translated where there is one group, and all in it have the same share";
    if (problem.powers.any()) return "trees are translated where switches only pass on";
    for (const Forest::Tree& tree : forest_.trees) {
      if (tree.root == forest_.trees.front().root) continue;
      return fmt::format("of translated trees those of one root are listed, and these are of {} and {}",
                         forest_.trees.front().root.value, tree.root.value);
    }
    return translation_fault(graph_, problem.members, forest_.translations);
  }

  /// What has been counted of one root's trees as that of all their images.
  void translate() {
    const BandwidthProblem& problem = groups_.front();
    const std::uint64_t roots = problem.members.size();
    const ArcOrbits orbits = arc_orbits(graph_, forest_.translations);
    std::vector<std::uint64_t> together(graph_.arc_count(), 0);
    for (const ArcId a : graph_.arcs()) add(together[orbits.first[a.value]], load_[a.value]);
    // Each of the group's elements adds as much to an orbit, and the elements do not tell its arcs apart.
    for (const ArcId a : graph_.arcs()) {
      const std::uint32_t first = orbits.first[a.value];
      load_[a.value] = product(together[first], roots / orbits.size[first]);
    }
    verdict_.edges *= roots;
    std::vector<std::uint64_t>& parts = parts_.front();
    const std::uint64_t of_root = parts[forest_.trees.front().root.value];
    for (const NodeId n : problem.members) parts[n.value] = of_root;
  }

  /// Each owner's parts; of an all-reduce all together, as each may be summed anywhere.
  [[nodiscard]] std::string count_parts(std::size_t group) {
    const BandwidthProblem& problem = groups_[group];
    const std::vector<std::uint64_t>& parts = parts_[group];
    if (problem.all_reduce) {
      const std::uint64_t wanted = product(forest_.copies, problem.all_shares);
      std::uint64_t all = 0;
      for (const std::uint64_t some : parts) add(all, some);
      if (beyond_) return kBeyond;
      if (all == wanted) return {};
      const std::string whose = groups_.size() == 1 ? "" : fmt::format(" of group {}", group);
      return fmt::format("trees carry {} parts{}, there are {}", all, whose, wanted);
    }
    for (const NodeId n : graph_.nodes()) {
      const std::uint64_t wanted = product(forest_.copies, problem.shares[n.value]);
      if (parts[n.value] == wanted) continue;
      return fmt::format("trees carry {} parts of node {}, which has {}", parts[n.value], n.value, wanted);
    }
    return {};
  }

  [[nodiscard]] bool may_be_root(const BandwidthProblem& problem, NodeId n) const {
    if (n.value >= graph_.node_count()) return false;
    if (problem.shares[n.value] > 0) return true;
    return problem.branch_inward() && problem.branch_outward() && !graph_.is_leaf(n);
  }

  std::string follow(const Forest::Tree& tree) {
    if (tree.group >= groups_.size()) return fmt::format("there is no group {}", tree.group);
    const BandwidthProblem& problem = groups_[tree.group];
    if (!may_be_root(problem, tree.root)) return fmt::format("node {} has nothing to send", tree.root.value);
    const std::uint64_t most =
        product(forest_.copies, problem.all_reduce ? problem.all_shares : problem.shares[tree.root.value]);
    if (tree.copies == 0 || tree.copies > most)
      return fmt::format("it carries {} parts of {}", tree.copies, forest_.copies);
    add(parts_[tree.group][tree.root.value], tree.copies);
    if (!problem.all_reduce && !tree.inward.empty()) return "a way in, where nothing is summed";
    // Outwards; of an all-reduce without a way in of its own, backwards first.
    const bool both = problem.all_reduce && tree.inward.empty();
    begin(problem, tree.root);
    for (const Forest::Edge& edge : tree.edges) {
      const bool branches = problem.branch_outward() && (!both || problem.branch_inward());
      if (std::string why = grow(problem, edge.from, edge.to, branches); !why.empty()) return why;
      if (std::string why = load_way(edge, tree.copies, both); !why.empty()) return why;
    }
    if (std::string why = end(problem); !why.empty() || tree.inward.empty()) return why;
    // Time backwards: who sends to the root first is the last to send.
    begin(problem, tree.root);
    for (auto edge = tree.inward.rbegin(); edge != tree.inward.rend(); ++edge) {
      if (std::string why = grow(problem, edge->to, edge->from, problem.branch_inward()); !why.empty())
        return why + ", on the way in in reversed time";
      if (std::string why = load_way(*edge, tree.copies, false); !why.empty()) return why;
    }
    return end(problem);
  }

  void begin(const BandwidthProblem& problem, NodeId root) {
    ++mark_;
    has_[root.value] = mark_;
    reached_ = problem.is_member(root) ? 1 : 0;
    waiting_ = 0;
  }

  std::string grow(const BandwidthProblem& problem, NodeId from, NodeId to, bool branches) {
    ++verdict_.edges;
    if (from.value >= graph_.node_count() || has_[from.value] != mark_)
      return fmt::format("node {} sends what it does not have yet", from.value);
    const bool known = to.value < graph_.node_count();
    const bool member = known && problem.is_member(to);
    if (!known || (!member && (!branches || graph_.is_leaf(to))))
      return fmt::format("node {} gets what it does not need", to.value);
    if (has_[to.value] == mark_) return fmt::format("node {} gets it twice", to.value);
    has_[to.value] = mark_;
    if (member) {
      ++reached_;
    } else {
      waits_[to.value] = mark_;
      ++waiting_;
    }
    if (waits_[from.value] == mark_) {
      waits_[from.value] = 0;
      --waiting_;
    }
    return {};
  }

  [[nodiscard]] std::string end(const BandwidthProblem& problem) const {
    if (reached_ < problem.members.size())
      return fmt::format("it reaches {} of {} nodes", reached_, problem.members.size());
    return waiting_ > 0 ? "it ends at a node that takes no part" : std::string();
  }

  std::string load_way(const Forest::Edge& edge, std::uint64_t copies, bool both) {
    if (edge.way + std::size_t{1} >= forest_.first_of_way.size()) return "an edge without a way";
    const std::span<const NodeId> nodes = forest_.way(edge.way);
    if (nodes.size() < 2 || nodes.front() != edge.from || nodes.back() != edge.to)
      return fmt::format("the way from node {} to {} has other ends", edge.from.value, edge.to.value);
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
      if (nodes[i].value >= graph_.node_count() || nodes[i + 1].value >= graph_.node_count())
        return "a way through no node";
      const ArcId arc = graph_.find(nodes[i], nodes[i + 1]);
      if (!arc.valid())
        return fmt::format("no channel leads from node {} to {}", nodes[i].value, nodes[i + 1].value);
      if (i > 0 && graph_.is_leaf(nodes[i]))
        return fmt::format("a way leads through terminal {}", nodes[i].value);
      add(load_[arc.value], copies);
      if (!both) continue;
      const ArcId back = graph_.find(nodes[i + 1], nodes[i]);
      if (!back.valid())
        return fmt::format("no channel leads from node {} to {}", nodes[i + 1].value, nodes[i].value);
      add(load_[back.value], copies);
    }
    return {};
  }

  std::span<const BandwidthProblem> groups_;
  const NodeGraph& graph_;
  const Forest& forest_;
  ForestVerdict verdict_;
  bool beyond_ = false;                            // some number does not fit
  std::vector<std::uint64_t> load_;                // by arc: parts
  std::vector<std::vector<std::uint64_t>> parts_;  // by group, then node: of what it owns, carried
  std::vector<std::size_t> has_;                   // by node: the way out or in whose part it has got last
  std::vector<std::size_t> waits_;                 // by node that takes no part: that it has sent nothing of
  std::size_t mark_ = 0;                           // of the way that is followed
  std::size_t reached_ = 0, waiting_ = 0;          // members with the part; others that have sent nothing
};

}  // namespace

ForestVerdict check_forest(std::span<const BandwidthProblem> groups, const Forest& forest) {
  return ForestCheck(groups, forest).run();
}

ForestVerdict check_forest(const BandwidthProblem& problem, const Forest& forest) {
  return check_forest({&problem, 1}, forest);
}

}  // namespace unknot
