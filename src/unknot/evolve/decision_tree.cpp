// SPDX-License-Identifier: Apache-2.0
#include "unknot/evolve/decision_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace unknot::evolve {
namespace {

/// A sum of steps has their number in its low bits, and about their gain, in units of kUnit, above: one
/// addition for a member does for both. Of 2^20 parents, the most there can be, the logarithms add up to less
/// than 2^24; and a part of all 2^20 is counted as one of none, which is no split either.
constexpr std::uint32_t kCountBits = 20;
constexpr double kUnit = 0x1p-18;
constexpr std::uint32_t kCountMask = (1U << kCountBits) - 1;

}  // namespace

TreeLearner::TreeLearner(const TreeSettings& settings, std::uint32_t max_parents)
    : settings_(settings),
      log_factorial_(2 * std::size_t{max_parents} + 2, 0),
      total_(max_parents, 0),
      left_(max_parents, 0),
      own_(max_parents),
      grouped_(max_parents),
      ends_(max_parents),
      steps_(max_parents),
      of_sizes_(max_parents + 1),
      parts_(max_parents),
      moved_(max_parents) {
  for (std::size_t i = 1; i < log_factorial_.size(); ++i) {
    log_factorial_[i] = log_factorial_[i - 1] + std::log(static_cast<double>(i));
  }
}

/// Of the members of a leaf, whose classes are in own_: the members by class, and what a part gains by one
/// more of a class of t members of which it has m: ln (m+1) - ln (t-m).
void TreeLearner::group_members(std::span<const std::uint32_t> members, std::uint32_t kinds) {
  const double* lf = log_factorial_.data();
  std::uint32_t at = 0;
  for (std::uint32_t k = 0; k < kinds; ++k) {
    ends_[k] = at;
    for (std::uint32_t m = 0; m < total_[k]; ++m) {
      const std::uint32_t rest = total_[k] - m;
      const double step = lf[m + 1] - lf[m] + lf[rest - 1] - lf[rest];
      steps_[at++] = std::llround(step / kUnit) * (std::int64_t{1} << kCountBits) + 1;
    }
  }
  for (std::size_t i = 0; i < members.size(); ++i) grouped_[ends_[own_[i]]++] = members[i];
}

/// The score of a leaf of n members, m_k of them with the k-th of K values, is ln (K-1)! - ln (n+K-1)! + sum
/// over k of ln m_k!; a split gains the scores of its two leaves less that of the one it replaces. Here what
/// depends on the sizes of the parts alone; a part of none or of all is no split.
void TreeLearner::score_sizes(std::uint32_t size, std::uint32_t kinds, double penalty) {
  const double* lf = log_factorial_.data();
  const double base = lf[kinds - 1] + lf[size + kinds - 1];
  of_sizes_[0] = of_sizes_[size] = -std::numeric_limits<double>::infinity();
  for (std::uint32_t here = 1; here < size; ++here)
    of_sizes_[here] = base - lf[here + kinds - 1] - lf[size - here + kinds - 1] - penalty;
}

/// The parts by the values of a candidate, class after class.
void TreeLearner::count(const Value* codes, std::uint32_t options, std::uint32_t kinds) {
  std::fill_n(parts_.begin(), options, Part{});
  std::uint32_t begin = 0;
  for (std::uint32_t k = 0; k < kinds; ++k) {
    const std::int64_t* const steps = steps_.data() + begin;
    const std::uint32_t end = ends_[k];
    for (std::uint32_t i = begin; i < end; ++i) {
      Part& part = parts_[codes[grouped_[i]]];
      part.gain += steps[part.same++];
    }
    for (std::uint32_t i = begin; i < end; ++i) parts_[codes[grouped_[i]]].same = 0;
    begin = end;
  }
}

double TreeLearner::gain(const Value* codes, Value code, std::span<const std::uint32_t> members,
                         double of_sizes) {
  const double* lf = log_factorial_.data();
  for (std::size_t i = 0; i < members.size(); ++i) left_[own_[i]] += codes[members[i]] == code ? 1 : 0;
  double sum = of_sizes;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const std::uint32_t k = own_[i];
    if (left_[k] == 0 || codes[members[i]] != code) continue;
    sum += lf[left_[k]] + lf[total_[k] - left_[k]] - lf[total_[k]];
    left_[k] = 0;
  }
  return sum;
}

TreeLearner::Split TreeLearner::best_split(const CodedParents& parents, std::uint32_t component,
                                           std::span<const std::uint32_t> candidates,
                                           std::span<const std::uint32_t> members) {
  const std::uint32_t kinds = parents.kinds[component];
  const auto size = static_cast<std::uint32_t>(members.size());
  if (kinds < 2 || size < 2) return {};
  const Value* classes = parents.code(component);
  std::fill_n(total_.begin(), kinds, 0U);
  for (std::uint32_t i = 0; i < size; ++i) ++total_[own_[i] = classes[members[i]]];
  if (*std::max_element(total_.begin(), total_.begin() + kinds) == size) return {};  // nothing left to tell
  group_members(members, kinds);
  score_sizes(size, kinds, settings_.penalty * 0.5 * std::log(static_cast<double>(parents.count)));
  // Two halves that share no class: none gains more.
  const double most = std::max(of_sizes_[size / 2], of_sizes_[size - size / 2]);
  const double slack = kUnit * size;  // twice what rounding each step can add up to

  Split best;
  for (const std::uint32_t candidate : candidates) {
    const std::uint32_t options = parents.kinds[candidate];
    if (options < 2) continue;
    const Value* codes = parents.code(candidate);
    count(codes, options, kinds);
    // Of two values either gives the same split.
    for (std::uint32_t v = 0; v < (options == 2 ? 1 : options); ++v) {
      const std::int64_t sum = parts_[v].gain;
      const double of_sizes = of_sizes_[static_cast<std::uint32_t>(sum) & kCountMask];
      if (of_sizes + kUnit * static_cast<double>(sum >> kCountBits) <= best.gain - slack) continue;
      const auto code = static_cast<Value>(v);
      const double exact = gain(codes, code, members, of_sizes);
      if (exact > best.gain) best = {exact, candidate, code};
    }
    if (best.gain >= most) break;
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
