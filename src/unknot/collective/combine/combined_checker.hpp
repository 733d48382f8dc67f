// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/collective/check/checker.hpp"
#include "unknot/collective/combine/combined_problem.hpp"
#include "unknot/collective/combine/combined_schedule.hpp"

namespace unknot {

/// Checks a schedule with combined messages by replaying it: who holds which contributions to which block
/// after each step; knows nothing of how it was made. The rules of paths, channels and ports are those of
/// check_schedule(); further
///
/// * unknown_node: a transfer between nodes that take no part, or of a block that there is not;
/// * not_informed: the sender holds nothing of a block when the step begins;
/// * duplicate: the receiver holds all of it already; or, where it combines, a contribution would count
/// twice;
///   or a copy and something else of one block come in the same step, in no certain order;
/// * wrong_sender: a transfer combines where there is nothing to add up;
/// * missing: a target without a contribution at the end, or, after a scan, with one of a later node.
///
/// A transfer along a path that is none delivers nothing; blocks of other violations of this list are not
/// delivered either. Memory one bit for each source of each block on each node. O(nodes * sources of blocks +
/// blocks carried * sources).
ScheduleVerdict check_combined(const CombinedProblem& problem, const CombinedSchedule& schedule);

}  // namespace unknot
