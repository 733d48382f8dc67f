// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/bandwidth/exact_packing.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>

#include "unknot/collective/bandwidth/supplied_flow.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

class ExactPacking {
 public:
  ExactPacking(const MemberGraph& graph, const std::vector<std::uint64_t>& units)
      : graph_(graph), left_(units), flow_(static_cast<std::uint32_t>(graph.members.size())) {
    out_.resize(graph.members.size());
    for (std::uint32_t a = 0; a < graph.arcs.size(); ++a) {
      flow_.add_arc(graph.arcs[a].tail, graph.arcs[a].head, graph.arcs[a].capacity);
      out_[graph.arcs[a].tail].push_back(a);
    }
    for (std::uint32_t m = 0; m < units.size(); ++m) flow_.set_supply(m, units[m]);
    others_ = std::accumulate(units.begin(), units.end(), std::uint64_t{0});
  }

  void run(ForestBuilder& forest, Progress& progress) {
    progress.begin("trees", left_.size());
    for (std::uint32_t root = 0; root < left_.size(); ++root) {
      while (left_[root] > 0) {
        grow(root, progress);
        forest.add(root, trees_, arcs_);
      }
      progress.update(root + std::uint64_t{1});
    }
  }

 private:
  void set_left(std::uint32_t root, std::uint64_t trees) {
    others_ = others_ - left_[root] + trees;
    left_[root] = trees;
    flow_.set_supply(root, trees);
  }

  /// As many equal trees of a root as can be had at once: `trees_`, along `arcs_`.
  void grow(std::uint32_t root, const Progress& progress) {
    trees_ = left_[root];
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
          if (can < trees_) fewer(root, can);
          flow_.set_capacity(arc, flow_.capacity(arc) - trees_);
          arcs_.push_back(arc);
          has[next] = 1;
          reached.push_back(next);
        }
      }
    }
  }

  /// The others begin anew, from the root alone.
  void fewer(std::uint32_t root, std::uint64_t trees) {
    for (const std::uint32_t arc : arcs_) flow_.set_capacity(arc, flow_.capacity(arc) + (trees_ - trees));
    set_left(root, left_[root] + (trees_ - trees));
    trees_ = trees;
  }

  /// How many of the trees at hand may take an arc.
  std::uint64_t spared(std::uint32_t arc) {
    const std::uint64_t wanted = std::min(trees_, flow_.capacity(arc));
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
  std::uint64_t trees_ = 0;
  std::vector<std::uint32_t> arcs_;
};

}  // namespace

void pack_exactly(const MemberGraph& graph, const std::vector<std::uint64_t>& units, ForestBuilder& forest,
                  Progress& progress) {
  ExactPacking(graph, units).run(forest, progress);
}

}  // namespace unknot
