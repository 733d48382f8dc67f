// SPDX-License-Identifier: Apache-2.0
#include "unknot/report/measure_algorithms.hpp"

#include <utility>
#include <vector>

#include "unknot/collective/placed/contest.hpp"
#include "unknot/collective/placed/placed_ranks.hpp"
#include "unknot/simulate/rank_runs.hpp"
#include "unknot/simulate/settings/settings_draft.hpp"

namespace unknot::report {

AlgorithmsPart measure_algorithms(const Network& network, const Routing& routing, std::string name,
                                  const AlgorithmsOptions& options, Progress& progress) {
  const RankPace pace;
  constexpr std::uint64_t kLeast = 1024, kMost = std::uint64_t{1} << 24U;
  std::vector<TerminalId> hosts;
  for (const TerminalId t : network.terminals()) hosts.push_back(t);
  const PlacedRanks placed(network, routing, std::move(hosts));
  simulate::SettingsDraft draft;
  draft.add(simulate::rank_settings(network));
  const simulate::RoutePlan plan = simulate::plan_routing(network, routing, false);
  const simulate::Settings settings = simulate::for_lanes(draft.resolve().settings, plan.lanes_needed);
  const KnownCase which{options.collective, placed.ranks(), 0, grid_of_ranks(placed), ranks_of_a_box(placed)};
  ContestOptions wanted;
  wanted.seed = options.seed;
  wanted.threads = options.threads;
  const Contest contest =
      make_contest(which, placed, simulate::line_times(network, settings), wanted, progress);
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t bytes = kLeast; bytes <= kMost; bytes *= 4) sizes.push_back(bytes);
  const auto trials = simulate::run_contest(contest, placed, plan, settings, sizes,
                                            {pace, options.most_movements, options.threads}, progress);
  AlgorithmsPart part{std::move(name), name_of(options.collective), placed.ranks(), pace.alpha, {}, {}};
  for (const Contender& contender : contest.contenders) {
    const Contention& c = contender.contention;
    part.algorithms.push_back(
        {contender.name, c.rounds, c.most_flows, c.free() ? "" : meeting_text(c, placed), {}});
  }
  for (const simulate::RankTrial& trial : trials)
    part.algorithms[trial.contender].points.push_back({trial.bytes, trial.predicted, trial.simulated});
  for (const CostRange& range : best_contenders(contest, pace, kMost))
    part.ranges.emplace_back(range.from, range.best);
  return part;
}

}  // namespace unknot::report
