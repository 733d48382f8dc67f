// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/layers/cycle_breaking.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "unknot/engines/catalogue.hpp"
#include "unknot/load/channel_load.hpp"
#include "unknot/routing/layers/lane_emptying.hpp"
#include "unknot/routing/layers/lane_spreading.hpp"
#include "unknot/routing/trees/balanced_trees.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

constexpr BreakRule kRules[] = {BreakRule::weakest, BreakRule::heaviest, BreakRule::first,
                                BreakRule::closing};

/// Dependencies of one lane, path by path, and whether they hold a cycle: Kahn's algorithm, nothing shared
/// with the engine.
bool lane_is_acyclic(const Network& network, const ForwardingTable& table, const ServiceLevels& levels,
                     std::uint8_t lane) {
  std::vector<std::vector<std::uint32_t>> next(network.channel_count());
  for (const TerminalId s : network.terminals()) {
    for (const TerminalId t : network.terminals()) {
      if (levels.get(s, t) != lane) continue;
      ChannelId held = table.next(network, network.router_of(s), t);
      while (held.valid()) {
        const ChannelId wanted = table.next(network, network.target(held), t);
        if (!wanted.valid()) break;
        auto& row = next[held.value];
        if (std::find(row.begin(), row.end(), wanted.value) == row.end()) row.push_back(wanted.value);
        held = wanted;
      }
    }
  }
  std::vector<std::uint32_t> waiting(next.size(), 0);
  for (const auto& row : next) {
    for (const std::uint32_t c : row) ++waiting[c];
  }
  std::vector<std::uint32_t> ready;
  for (std::uint32_t c = 0; c < next.size(); ++c) {
    if (waiting[c] == 0) ready.push_back(c);
  }
  for (std::size_t head = 0; head < ready.size(); ++head) {
    for (const std::uint32_t c : next[ready[head]]) {
      if (--waiting[c] == 0) ready.push_back(c);
    }
  }
  return ready.size() == next.size();
}

std::vector<std::uint64_t> count_paths(const Network& network, const LaneAssignment& lanes) {
  std::vector<std::uint64_t> count(lanes.lanes, 0);
  for (const TerminalId s : network.terminals()) {
    for (const TerminalId t : network.terminals()) {
      if (network.router_of(s) != network.router_of(t)) ++count.at(lanes.levels.get(s, t));
    }
  }
  return count;
}

TEST(CycleBreaking, EveryLaneOfEveryRuleIsAcyclic) {
  for (const char* spec : {"ring:5", "ring:8,p=2", "uniring:3", "uniring:4", "uniring:7", "torus:4x4",
                           "kautz:b=2,n=3,p=2", "random:switches=24,links=48,terminals=60,seed=1",
                           "random:switches=24,links=48,terminals=60,seed=2", "kautz:b=3,n=2,oriented=1"}) {
    const Network network = make_network(spec);
    Progress quiet;
    PathDags dags(network);
    const BalancedTrees trees = balanced_trees(network, dags, 0, quiet);
    for (const BreakRule rule : kRules) {
      LaneAssignment lanes = break_cycles(network, dags, trees.table, rule, 250, quiet);
      for (const bool emptied : {false, true}) {
        if (emptied) empty_last_lanes(network, trees.table, lanes);
        EXPECT_EQ(lanes.lane_paths, count_paths(network, lanes)) << spec;
        for (std::uint32_t lane = 0; lane < lanes.lanes; ++lane) {
          EXPECT_TRUE(lane_is_acyclic(network, trees.table, lanes.levels, static_cast<std::uint8_t>(lane)))
              << spec << " lane " << lane;
          EXPECT_GT(lanes.lane_paths[lane], 0U) << "an empty lane is a wasted lane";
        }
      }
      const std::uint32_t needed = lanes.lanes;
      EXPECT_EQ(spread_over_spare_lanes(network, lanes, needed + 3), needed + 3);
      for (std::uint32_t lane = 0; lane < needed + 3; ++lane) {
        EXPECT_TRUE(lane_is_acyclic(network, trees.table, lanes.levels, static_cast<std::uint8_t>(lane)))
            << spec;
      }
    }
  }
}

TEST(CycleBreaking, FiveRingSplitsIntoEighteenAndTwo) {
  // All routes are forced; one 5-cycle in each direction, every dependency of weight one.
  const Network network = make_network("ring:5");
  Progress quiet;
  PathDags dags(network);
  const BalancedTrees trees = balanced_trees(network, dags, 0, quiet);
  for (const BreakRule rule : kRules) {
    const LaneAssignment lanes = break_cycles(network, dags, trees.table, rule, 250, quiet);
    EXPECT_EQ(lanes.lanes, 2U);
    EXPECT_EQ(lanes.lane_paths, (std::vector<std::uint64_t>{18, 2}));
  }
}

TEST(CycleBreaking, TreesNeedOneLane) {
  for (const char* spec : {"xgft:m=4x4,w=2x2", "kary-ntree:k=4,n=3"}) {
    const Network network = make_network(spec);
    Progress quiet;
    PathDags dags(network);
    const BalancedTrees trees = balanced_trees(network, dags, 0, quiet);
    EXPECT_TRUE(trees.up_down) << spec;
    EXPECT_EQ(break_cycles(network, dags, trees.table, BreakRule::weakest, 250, quiet).lanes, 1U) << spec;
  }
  Progress quiet;
  const Network ring = make_network("ring:5");
  PathDags dags(ring);
  EXPECT_FALSE(balanced_trees(ring, dags, 0, quiet).up_down);
}

