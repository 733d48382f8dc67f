// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/collective/combine/combined_problem.hpp"

namespace unknot {

/// Fewest steps that a schedule can have however much its transfers carry: in a step a node hears of at most
/// (1 + k) times as much as the best informed node knew, k being what it receives in a step, and what it
/// knows is heard of by at most (1 + k) times as many nodes, k being what nodes send. The largest over all
/// nodes that must hear of others, or be heard of. O(sources + targets + nodes * degree).
std::uint32_t combining_step_bound(const CombinedProblem& problem);

}  // namespace unknot
