// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/collective/model/fault_impact.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

struct RepairOptions {
  std::uint32_t lower_bound = 1;  ///< proven: where the search for the fewest steps begins
  bool keep_all = false;          ///< what is still possible stays as it was, even at the price of more steps
  std::uint64_t effort = 20;      ///< ends after about this many million arcs looked at
  std::uint64_t seed = 1;
  double seconds = 0;  ///< after this many it is content with what it has; 0: no limit
};

struct RepairedSchedule {
  Schedule schedule;
  ScheduleChange change;
};

/// A schedule for what a fault has left: former transfers whose channels are all there are made as they were,
/// and those that have lost their way, or whose senders have not got the message, take other paths or steps.
/// Where that is all of them the schedule stays as it was. Else it is of as few steps as are found from the
/// lower bound on, for each number first without any other change, then with few; with `keep_all`, of as many
/// as the former schedule or more, and without any other change. It is valid: check_schedule() has been
/// asked. The same for a seed. On routes (ProblemRules::routes) transfers keep to them; InputError where they
/// lead no message to somebody. Throws Interrupted.
RepairedSchedule repair_schedule(const FaultImpact& impact, const RepairOptions& options, Progress& progress);

}  // namespace unknot
