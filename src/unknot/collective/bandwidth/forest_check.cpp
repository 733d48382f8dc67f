// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/bandwidth/forest_check.hpp"

#include <fmt/format.h>

#include <numeric>
#include <utility>
#include <vector>

#include "unknot/collective/symmetry/translation_check.hpp"

namespace unknot {
namespace {

class ForestCheck {
 public:
  ForestCheck(const BandwidthProblem& problem, const Forest& forest)
      : problem_(problem),
        graph_(*problem.graph),
        forest_(forest),
        load_(graph_.arc_count(), 0),
        parts_(graph_.node_count(), 0),
        has_(graph_.node_count(), 0) {}

  ForestVerdict run() {
    if (forest_.copies == 0) return failed("a share is divided into no part");
    if (std::string why = translations_fault(); !why.empty()) return failed(std::move(why));
    for (std::size_t t = 0; t < forest_.trees.size(); ++t) {
      follow(t);
      if (!verdict_.valid()) return verdict_;
    }
    if (!forest_.translations.empty()) translate();
    if (std::string why = count_parts(); !why.empty()) return failed(std::move(why));
    for (const ArcId a : graph_.arcs()) {
      const Fraction time(load_[a.value], forest_.copies * graph_.capacity(a));
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

  /// All of a group as Translations says, and all who take part alike.
  std::string translations_fault() const {
    if (forest_.translations.empty()) return {};
    for (const NodeId n : problem_.members) {
      if (problem_.shares[n.value] != 1) return "trees are translated where all nodes have the same share";
    }
    if (problem_.all_shares != problem_.members.size())
      return "trees are translated where all nodes have the same share";
    return translation_fault(graph_, problem_.members, forest_.translations);
  }

  /// What has been counted of one root's trees as that of all their images.
  void translate() {
    const std::uint64_t roots = problem_.members.size();
    const ArcOrbits orbits = arc_orbits(graph_, forest_.translations);
    std::vector<std::uint64_t> together(graph_.arc_count(), 0);
    for (const ArcId a : graph_.arcs()) together[orbits.first[a.value]] += load_[a.value];
    // Each of the group's elements adds as much to an orbit, and the elements do not tell its arcs apart.
    for (const ArcId a : graph_.arcs()) {
      const std::uint32_t first = orbits.first[a.value];
      load_[a.value] = together[first] * (roots / orbits.size[first]);
    }
    verdict_.edges *= roots;
    std::vector<std::uint64_t> parts(graph_.node_count(), 0);
    const std::uint64_t of_root = std::accumulate(parts_.begin(), parts_.end(), std::uint64_t{0});
    for (const NodeId n : problem_.members) parts[n.value] = of_root;
    parts_ = std::move(parts);
  }

  /// Each owner's parts; of an all-reduce all together, as each may be summed anywhere.
  std::string count_parts() const {
    if (problem_.all_reduce) {
      const std::uint64_t wanted = forest_.copies * problem_.all_shares;
      const std::uint64_t all = std::accumulate(parts_.begin(), parts_.end(), std::uint64_t{0});
      if (all == wanted) return {};
      return fmt::format("trees carry {} parts, there are {}", all, wanted);
    }
    for (const NodeId n : graph_.nodes()) {
      const std::uint64_t wanted = forest_.copies * problem_.shares[n.value];
      if (parts_[n.value] == wanted) continue;
      return fmt::format("trees carry {} parts of node {}, which has {}", parts_[n.value], n.value, wanted);
    }
    return {};
  }

  void follow(std::size_t number) {
    const Forest::Tree& tree = forest_.trees[number];
    const std::size_t mark = number + 1;
    const auto fault = [&](const std::string& why) {
      verdict_.fault = fmt::format("tree {}: {}", number + 1, why);
    };
    if (!forest_.translations.empty() && tree.root != forest_.trees.front().root)
      return fault(fmt::format("its root is {}, and of translated trees only those of {} are listed",
                               tree.root.value, forest_.trees.front().root.value));
    if (tree.root.value >= graph_.node_count() || problem_.shares[tree.root.value] == 0)
      return fault(fmt::format("node {} has nothing to send", tree.root.value));
    const std::uint64_t most =
        forest_.copies * (problem_.all_reduce ? problem_.all_shares : problem_.shares[tree.root.value]);
    if (tree.copies == 0 || tree.copies > most)
      return fault(fmt::format("it carries {} parts of {}", tree.copies, forest_.copies));
    parts_[tree.root.value] += tree.copies;
    has_[tree.root.value] = mark;
    std::size_t reached = problem_.is_member(tree.root) ? 1 : 0;
    for (const Forest::Edge& edge : tree.edges) {
      ++verdict_.edges;
      if (edge.from.value >= graph_.node_count() || has_[edge.from.value] != mark)
        return fault(fmt::format("node {} sends what it does not have yet", edge.from.value));
      if (edge.to.value >= graph_.node_count() || !problem_.is_member(edge.to))
        return fault(fmt::format("node {} gets what it does not need", edge.to.value));
      if (has_[edge.to.value] == mark) return fault(fmt::format("node {} gets it twice", edge.to.value));
      has_[edge.to.value] = mark;
      ++reached;
      if (std::string why = load_way(edge, tree.copies); !why.empty()) return fault(why);
    }
    if (reached < problem_.members.size())
      fault(fmt::format("it reaches {} of {} nodes", reached, problem_.members.size()));
  }

  std::string load_way(const Forest::Edge& edge, std::uint64_t copies) {
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
      load_[arc.value] += copies;
      if (!problem_.all_reduce) continue;
      const ArcId back = graph_.find(nodes[i + 1], nodes[i]);
      if (!back.valid())
        return fmt::format("no channel leads from node {} to {}", nodes[i + 1].value, nodes[i].value);
      load_[back.value] += copies;
    }
    return {};
  }

  const BandwidthProblem& problem_;
  const NodeGraph& graph_;
  const Forest& forest_;
  ForestVerdict verdict_;
  std::vector<std::uint64_t> load_;   // by arc: parts
  std::vector<std::uint64_t> parts_;  // by node: of what it owns, carried
  std::vector<std::size_t> has_;      // by node: the tree whose part it has got
};

}  // namespace

ForestVerdict check_forest(const BandwidthProblem& problem, const Forest& forest) {
  return ForestCheck(problem, forest).run();
}

}  // namespace unknot
