// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/model/joined_groups.hpp"

#include <algorithm>
#include <numeric>

namespace unknot {

std::vector<std::vector<NodeId>> joined_groups(const Problem& problem) {
  std::vector<std::uint32_t> head(problem.graph->node_count());  // of the set that a node is in
  std::iota(head.begin(), head.end(), 0U);
  const auto find = [&](std::uint32_t n) {
    while (head[n] != n) n = head[n] = head[head[n]];
    return n;
  };
  for (std::uint32_t g = 0; g < problem.groups(); ++g) {
    for (const NodeId n : problem.partners(g)) {
      const std::uint32_t one = find(problem.owner[g].value);
      const std::uint32_t other = find(n.value);
      head[std::max(one, other)] = std::min(one, other);
    }
  }
  const std::vector<Role> roles = problem.roles();
  std::vector<std::uint32_t> place(head.size(), Problem::kNone);  // of a set, by its head, which is its first
  std::vector<std::vector<NodeId>> result;
  for (std::uint32_t n = 0; n < roles.size(); ++n) {
    if (roles[n] == Role::switch_only) continue;
    std::uint32_t& at = place[find(n)];
    if (at == Problem::kNone) {
      at = static_cast<std::uint32_t>(result.size());
      result.emplace_back();
    }
    result[at].emplace_back(n);
  }
  return result;
}

}  // namespace unknot
