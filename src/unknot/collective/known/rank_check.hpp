// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/collective/known/rank_schedule.hpp"

namespace unknot {

/// The first thing that is wrong with a schedule of ranks, one sentence; empty where there is nothing. It is
/// executed on symbols, block by block, and whose contributions each rank holds is kept: a message carries
/// something, and nothing twice; who sends holds what it sends when the round begins; what is added has no
/// contribution that is there already; nothing that is whole arrives a second time; a copy of a sum is one of
/// the whole sum; and in the end everyone has all that the collective promises. Knows the schedule, and
/// nothing of what made it. O(blocks of all messages * ranks / 64 + blocks * ranks).
std::string rank_schedule_fault(const RankSchedule& schedule);

}  // namespace unknot
