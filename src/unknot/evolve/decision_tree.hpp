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
/// A pass over the members of a leaf says about what every question to a component gains; what might be best
/// is counted again, in the order and precision that decide.
///
/// One learner for each thread; its scratch is taken once: O(parents). O(parents x candidates) for each level
/// of the tree.
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
  /// Members with one value of a candidate, as far as they are counted.
  struct Part {
    std::int64_t gain = 0;   ///< as steps_
    std::uint32_t same = 0;  ///< of the class that is counted now
  };
  Split best_split(const CodedParents& parents, std::uint32_t component,
                   std::span<const std::uint32_t> candidates, std::span<const std::uint32_t> members);
  void group_members(std::span<const std::uint32_t> members, std::uint32_t kinds);
  void score_sizes(std::uint32_t size, std::uint32_t kinds, double penalty);
  void count(const Value* codes, std::uint32_t options, std::uint32_t kinds);
  double gain(const Value* codes, Value code, std::span<const std::uint32_t> members, double of_sizes);

  TreeSettings settings_;
  std::vector<double> log_factorial_;        // up to twice the parents
  std::vector<std::uint32_t> total_, left_;  // by class: a code of the component
  std::vector<std::uint32_t> own_;           // classes of the members
  std::vector<std::uint32_t> grouped_;       // members by class
  std::vector<std::uint32_t> ends_;          // by class: where its members end there
  std::vector<std::int64_t> steps_;          // by class and members of it so far: what one more gains
  std::vector<double> of_sizes_;             // by members of a part: the rest of its gain
  std::vector<Part> parts_;                  // by code of the candidate
  std::vector<std::uint32_t> moved_;
};

}  // namespace unknot::evolve
