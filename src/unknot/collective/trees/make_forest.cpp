// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/trees/make_forest.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "unknot/collective/trees/exact_packing.hpp"
#include "unknot/collective/trees/forest_builder.hpp"
#include "unknot/collective/trees/rank_packing.hpp"
#include "unknot/collective/trees/shorten_trees.hpp"

namespace unknot {
namespace {

constexpr std::array<std::uint32_t, 4> kSlacks{0, 1, 4, 16};

/// Trees of one root from the pieces of all members: one for each stretch of copies on which no member
/// changes arc.
class TreesOfPieces {
 public:
  TreesOfPieces(const MemberGraph& graph, const TreePieces& pieces)
      : ranks_(pieces.rank), by_root_(graph.members.size()) {
    for (std::uint32_t member = 0; member < graph.members.size(); ++member) {
      std::uint64_t at = 0;
      std::uint32_t root = 0xFFFFFFFFU;
      for (const TreePieces::Piece& piece : pieces.of[member]) {
        if (piece.root != root) at = 0;
        root = piece.root;
        by_root_[root].push_back({member, piece.arc, at, at + piece.trees});
        at += piece.trees;
      }
    }
  }

  void add_trees(std::uint32_t root, std::uint64_t units, std::vector<EqualTrees>& trees) {
    std::vector<Stretch>& stretches = by_root_[root];
    begins_.assign(1, 0);
    for (const Stretch& one : stretches) begins_.push_back(one.begin);
    std::sort(begins_.begin(), begins_.end());
    begins_.erase(std::unique(begins_.begin(), begins_.end()), begins_.end());
    std::stable_sort(stretches.begin(), stretches.end(), [&](const Stretch& a, const Stretch& b) {
      return ranks_[a.member][root] < ranks_[b.member][root];
    });
    for (std::size_t i = 0; i < begins_.size(); ++i) {
      arcs_.clear();
      for (const Stretch& one : stretches) {
        if (one.begin <= begins_[i] && begins_[i] < one.end) arcs_.push_back(one.arc);
      }
      trees.push_back({root, (i + 1 < begins_.size() ? begins_[i + 1] : units) - begins_[i], arcs_});
    }
    edges_ += begins_.size() * arcs_.size();
    ForestBuilder::check_size(edges_);
  }

 private:
  struct Stretch {
    std::uint32_t member, arc;
    std::uint64_t begin, end;  // of its root's copies
  };
  const std::vector<std::vector<std::uint16_t>>& ranks_;
  std::vector<std::vector<Stretch>> by_root_;
  std::vector<std::uint64_t> begins_;
  std::vector<std::uint32_t> arcs_;
  std::uint64_t edges_ = 0;
};

std::vector<EqualTrees> pack(const MemberGraph& graph, const std::vector<std::uint64_t>& units,
                             Progress& progress) {
  std::vector<EqualTrees> trees;
  for (const std::uint32_t slack : kSlacks) {
    const std::optional<TreePieces> pieces = pack_by_ranks(graph, units, slack, progress);
    if (!pieces) continue;
    TreesOfPieces all(graph, *pieces);
    for (std::uint32_t root = 0; root < units.size(); ++root) {
      if (units[root] > 0) all.add_trees(root, units[root], trees);
    }
    return trees;
  }
  return pack_exactly(graph, units, progress);
}

}  // namespace

Forest make_forest(const BandwidthProblem& problem, const MemberGraph& graph, Progress& progress) {
  std::vector<std::uint64_t> units;
  units.reserve(graph.members.size());
  for (const NodeId n : graph.members) units.push_back(graph.copies * problem.shares[n.value]);
  std::vector<EqualTrees> trees = pack(graph, units, progress);
  shorten_trees(graph, trees);
  ForestBuilder forest(graph);
  for (EqualTrees& some : trees) {
    forest.add(some.root, some.count, some.arcs);
    some.arcs = {};  // the forest has them now
  }
  return std::move(forest).take();
}

Forest make_forest(const BandwidthProblem& problem, const BandwidthCut& optimum, Progress& progress) {
  return make_forest(problem, take_switches_out(problem, optimum, progress), progress);
}

Forest make_forest(const AllReduceOptimum& optimum, Progress& progress) {
  const BandwidthCut cut = bandwidth_optimum(optimum.outward, progress);
  if (cut.time() != Fraction(1, 1))
    throw std::runtime_error("all-reduce: the way out takes another time than the way in leaves it");
  Forest forest = make_forest(optimum.outward, cut, progress);
  forest.copies *= optimum.scale;
  return forest;
}

std::optional<Forest> make_forest_both_ways(const BandwidthProblem& problem, const BandwidthProblem& roots,
                                            const Fraction& time, Progress& progress) {
  constexpr double kRounding = 1 + 1e-12;
  const std::uint64_t scale = roots.all_shares / problem.all_shares;
  BandwidthProblem inward = roots;
  inward.graph = std::make_shared<const NodeGraph>(roots.graph->reversed());
  inward.backward = true;
  const BandwidthCut out = bandwidth_optimum(roots, progress), in = bandwidth_optimum(inward, progress);
  const double both = (out.time().value() + in.time().value()) / static_cast<double>(scale);
  if (both > time.value() * kRounding) return std::nullopt;
  Forest forest = joined(make_forest(roots, out, progress), time_reversed(make_forest(inward, in, progress)));
  forest.copies *= scale;
  return forest;
}

}  // namespace unknot
