// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/evolve/problem.hpp"

namespace unknot::evolve {

/// Node of a binary decision tree over components. An inner node asks whether `component` has `value`; yes
/// leads to node `yes`, no to the one after it. A leaf holds the parents that reach it, members [begin, end).
struct TreeNode {
  static constexpr std::uint32_t kLeaf = 0xFFFFFFFF;
  std::uint32_t component = kLeaf;
  std::uint32_t yes = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  Value value = 0;
};

struct TreeSettings {
  double penalty = 0;         ///< of a split, in units of half the logarithm of the number of parents
  std::uint32_t leaves = 64;  ///< of one tree at most
};

/// What the trees of one island are learned from: a value for each component and parent, as dense codes.
struct CodedParents {
  std::uint32_t count = 0;               ///< parents
  std::span<const Value> values;         ///< component by component
  std::span<const Value> codes;          ///< the same, numbered 0, 1, ... in order of first appearance
  std::span<const std::uint32_t> kinds;  ///< by component: number of different values
  [[nodiscard]] const Value* code(std::uint32_t c) const { return codes.data() + std::size_t{c} * count; }
  [[nodiscard]] const Value* value(std::uint32_t c) const { return values.data() + std::size_t{c} * count; }
};

/// Learns the distribution of one component given others as a decision tree, greedily: each leaf, first made
/// first, is split by the question that raises the Bayesian-Dirichlet score (uniform priors) most, while one
/// does. That score is a marginal likelihood: more leaves pay by themselves. A further penalty (Pelikan 2005,
/// section 6.2: half the logarithm of the number of parents for each leaf) keeps trees smaller, but measured
/// on traps of five bits it needs twice the population. [Chickering, Heckerman, Meek 1997; Ocenasek, Schwarz
/// 2002]
///
/// One learner for each thread; its scratch is taken once. O(parents x candidates) for each level of the
/// tree.
class TreeLearner {
 public:
  TreeLearner(const TreeSettings& settings, std::uint32_t max_parents);
  /// `members` (as long as there are parents) and `nodes` (2 leaves - 1) are filled; returns the nodes used.
  std::uint32_t learn(const CodedParents& parents, std::uint32_t component,
                      std::span<const std::uint32_t> candidates, std::span<std::uint32_t> members,
                      std::span<TreeNode> nodes);

 private:
  struct Split {
    double gain = 0;
    std::uint32_t component = TreeNode::kLeaf;
    Value code = 0;
  };
  Split best_split(const CodedParents& parents, std::uint32_t component,
                   std::span<const std::uint32_t> candidates, std::span<const std::uint32_t> members);

  TreeSettings settings_;
  std::vector<double> log_factorial_;        // up to twice the parents
  std::vector<std::uint32_t> total_, left_;  // by code of the component
  std::vector<std::uint32_t> first_;         // by code of a candidate: where its members begin
  std::vector<std::uint32_t> sorted_;
  std::vector<std::uint32_t> moved_;
};

}  // namespace unknot::evolve
