// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/model/ranks.hpp"

namespace unknot {

Ranks ranks_of(const Problem& problem) {
  const std::vector<Role> roles = problem.roles();
  Ranks ranks;
  ranks.of_node.assign(roles.size(), Ranks::kNone);
  for (std::uint32_t n = 0; n < roles.size(); ++n) {
    if (roles[n] == Role::switch_only) continue;
    ranks.of_node[n] = ranks.count();
    ranks.node.emplace_back(n);
  }
  return ranks;
}

}  // namespace unknot
