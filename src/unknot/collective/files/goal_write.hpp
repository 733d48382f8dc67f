// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/collective/model/problem.hpp"
#include "unknot/collective/model/schedule.hpp"
#include "unknot/traffic/workloads/workload.hpp"

namespace unknot {

/// Bytes of each message of a schedule as GOAL: schedules do not say.
constexpr std::uint64_t kGoalMessageBytes = 1ULL << 20U;

/// What each node does, as a graph of tasks that goal_text() (traffic/workloads/goal_file.hpp) writes: for
/// each transfer a send and a receive. Task graphs speak of terminals: terminal r is rank r (ranks.hpp).
///
/// Steps are kept by each node for itself: it sends only when all that it sends and receives in earlier steps
/// is done, and there is no barrier among nodes. InputError for a schedule that is not valid. O(schedule *
/// transfers of a node in a step).
TaskGraph task_graph_of(const Problem& problem, const Schedule& schedule);

}  // namespace unknot
