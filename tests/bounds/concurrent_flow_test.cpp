// SPDX-License-Identifier: Apache-2.0
#include "unknot/bounds/concurrent_flow.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "effort.hpp"
#include "unknot/bounds/exchange.hpp"
#include "unknot/bounds/path_sets.hpp"
#include "unknot/bounds/path_split.hpp"
#include "unknot/oblivious/oblivious_load.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "verify/fabrics.hpp"

namespace unknot {
namespace {

RouterDemand demand_of(const Network& network, const std::string& pattern) {
  return exchange_of(network, make_pattern(network, pattern), 1, 0).between;
}

TEST(ConcurrentFlow, KnownOptima) {
  struct Case {
    const char* topology;
    const char* pattern;
    double optimum;
  };
  for (const Case& one : {
           Case{"ring:6", "all-to-all", 10.0 / 9},  // 6 * 9 / 5 hops over 12 channels
           Case{"ring:5", "neighbour", 1.25},  // a fifth goes the long way: 4 / 5 on each channel, either way
           Case{"ring:4,p=2", "shift-router:2", 0.5},  // two to the opposite router, two channels each way
           Case{"hypercube:3", "bit-complement", 1},   // 8 * 3 hops over 24 channels
           Case{"torus:4x4,p=2", "tornado", 8.0 / 15},
       }) {
    SCOPED_TRACE(std::string(one.topology) + " " + one.pattern);
    const Network network = make_network(one.topology);
    const RouterDemand demand = demand_of(network, one.pattern);
    const FlowCheck check = check_flow({network, demand}, flow_by_program({network, demand}));
    EXPECT_LT(check.imbalance, 1e-9);
    EXPECT_NEAR(check.lower, one.optimum, 1e-7);
    EXPECT_NEAR(check.upper, one.optimum, 1e-7);
  }
}

TEST(ConcurrentFlow, BothWaysAgreeAndBeatObliviousPathsOnEveryTopology) {
  Progress silent;
  std::uint32_t compared = 0;
  for (const Topology& family : topologies()) {
    for (const std::string& example : family.examples) {
      const Network network = make_network(example);
      if (network.channel_count() * EndpointRouters(network).count() > (fewer_cases() ? 200 : 600)) continue;
      for (const char* pattern : {"all-to-all", "permutation", "hotspot:0.5"}) {
        SCOPED_TRACE(example + " " + pattern);
        const RouterDemand demand = demand_of(network, pattern);
        const FlowCheck exact = check_flow({network, demand}, flow_by_program({network, demand}));
        const ConcurrentFlow near = flow_by_potential({network, demand}, {0.1, 0, 200, 1}, silent);
        const FlowCheck check = check_flow({network, demand}, near);
        for (const FlowCheck& one : {exact, check}) EXPECT_LT(one.imbalance, 1e-7);
        if (demand.between() == 0) continue;
        ++compared;
        EXPECT_NEAR(exact.lower, exact.upper, 1e-6 * exact.upper);
        EXPECT_LE(check.lower, exact.upper * (1 + 1e-7));
        EXPECT_GE(check.upper, exact.lower * (1 - 1e-7));
        if (near.rounds < 200) {
          EXPECT_LE(check.upper, 1.1001 * check.lower);
        }
        for (const ObliviousPaths paths : {ObliviousPaths::minimal, ObliviousPaths::valiant}) {
          const ObliviousLoad load = oblivious_load(network, paths, demand, 1, silent);
          if (load.lost_pairs == 0) {
            EXPECT_LE(1 / load.max, exact.upper * (1 + 1e-7));
          }
        }
        const ConcurrentFlow again = flow_by_potential({network, demand}, {0.1, 0, 200, 3}, silent);
        EXPECT_EQ(again.flow, near.flow);
        EXPECT_EQ(again.length, near.length);
      }
    }
  }
  EXPECT_GT(compared, fewer_cases() ? 10U : 20U);
}

TEST(ConcurrentFlow, TheCheckFindsWhatIsWrong) {
  const Network network = make_network("torus:3x3");
  const RouterDemand demand = demand_of(network, "shift:4");
  const ConcurrentFlow good = flow_by_program({network, demand});
  const FlowCheck reference = check_flow({network, demand}, good);
  ASSERT_LT(reference.imbalance, 1e-9);
  for (const double amount : {0.3, -0.2}) {
    ConcurrentFlow bad = good;
    bad.flow[5] += amount;
    EXPECT_GT(check_flow({network, demand}, bad).imbalance, 0.1);
  }
  ConcurrentFlow none = good;
  std::fill(none.flow.begin(), none.flow.end(), 0.0);
  EXPECT_GE(check_flow({network, demand}, none).imbalance, 1);
  // any other lengths prove less
  for (std::size_t c = 0; c < good.length.size(); c += 5) {
    ConcurrentFlow other = good;
    other.length[c] += 0.5;
    EXPECT_GE(check_flow({network, demand}, other).upper, reference.upper * (1 - 1e-9));
  }
  ConcurrentFlow flat = good;
  std::fill(flat.length.begin(), flat.length.end(), 1.0);
  EXPECT_GE(check_flow({network, demand}, flat).upper, reference.upper * (1 - 1e-9));
}

TEST(ConcurrentFlow, OneWayAndBrokenNetworks) {
  Progress silent;
  Random random(3);
  std::uint32_t broken = 0;
  for (int i = 0; i < 60; ++i) {
    const Network network = testing::random_fabric(random, i % 2 == 0);
    if (network.terminal_count() < 2) continue;
    const RouterDemand demand = demand_of(network, "all-to-all");
    try {
      const FlowCheck near =
          check_flow({network, demand}, flow_by_potential({network, demand}, {0.2, 0, 100, 1}, silent));
      const FlowCheck exact = check_flow({network, demand}, flow_by_program({network, demand}));
      if (demand.between() == 0) continue;
      EXPECT_LT(near.imbalance, 1e-9);
      EXPECT_LT(exact.imbalance, 1e-7);
      EXPECT_LE(near.lower, exact.upper * (1 + 1e-7));
      EXPECT_GE(near.upper, exact.lower * (1 - 1e-7));
    } catch (const InputError&) {
      ++broken;
      EXPECT_THROW((void)flow_by_program({network, demand}), InputError);
      EXPECT_EQ(i % 2, 1);
    }
  }
  EXPECT_GT(broken, 5U);
}

TEST(ConcurrentFlow, StopsOnceTheLoadIsLowEnough) {
  Progress silent;
  const Network network = make_network("slimfly:q=5,p=3");
  const RouterDemand demand = demand_of(network, "worst-case");
  const ConcurrentFlow quick = flow_by_potential({network, demand}, {0.01, 3, 1000, 1}, silent);
  EXPECT_LT(quick.rounds, 50U);
  EXPECT_LE(check_flow({network, demand}, quick).max_load, 3);  // shortest paths: 6
}

TEST(ConcurrentFlow, TooLargeIsRefused) {
  Progress silent;
  const Network network = make_network("slimfly:q=13");
  EXPECT_THROW((void)flow_by_program({network, demand_of(network, "shift")}), InputError);
}

/// By next hops, and by listed paths: two formulations, one optimum.
TEST(ConcurrentFlow, OverShortestPathsIsTheSplitOverTheirList) {
  Progress silent;
  std::uint32_t compared = 0;
  for (const Topology& family : topologies()) {
    for (const std::string& example : family.examples) {
      const Network network = make_network(example);
      if (network.channel_count() * EndpointRouters(network).count() > (fewer_cases() ? 200 : 600)) continue;
      for (const char* pattern : {"all-to-all", "permutation", "longest-matching"}) {
        SCOPED_TRACE(example + " " + pattern);
        const RouterDemand demand = demand_of(network, pattern);
        if (demand.between() == 0) continue;
        ++compared;
        const PathLists lists = make_path_lists(network, demand, "minimal", silent);
        const double optimum = check_split(network, lists, split_by_program(network, lists)).lower;
        const auto both_sides = [&](const ConcurrentFlow& flow) {
          return check_flow({network, demand, FlowWays::shortest}, flow);
        };
        const FlowCheck exact = both_sides(flow_by_program({network, demand, FlowWays::shortest}));
        EXPECT_LT(exact.imbalance, 1e-9);
        EXPECT_NEAR(exact.lower, optimum, 1e-6 * optimum);
        EXPECT_NEAR(exact.upper, optimum, 1e-6 * optimum);
        const ConcurrentFlow near =
            flow_by_potential({network, demand, FlowWays::shortest}, {0.1, 0, 300, 1}, silent);
        const FlowCheck check = both_sides(near);
        EXPECT_LT(check.imbalance, 1e-9);
        EXPECT_LE(check.lower, optimum * (1 + 1e-6));
        EXPECT_GE(check.upper, optimum * (1 - 1e-6));
        EXPECT_LE(check.upper, check.lower * 1.2);
        EXPECT_EQ(flow_by_potential({network, demand, FlowWays::shortest}, {0.1, 0, 300, 3}, silent).flow,
                  near.flow);
        const PathCount count = count_shortest_paths(network, demand);
        EXPECT_EQ(count.pairs, lists.pairs().size());
        EXPECT_EQ(count.paths, static_cast<double>(lists.path_count()));
        EXPECT_EQ(count.channels, static_cast<double>(lists.channel_count()));
      }
    }
  }
  EXPECT_GT(compared, fewer_cases() ? 40U : 80U);
}

TEST(ConcurrentFlow, ShortestPathsAreHeldTo) {
  const Network network = make_network("ring:5");
  const RouterDemand demand = demand_of(network, "neighbour");
  const ConcurrentFlow any = flow_by_program({network, demand});  // a fifth goes the long way
  EXPECT_LT(check_flow({network, demand}, any).imbalance, 1e-9);
  EXPECT_NEAR(check_flow({network, demand, FlowWays::shortest}, any).imbalance, 0.2, 1e-6);
  const ConcurrentFlow shortest = flow_by_program({network, demand, FlowWays::shortest});
  EXPECT_NEAR(check_flow({network, demand, FlowWays::shortest}, shortest).lower, 1, 1e-9);
  EXPECT_NEAR(check_flow({network, demand, FlowWays::shortest}, shortest).upper, 1, 1e-9);
}

/// Far more paths than can be listed, and all of a torus' channels alike.
TEST(ConcurrentFlow, ShortestPathsOfATorusNeedNoList) {
  Progress silent;
  const Network network = make_network("torus:6x6x6,p=2");
  const RouterDemand demand = demand_of(network, "uniform");
  const PathCount count = count_shortest_paths(network, demand);
  EXPECT_GT(count.channels, static_cast<double>(kMaxListedChannels));
  const FlowProblem problem{network, demand, FlowWays::shortest};
  const FlowCheck check = check_flow(problem, flow_by_potential(problem, {0.01, 0, 100, 1}, silent));
  double hops = 0;  // each ring of six: 0, 1, 1, 2, 2, 3
  for (const double one : {0, 1, 1, 2, 2, 3}) hops += 3 * 36 * one;
  const double load = 2 * hops * 2 / 431 / 6;  // rate of a router's two terminals, over its six channels
  EXPECT_NEAR(check.max_load, load, 1e-9);
  EXPECT_NEAR(check.upper, 1 / load, 1e-9);
}

}  // namespace
}  // namespace unknot
