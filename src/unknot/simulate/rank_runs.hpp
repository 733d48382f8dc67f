// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/collective/known/rank_schedule.hpp"
#include "unknot/collective/placed/placed_ranks.hpp"
#include "unknot/collective/placed/rank_cost.hpp"
#include "unknot/simulate/plan/route_plan.hpp"
#include "unknot/simulate/run.hpp"
#include "unknot/simulate/settings/settings.hpp"
#include "unknot/support/progress.hpp"

namespace unknot::simulate {

/// What the settings say that each line of a network takes: a byte, its share of a flit; a head, the latency
/// of the cable and the stages of the router that it leads to. InputError as link_times().
LineTimes line_times(const Network& network, const Settings& settings);

/// Movements of flits over lines that such a run takes: its length, told beforehand. O(messages * hops).
std::uint64_t flit_movements(const RankSchedule& schedule, const PlacedRanks& placed,
                             const Settings& settings, std::uint64_t bytes);

/// The rounds of an algorithm flit by flit, as rank_tasks() has them, until everything has arrived. `plan` is
/// of the network and routing of `placed`. InputError as run_workload().
WorkloadReport run_ranks(const RoutePlan& plan, const Settings& settings, const RankSchedule& schedule,
                         const PlacedRanks& placed, std::uint64_t bytes, double alpha,
                         const Progress& progress);

}  // namespace unknot::simulate
