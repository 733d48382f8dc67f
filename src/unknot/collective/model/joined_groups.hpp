// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "unknot/collective/model/problem.hpp"

namespace unknot {

/// Nodes that messages join, directly or by others: what the groups of a problem are that has several. Each
/// ascending, in order of their first nodes. O(nodes + messages), nearly.
std::vector<std::vector<NodeId>> joined_groups(const Problem& problem);

}  // namespace unknot
