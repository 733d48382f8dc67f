// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "unknot/evolve/decision_tree.hpp"
#include "unknot/evolve/parents.hpp"

namespace unknot::evolve {

/// Mixed Bayesian optimisation algorithm, for components of any cardinality: a decision tree for each
/// component tells its distribution given others. Components are learned and sampled in an order drawn anew
/// for each generation, and a tree asks of earlier ones only: no cycle can arise, and all trees are learned
/// at once. [Ocenasek, Schwarz 2002; the order: Ocenasek, Schwarz 2000; Jaros 2010, section 7.1.2]
///
/// Questions are "is it this value?": no order of the values is assumed. A leaf is sampled by the value of
/// one of the parents in it.
class Mboa : public Breeder {
 public:
  Mboa(const Layout& layout, Selection selection, double parents, const TreeSettings& trees)
      : layout_(&layout), trees_(trees), parents_(selection, parents) {}
  /// O(components^2 x parents x depth of the trees): what a generation costs most for.
  void learn(const Population& population, const GenerationContext& context) override;
  /// O(components x depth).
  void breed(const Population& population, std::uint32_t island, std::span<Value> child,
             Random& random) const override;

  /// Nodes of the tree of a component; of the last generation learned.
  [[nodiscard]] std::uint32_t tree_nodes(std::uint32_t island, std::uint32_t component) const {
    return used_[std::size_t{island} * order_length_ + component];
  }

 private:
  void reserve(const Population& population, std::uint32_t threads);
  void number_values(std::uint32_t island, std::uint32_t component, std::vector<std::uint32_t>& code_of);
  [[nodiscard]] std::size_t nodes_of_tree() const { return 2 * std::size_t{trees_.leaves} - 1; }

  const Layout* layout_;
  TreeSettings trees_;
  Parents parents_;
  std::uint32_t order_length_ = 0;                   // components
  std::vector<std::uint32_t> order_;                 // by island: components in the order of sampling
  std::vector<std::uint32_t> place_;                 // by island and component: position in that order
  std::vector<Value> codes_;                         // as the columns of parents_
  std::vector<std::uint32_t> kinds_, used_;          // by island and component
  std::vector<std::uint32_t> members_;               // by island and component: parents, grouped by leaf
  std::vector<TreeNode> nodes_;                      // by island and component
  std::vector<TreeLearner> learners_;                // by thread
  std::vector<std::vector<std::uint32_t>> code_of_;  // by thread: code of each value seen, or none
};

}  // namespace unknot::evolve