TEST(CycleBreaking, RulesRankAsPublished) {
  // 64 switches, 1024 endpoints, 128 cables: weakest < first < heaviest on the mean; ranges 3-6, 4-9, 4-16.
  double sum[3] = {};
  const std::pair<std::uint32_t, std::uint32_t> range[3] = {{3, 6}, {4, 9}, {4, 16}};
  const BreakRule rules[3] = {BreakRule::weakest, BreakRule::first, BreakRule::heaviest};
  for (int seed = 1; seed <= 10; ++seed) {
    const Network network =
        make_network("random:switches=64,links=128,terminals=1024,seed=" + std::to_string(seed));
    Progress quiet;
    PathDags dags(network);
    const BalancedTrees trees = balanced_trees(network, dags, 0, quiet);
    for (int i = 0; i < 3; ++i) {
      const std::uint32_t lanes = break_cycles(network, dags, trees.table, rules[i], 250, quiet).lanes;
      EXPECT_GE(lanes, range[i].first);
      EXPECT_LE(lanes, range[i].second);
      sum[i] += lanes;
    }
  }
  EXPECT_LT(sum[0], sum[1]);
  EXPECT_LT(sum[1], sum[2]);
}

TEST(CycleBreaking, ALowCeilingFailsWithAnAnswer) {
  const Network network = make_network("torus:5x5");
  Progress quiet;
  PathDags dags(network);
  const BalancedTrees trees = balanced_trees(network, dags, 0, quiet);
  EXPECT_THROW((void)break_cycles(network, dags, trees.table, BreakRule::weakest, 1, quiet), RoutingFailure);
}

TEST(Dfsssp, SaysHowManyLanesItNeeds) {
  const Network network = make_network("torus:5x5");
  Progress quiet;
  EngineRequest request;
  request.virtual_lanes = kMaxLanes;
  const std::uint32_t needed = route(network, "dfsssp", request, quiet).lanes_needed;
  ASSERT_GT(needed, 1U);
  request.virtual_lanes = needed;
  EXPECT_EQ(route(network, "dfsssp", request, quiet).virtual_lanes, needed);
  request.virtual_lanes = needed - 1;
  try {
    (void)route(network, "dfsssp", request, quiet);
    FAIL() << "expected a failure";
  } catch (const RoutingFailure& failure) {
    EXPECT_EQ(failure.lanes_needed(), needed);
    EXPECT_NE(std::string(failure.what()).find(std::to_string(needed)), std::string::npos);
  }
}

TEST(Dfsssp, TheBestRuleNeedsNoMoreLanesThanAnyOther) {
  Progress quiet;
  EngineRequest request;
  request.virtual_lanes = kMaxLanes;
  bool saves = false;
  for (const char* spec : {"deimos", "kautz:b=3,n=3,p=2", "torus:4x4", "ring:5"}) {
    const Network network = make_network(spec);
    const std::uint32_t best = route(network, "dfsssp:rule=best", request, quiet).lanes_needed;
    for (const char* rule : {"weakest", "heaviest", "first", "closing"}) {
      const std::uint32_t needed =
          route(network, std::string("dfsssp:rule=") + rule, request, quiet).lanes_needed;
      EXPECT_LE(best, needed) << spec << " " << rule;
      saves |= best < needed;
    }
  }
  EXPECT_TRUE(saves);
}

TEST(Dfsssp, SpreadingByLoadEasesTheBusiestChannelOfALane) {
  Progress quiet;
  EngineRequest request;
  request.virtual_lanes = kMaxLanes;
  for (const char* spec : {"deimos", "kautz:b=3,n=3,terminals=256", "dragonfly:a=4,h=2,p=2", "torus:4x4x4"}) {
    const Network network = make_network(spec);
    const auto busiest = [&](const char* engine) {
      const Routing routing = route(network, engine, request, quiet);
      EXPECT_EQ(routing.virtual_lanes, kMaxLanes) << spec;
      EXPECT_TRUE(verify(network, routing, {}, quiet).deadlock_free) << spec;
      const auto load = lane_loads(network, routing.table(), routing.service_levels, routing.virtual_lanes);
      // A lane's loads add up to the channel's.
      const std::vector<std::uint64_t> whole = channel_load(network, routing);
      for (const ChannelId c : network.channels()) {
        const auto first = load.begin() + static_cast<std::ptrdiff_t>(c.value) * routing.virtual_lanes;
        EXPECT_EQ(std::accumulate(first, first + routing.virtual_lanes, std::uint64_t{0}), whole[c.value]);
      }
      return *std::max_element(load.begin(), load.end());
    };
    EXPECT_LT(busiest("dfsssp:by=load"), busiest("dfsssp:by=turn")) << spec;
  }
}

TEST(Dfsssp, AnyBudgetIsFilled) {
  const Network network = make_network("torus:4x4");
  Progress quiet;
  for (std::uint32_t budget = 8; budget <= kMaxLanes; ++budget) {
    EngineRequest request;
    request.virtual_lanes = budget;
    const Routing routing = route(network, "dfsssp", request, quiet);
    EXPECT_EQ(routing.virtual_lanes, budget);
    EXPECT_EQ(routing.service_levels.highest(), budget - 1);
  }
}

}  // namespace
}  // namespace unknot
