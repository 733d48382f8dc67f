// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "unknot/collective/known/rank_schedule.hpp"
#include "unknot/collective/placed/contest.hpp"
#include "unknot/collective/placed/placed_ranks.hpp"
#include "unknot/collective/placed/rank_cost.hpp"
#include "unknot/simulate/plan/route_plan.hpp"
#include "unknot/simulate/run.hpp"
#include "unknot/simulate/settings/settings.hpp"
#include "unknot/simulate/settings/settings_file.hpp"
#include "unknot/support/progress.hpp"

namespace unknot::simulate {

/// The settings that algorithms are simulated with unless others are given: links of 51 ns and 200 Gb/s, or
/// of the capacities that the network states (the others are then as quick as the quickest), and routers that
/// move packets of 256 bytes as a whole, in 102 ns.
SettingsLayer rank_settings(const Network& network);

/// What the settings say that each line of a network takes: a byte, its share of a flit; a head, the latency
/// of the cable and the stages of the router that it leads to. InputError as link_times().
LineTimes line_times(const Network& network, const Settings& settings);

/// Movements of flits over lines that such a run takes: its length, told beforehand. O(messages * hops).
std::uint64_t flit_movements(const RankSchedule& schedule, const PlacedRanks& placed,
                             const Settings& settings, std::uint64_t bytes);

/// The rounds of an algorithm flit by flit, as rank_tasks() has them, until everything has arrived; where
/// they are kept apart each by itself, and only completion is told. `plan` is of the network and routing of
/// `placed`. InputError as run_workload().
WorkloadReport run_ranks(const RoutePlan& plan, const Settings& settings, const RankSchedule& schedule,
                         const PlacedRanks& placed, std::uint64_t bytes, const RankPace& pace,
                         const Progress& progress);

/// One algorithm at one size.
struct RankTrial {
  std::size_t contender = 0;  ///< number in the contest
  std::uint64_t bytes = 0;    ///< of the message of the call
  std::uint32_t chunks = 0;   ///< of its quickest variant; 0: it has none
  double predicted = 0;       ///< seconds by the cost model
  double alone = 0;           ///< the same if no message met another
  /// Seconds flit by flit; nothing where that was not simulated, or did not complete.
  std::optional<double> simulated = {};
  bool deadlocked = false;  ///< it was simulated, and packets waited for each other for ever

  /// Prediction over simulation, less one; simulated.
  [[nodiscard]] double error() const { return predicted / *simulated - 1; }
};

struct TrialOptions {
  RankPace pace = {};
  std::uint64_t most_movements = 0;  ///< runs of more flit_movements() are not simulated; 0: none is
  std::uint32_t threads = 0;
};

/// All of a contest, sizes one after the other in the order given, each in the order of contenders. Runs go
/// to all threads: the same result at any number of them. Throws Interrupted.
std::vector<RankTrial> run_contest(const Contest& contest, const PlacedRanks& placed, const RoutePlan& plan,
                                   const Settings& settings, std::span<const std::uint64_t> sizes,
                                   const TrialOptions& options, Progress& progress);

}  // namespace unknot::simulate
