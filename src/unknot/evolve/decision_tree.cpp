// SPDX-License-Identifier: Apache-2.0
#include "unknot/evolve/decision_tree.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace unknot::evolve {

TreeLearner::TreeLearner(const TreeSettings& settings, std::uint32_t max_parents)
    : settings_(settings),
      log_factorial_(2 * std::size_t{max_parents} + 2, 0),
      total_(max_parents, 0),
      left_(max_parents, 0),
      first_(max_parents + 1, 0),
      sorted_(max_parents),
      moved_(max_parents) {
  for (std::size_t i = 1; i < log_factorial_.size(); ++i) {
    log_factorial_[i] = log_factorial_[i - 1] + std::log(static_cast<double>(i));
  }
}

/// The score of a leaf of n members, m_k of them with the k-th of K values, is ln (K-1)! - ln (n+K-1)! + sum
/// over k of ln m_k!; a split gains the scores of its two leaves less that of the one it replaces.
TreeLearner::Split TreeLearner::best_split(const CodedParents& parents, std::uint32_t component,
                                           std::span<const std::uint32_t> candidates,
                                           std::span<const std::uint32_t> members) {
  const std::uint32_t kinds = parents.kinds[component];
  const auto size = static_cast<std::uint32_t>(members.size());
  if (kinds < 2 || size < 2) return {};
  const Value* own = parents.code(component);
  std::fill_n(total_.begin(), kinds, 0U);
  for (const std::uint32_t m : members) ++total_[own[m]];
  if (*std::max_element(total_.begin(), total_.begin() + kinds) == size) return {};  // nothing left to tell
  const double* lf = log_factorial_.data();
  const double base = lf[kinds - 1] + lf[size + kinds - 1];
  const double penalty = settings_.penalty * 0.5 * std::log(static_cast<double>(parents.count));

  Split best;
  for (const std::uint32_t candidate : candidates) {
    const std::uint32_t options = parents.kinds[candidate];
    if (options < 2) continue;
    const Value* codes = parents.code(candidate);
    // The component's codes of the members, sorted by code of the candidate.
    std::fill_n(first_.begin(), options + 1, 0U);
    for (const std::uint32_t m : members) ++first_[codes[m] + 1U];
    for (std::uint32_t v = 1; v <= options; ++v) first_[v] += first_[v - 1];
    for (const std::uint32_t m : members) sorted_[first_[codes[m]]++] = own[m];
    std::uint32_t begin = 0;
    // Of two values either gives the same split.
    for (std::uint32_t v = 0; v < (options == 2 ? 1 : options); ++v) {
      const std::uint32_t end = first_[v];
      const std::uint32_t here = end - begin;
      if (here > 0 && here < size) {
        double gain = base - lf[here + kinds - 1] - lf[size - here + kinds - 1] - penalty;
        for (std::uint32_t i = begin; i < end; ++i) ++left_[sorted_[i]];
        for (std::uint32_t i = begin; i < end; ++i) {
          const std::uint32_t k = sorted_[i];
          if (left_[k] == 0) continue;
          gain += lf[left_[k]] + lf[total_[k] - left_[k]] - lf[total_[k]];
          left_[k] = 0;
        }
        if (gain > best.gain) best = {gain, candidate, static_cast<Value>(v)};
      }
      begin = end;
    }
  }
  return best;
}

std::uint32_t TreeLearner::learn(const CodedParents& parents, std::uint32_t component,
                                 std::span<const std::uint32_t> candidates, std::span<std::uint32_t> members,
                                 std::span<TreeNode> nodes) {
  std::iota(members.begin(), members.end(), 0U);
  nodes[0] = {TreeNode::kLeaf, 0, 0, parents.count, 0};
  std::uint32_t used = 1;
  // Nodes are split in the order they were made: breadth first, until the leaves run out.
  for (std::uint32_t n = 0; n < used; ++n) {
    if (used + 2 > nodes.size()) break;
    const TreeNode node = nodes[n];
    const std::span<std::uint32_t> here = members.subspan(node.begin, node.end - node.begin);
    const Split split = best_split(parents, component, candidates, here);
    if (split.component == TreeNode::kLeaf) continue;
    // Members that answer yes first, both parts in the order they were in.
    const Value* codes = parents.code(split.component);
    std::uint32_t yes = 0;
    std::uint32_t no = 0;
    Value value = 0;
    for (const std::uint32_t m : here) {
      if (codes[m] == split.code) {
        value = parents.value(split.component)[m];
        here[yes++] = m;
      } else {
        moved_[no++] = m;
      }
    }
    std::copy_n(moved_.begin(), no, here.begin() + yes);
    nodes[n] = {split.component, used, node.begin, node.end, value};
    nodes[used++] = {TreeNode::kLeaf, 0, node.begin, node.begin + yes, 0};
    nodes[used++] = {TreeNode::kLeaf, 0, node.begin + yes, node.end, 0};
  }
  return used;
}

}  // namespace unknot::evolve
