// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/collective/known/rank_schedule.hpp"
#include "unknot/collective/placed/placed_ranks.hpp"
#include "unknot/traffic/workloads/workload.hpp"

namespace unknot {

/// The rounds of an algorithm as work with dependencies: each rank keeps the rounds for itself, and no
/// barrier keeps others back. What a rank sends in a round it sends when all that it sent and was sent in the
/// rounds before is done: to begin a message takes it `alpha_ns`, and messages are begun one after the other.
/// They have RankSchedule::bytes_of(bytes). O(messages).
Workload rank_tasks(const RankSchedule& schedule, const PlacedRanks& placed, std::uint64_t bytes,
                    std::uint64_t alpha_ns);

}  // namespace unknot
