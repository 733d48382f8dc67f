// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "routed.hpp"
#include "unknot/collective/known/rank_check.hpp"
#include "unknot/collective/placed/contention.hpp"
#include "unknot/collective/placed/contest.hpp"
#include "unknot/collective/placed/our_schedules.hpp"
#include "unknot/collective/placed/placed_ranks.hpp"
#include "unknot/collective/placed/rank_tasks.hpp"
#include "unknot/collective/placed/ring_order.hpp"
#include "unknot/load/flow_load.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/workloads/workload_check.hpp"

namespace unknot {
namespace {

struct OnNetwork {
  Network network;
  Routing routing;
  OnNetwork(const char* spec, const char* engine)
      : network(make_network(spec)), routing(routed(network, engine)) {}

  [[nodiscard]] std::vector<TerminalId> hosts(std::uint64_t shuffled = 0) const {
    std::vector<TerminalId> all;
    for (const TerminalId t : network.terminals()) all.push_back(t);
    if (shuffled > 0) Random(shuffled).shuffle(all);
    return all;
  }
  [[nodiscard]] PlacedRanks placed(std::uint64_t shuffled = 0) const {
    return {network, routing, hosts(shuffled)};
  }
};

RankSchedule schedule_of(const char* spec, RankCollective collective, const PlacedRanks& placed) {
  return make_known(choose_known_algorithm(spec),
                    {collective, placed.ranks(), 0, grid_of_ranks(placed), ranks_of_a_box(placed)});
}

const std::vector<std::pair<const char*, const char*>>& networks() {
  static const std::vector<std::pair<const char*, const char*>> all = {
      {"torus:4x4", "dfsssp"},
      {"kary-ntree:k=3,n=2", "ftree"},
      {"dragonfly:a=3,h=1,p=1", "minhop"},
      {"random:switches=8,links=16,terminals=20,seed=3", "unknot"}};
  return all;
}

// What a round puts on channels, counted again from the paths of the load module.
TEST(PlacedRanks, ContentionIsThatOfTheRoutes) {
  for (const auto& [spec, engine] : networks()) {
    const OnNetwork on(spec, engine);
    const PlacedRanks placed = on.placed(7);
    for (const char* name : {"ring", "recursive-doubling", "bine"}) {
      const RankSchedule schedule = schedule_of(name, RankCollective::all_gather, placed);
      const Contention said = contention_of(schedule, placed);
      std::uint32_t most = 0, rounds = 0;
      std::uint64_t channels = 0;
      for (std::uint32_t round = 0; round < schedule.round_count(); ++round) {
        std::map<std::uint32_t, std::uint32_t> flows;
        for (std::uint32_t m = schedule.round_begin(round); m < schedule.round_end(round); ++m) {
          std::vector<ChannelId> path;
          const auto& message = schedule.message(m);
          ASSERT_TRUE(
              append_path(on.network, on.routing, placed.host(message.from), placed.host(message.to), path));
          for (const ChannelId c : path) ++flows[c.value];
          channels += path.size() * schedule.blocks(m).size();
        }
        std::uint32_t here = 0;
        for (const auto& [channel, count] : flows) here = std::max(here, count);
        most = std::max(most, here);
        rounds += here > 1 ? 1 : 0;
      }
      EXPECT_EQ(said.most_flows, most) << spec << name;
      EXPECT_EQ(said.shared_rounds, rounds) << spec << name;
      EXPECT_DOUBLE_EQ(said.channels, static_cast<double>(channels)) << spec << name;
      EXPECT_EQ(said.free(), most <= 1);
      EXPECT_EQ(said.flows.size(), most > 1 ? most : 0) << spec << name;
      for (const auto& [from, to] : said.flows) {
        std::vector<ChannelId> path;
        ASSERT_TRUE(append_path(on.network, on.routing, placed.host(from), placed.host(to), path));
        EXPECT_NE(std::find(path.begin(), path.end(), ChannelId(said.line)), path.end());
      }
    }
  }
}

TEST(PlacedRanks, RingsOnTreesAreFreeInOrderAndNotShuffled) {
  const OnNetwork on("kary-ntree:k=4,n=3", "ftree");
  const PlacedRanks ordered = on.placed(), shuffled = on.placed(5);
  EXPECT_EQ(ring_meetings(ordered), 0U);
  EXPECT_TRUE(contention_of(schedule_of("ring", RankCollective::all_gather, ordered), ordered).free());
  EXPECT_GT(ring_meetings(shuffled), 0U);
  EXPECT_FALSE(contention_of(schedule_of("ring", RankCollective::all_gather, shuffled), shuffled).free());
}

TEST(PlacedRanks, AnOrderForRingsIsFound) {
  for (const auto& [spec, engine] : {std::pair{"kary-ntree:k=4,n=3", "ftree"},
                                     {"torus:6x6", "dfsssp"},
                                     {"dragonfly:a=4,h=2,p=2", "dfsssp"}}) {
    const OnNetwork on(spec, engine);
    const PlacedRanks shuffled = on.placed(5);
    const RingOrder found = find_ring_order(shuffled, 8, 1);
    EXPECT_EQ(found.meetings, 0U) << spec;
    std::vector<TerminalId> sorted = found.hosts;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(sorted, on.hosts());
    const PlacedRanks better = shuffled.with_hosts(found.hosts);
    EXPECT_EQ(ring_meetings(better), found.meetings);
    EXPECT_TRUE(contention_of(schedule_of("ring", RankCollective::all_gather, better), better).free())
        << spec;
    EXPECT_EQ(find_ring_order(shuffled, 8, 1).hosts, found.hosts);
  }
}

TEST(PlacedRanks, GridsAndBoxesAreKnown) {
  EXPECT_EQ(grid_of_ranks(OnNetwork("torus:3x4", "dfsssp").placed()), (std::vector<std::uint32_t>{3, 4}));
  EXPECT_EQ(grid_of_ranks(OnNetwork("torus:3x4,p=2", "dfsssp").placed()),
            (std::vector<std::uint32_t>{3, 4, 2}));
  EXPECT_EQ(grid_of_ranks(OnNetwork("torus:3x4", "dfsssp").placed(3)), std::vector<std::uint32_t>{});
  EXPECT_EQ(ranks_of_a_box(OnNetwork("kary-ntree:k=4,n=2", "ftree").placed()), 4U);
  EXPECT_EQ(ranks_of_a_box(OnNetwork("boxes:4,8", "minhop").placed()), 8U);
  EXPECT_EQ(ranks_of_a_box(OnNetwork("torus:4x4", "dfsssp").placed()), 0U);
}

TEST(PlacedRanks, TwoRanksOnAHostAreRefused) {
  const OnNetwork on("torus:3x3", "dfsssp");
  EXPECT_THROW(PlacedRanks(on.network, on.routing, {TerminalId(1), TerminalId(1)}), InputError);
}

TEST(PlacedRanks, OurSchedulesPassTheExecutorAndShareNoChannel) {
  Progress quiet;
  for (const auto& [spec, engine] : networks()) {
    const OnNetwork on(spec, engine);
    const PlacedRanks placed = on.placed(2);
    for (const RankCollective collective : rank_collectives()) {
      const OurSchedule ours = our_steps(collective, 3, placed, {}, quiet);
      EXPECT_EQ(rank_schedule_fault(ours.schedule), "") << spec << name_of(collective);
      EXPECT_TRUE(contention_of(ours.schedule, placed).free()) << spec << name_of(collective);
      EXPECT_LE(ours.bound, ours.steps);
      if (collective == RankCollective::all_to_all) continue;
      const OurTrees trees(collective, 3, placed, quiet);
      for (const std::uint32_t chunks : {1U, 3U})
        EXPECT_EQ(rank_schedule_fault(trees.in_chunks(chunks)), "") << spec << name_of(collective);
    }
  }
}

TEST(PlacedRanks, TasksAreWhatTheWorkloadCheckAllows) {
  const OnNetwork on("torus:4x4", "dfsssp");
  const PlacedRanks placed = on.placed(9);
  for (const KnownAlgorithm& row : known_algorithms()) {
    const KnownCase which{RankCollective::all_reduce, 16, 0, {4, 4}, 4};
    const auto chosen = choose_known_algorithm(row.name);
    if (!row.unsuitable(which, chosen.parameters).empty()) continue;
    const RankSchedule schedule = make_known(chosen, which);
    const Workload work = rank_tasks(schedule, placed, 1000, 100);
    EXPECT_EQ(workload_fault(work, 16), "") << row.name;
    EXPECT_EQ(workload_totals(work, 16).messages, schedule.message_count()) << row.name;
  }
}

TEST(Contest, RangesNameTheQuickest) {
  const OnNetwork on("torus:4x4", "dfsssp");
  const PlacedRanks placed = on.placed();
  LineTimes times{std::vector<double>(placed.line_count(), 1e-10),
                  std::vector<double>(placed.line_count(), 1e-7)};
  Progress quiet;
  ContestOptions options;
  const KnownCase which{RankCollective::all_reduce, 16, 0, {4, 4}, 0};
  const Contest contest = make_contest(which, placed, times, options, quiet);
  const std::vector<CostRange> ranges = best_contenders(contest, {}, 1U << 24U);
  ASSERT_GE(ranges.size(), 2U);
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const std::uint64_t end = i + 1 < ranges.size() ? ranges[i + 1].from - 1 : 1U << 24U;
    for (const std::uint64_t bytes : {ranges[i].from, end}) {
      const double best = contest.contenders[ranges[i].best].time(static_cast<double>(bytes), {});
      for (const Contender& other : contest.contenders)
        EXPECT_LE(best, other.time(static_cast<double>(bytes), {})) << other.name << bytes;
    }
  }
}

}  // namespace
}  // namespace unknot
