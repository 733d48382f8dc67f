// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/collective/combine/combined_checker.hpp"

namespace unknot {

/// A schedule whose steps last several rounds each: step s rounds[s], in which an arc of capacity c carries
/// c * rounds[s] blocks. As check_combined(), but for channels: what counts there are the blocks of all
/// transfers on an arc, and there is a conflict where they are more. A step more or less than there are
/// rounds for is a conflict, too. O(check + blocks * length of paths).
ScheduleVerdict check_in_rounds(const CombinedProblem& problem, const CombinedSchedule& schedule,
                                std::span<const std::uint32_t> rounds);

/// The fewest rounds that each step needs. O(blocks * length of paths). Paths must be there.
std::vector<std::uint32_t> rounds_of(const CombinedProblem& problem, const CombinedSchedule& schedule);

}  // namespace unknot
