// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/rank_runs.hpp"

#include <gtest/gtest.h>

#include "routed.hpp"
#include "unknot/simulate/settings/settings_draft.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot::simulate {
namespace {

struct Ranked {
  Network network;
  Routing routing;
  Settings settings;
  RoutePlan plan;
  std::vector<TerminalId> hosts;

  Ranked(const char* spec, const char* engine)
      : network(make_network(spec)), routing(routed(network, engine, 8)) {
    SettingsDraft draft;
    draft.add(rank_settings(network));
    plan = plan_routing(network, routing, false);
    settings = for_lanes(draft.resolve().settings, plan.lanes_needed);
    for (const TerminalId t : network.terminals()) hosts.push_back(t);
  }
};

/// Prediction over simulation, less one.
double error_of(const Ranked& on, const char* name, RankCollective collective, std::uint64_t bytes,
                bool apart = false) {
  const RankPace pace{1e-6, apart};
  const PlacedRanks placed(on.network, on.routing, on.hosts);
  const RankSchedule schedule =
      make_known(choose_known_algorithm(name),
                 {collective, placed.ranks(), 0, grid_of_ranks(placed), ranks_of_a_box(placed)});
  const RankCost cost(schedule, placed, line_times(on.network, on.settings));
  const Progress quiet;
  const WorkloadReport report = run_ranks(on.plan, on.settings, schedule, placed, bytes, pace, quiet);
  EXPECT_TRUE(report.complete);
  return cost.time(static_cast<double>(bytes), pace) / (report.completion_ns * 1e-9) - 1;
}

// Where no message meets another the cost model is what happens, flit by flit, but for parts of flits and
// cycles.
TEST(RankRuns, WithoutContentionThePredictionHolds) {
  const Ranked torus("torus:4x4", "dfsssp");
  for (const std::uint64_t bytes : {65536U, 1048576U}) {
    EXPECT_NEAR(error_of(torus, "grid-rings", RankCollective::all_reduce, bytes), 0, 0.01);
    EXPECT_NEAR(error_of(torus, "binomial", RankCollective::broadcast, bytes), 0, 0.01);
  }
  const Ranked tree("kary-ntree:k=4,n=2", "ftree");
  EXPECT_NEAR(error_of(tree, "pairwise", RankCollective::all_to_all, 65536), 0, 0.03);
  EXPECT_NEAR(error_of(tree, "hierarchical", RankCollective::all_to_all, 65536), 0, 0.03);
}

// Rounds that are free of contention by themselves meet each other, unless they are kept apart.
TEST(RankRuns, RoundsApartDoNotMeet) {
  const Ranked on("kary-ntree:k=4,n=2", "ftree");
  for (const char* name : {"ring", "bruck", "recursive-doubling", "bine"})
    EXPECT_NEAR(error_of(on, name, RankCollective::all_gather, 65536, true), 0, 0.01) << name;
}

TEST(RankRuns, AContestIsTheSameAtAnyNumberOfThreads) {
  const Ranked on("torus:4x4", "dfsssp");
  const PlacedRanks placed(on.network, on.routing, on.hosts);
  Progress quiet;
  const Contest contest = make_contest({RankCollective::all_gather, 16, 0, {4, 4}, 0}, placed,
                                       line_times(on.network, on.settings), {}, quiet);
  const std::uint64_t sizes[] = {100, 10000};
  TrialOptions options{{}, 1'000'000, 1};
  const auto one = run_contest(contest, placed, on.plan, on.settings, sizes, options, quiet);
  options.threads = 3;
  const auto three = run_contest(contest, placed, on.plan, on.settings, sizes, options, quiet);
  ASSERT_EQ(one.size(), 2 * contest.contenders.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].simulated, three[i].simulated);
    ASSERT_TRUE(one[i].simulated);
    EXPECT_GT(one[i].predicted, 0);
    EXPECT_LE(one[i].alone, one[i].predicted);
  }
  options.most_movements = 0;
  for (const RankTrial& trial : run_contest(contest, placed, on.plan, on.settings, sizes, options, quiet))
    EXPECT_FALSE(trial.simulated);
}

}  // namespace
}  // namespace unknot::simulate
