// SPDX-License-Identifier: Apache-2.0
// Forwarding tables keep one of the shortest paths for each destination; how near they come to all shortest
// paths split evenly.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "unknot/engines/catalogue.hpp"
#include "unknot/load/channel_load.hpp"
#include "unknot/oblivious/minimal_paths.hpp"
#include "unknot/oblivious/oblivious_load.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

Routing tables_of(const Network& network, const std::string& engine, std::uint64_t seed = 1) {
  Progress silent;
  EngineRequest request;
  request.seed = seed;
  return route(network, engine, request, silent);
}

Verdict verdict_of(const Network& network, const Routing& routing) {
  Progress silent;
  return verify(network, routing, {}, silent);
}

/// Maximum load of the tables, as a multiple of the one when all shortest paths are split evenly.
double load_ratio(const Network& network, const Routing& routing) {
  Progress silent;
  const ObliviousLoad even =
      oblivious_load(network, ObliviousPaths::minimal, RouterDemand::uniform(network), 0, silent);
  const LoadStatistics load = load_statistics(channel_load(network, routing));
  return static_cast<double>(load.max) / (even.max * (network.terminal_count() - 1.0));
}

/// Over all pairs of routers with as many shortest paths as `paths`: how many more of the destination's
/// terminals the most used first channel of the pair serves than the least used one, at most.
std::uint32_t widest_spread(const Network& network, const Routing& routing, double paths) {
  const MinimalPaths minimal(network);
  std::uint32_t widest = 0;
  std::uint32_t pairs = 0;
  for (const RouterId d : minimal.endpoints().all()) {
    for (const RouterId s : minimal.endpoints().all()) {
      if (s == d || minimal.paths(s, d) != paths) continue;
      ++pairs;
      std::map<ChannelId, std::uint32_t> served;
      for (const ChannelId c : minimal.next(s, d)) served[c] = 0;
      for (const TerminalId t : network.terminals_at(d)) ++served.at(routing.table().next(network, s, t));
      const auto [least, most] = std::minmax_element(
          served.begin(), served.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
      widest = std::max(widest, most->second - least->second);
    }
  }
  EXPECT_GT(pairs, 0U);
  return widest;
}

// Kathareios et al., SC'15, sections 2.2.3 and 2.2.4: the routers of a column of a multi-layer full mesh have
// h shortest paths between them, counterparts in an orthogonal fat tree k, all other pairs one.
TEST(SinglePathBalance, TablesOfUnknotUseEveryPathOfCounterpartsAndColumnsAlike) {
  struct Case {
    std::string fabric;
    double paths;
  };
  const std::vector<Case> cases = {{"oft:3", 3},  {"oft:4", 4},  {"oft:5", 5},  {"oft:6", 6},
                                   {"mlfm:3", 3}, {"mlfm:4", 4}, {"mlfm:5", 5}, {"mlfm:h=4,l=3,p=8", 4}};
  for (const Case& c : cases) {
    for (const std::uint64_t seed : {1U, 2U}) {
      SCOPED_TRACE(c.fabric + " seed " + std::to_string(seed));
      const Network network = make_network(c.fabric);
      const Routing routing = tables_of(network, "unknot", seed);
      EXPECT_EQ(widest_spread(network, routing, c.paths), 0U);
      EXPECT_NEAR(load_ratio(network, routing), 1, 1e-9);
      const Verdict verdict = verdict_of(network, routing);
      EXPECT_TRUE(verdict.minimal());
      EXPECT_TRUE(verdict.deadlock_free);
      EXPECT_EQ(verdict.lanes_used, 1U);
    }
  }
}

TEST(SinglePathBalance, TablesOfUnknotUseEveryPathNearlyAlikeWhereTerminalsDoNotDivide) {
  for (const char* fabric : {"oft:k=4,p=3", "oft:k=4,p=6", "oft:k=4,terminals=99"}) {
    SCOPED_TRACE(fabric);
    const Network network = make_network(fabric);
    EXPECT_LE(widest_spread(network, tables_of(network, "unknot"), 4), 2U);
  }
}

TEST(SinglePathBalance, TablesOfUnknotOnSlimFlyTakeTwoLanesAndTheEvenLoad) {
  for (const char* fabric : {"slimfly:q=4,p=3", "slimfly:q=5,p=2"}) {
    SCOPED_TRACE(fabric);
    const Network network = make_network(fabric);
    const Routing routing = tables_of(network, "unknot:effort=0.1");
    EXPECT_LE(load_ratio(network, routing), 1.01);
    const Verdict verdict = verdict_of(network, routing);
    EXPECT_TRUE(verdict.minimal());
    EXPECT_TRUE(verdict.deadlock_free);
    EXPECT_LE(verdict.lanes_used, 2U);
  }
}

TEST(SinglePathBalance, TablesOfUnknotOnGridsAreNoWorseThanDimensionOrder) {
  for (const char* fabric : {"hyperx:4x4,p=3", "hypercube:4,p=2"}) {
    SCOPED_TRACE(fabric);
    const Network network = make_network(fabric);
    const Routing routing = tables_of(network, "unknot:effort=0.1");
    EXPECT_NEAR(load_ratio(network, routing), 1, 1e-9);
    EXPECT_EQ(routing.virtual_lanes, 1U);
    EXPECT_TRUE(verdict_of(network, routing).deadlock_free);
  }
}

TEST(SinglePathBalance, DimensionOrderNeedsNoLanesWhereAllShortestPathsDo) {
  // 144 of the 288 dependencies of all shortest paths: computed by the prototype that the verdicts of
  // oblivious routing are compared with.
  const Network network = make_network("hyperx:4x4,p=3");
  const Verdict verdict = verdict_of(network, tables_of(network, "dor"));
  EXPECT_EQ(verdict.dependencies, 144U);
  EXPECT_TRUE(verdict.deadlock_free);
}

TEST(SinglePathBalance, NoTableIsBetterThanTheEvenSplitOnAverage) {
  // Shortest paths have the same length whichever is taken, so the mean load is that of the even split.
  for (const char* engine : {"minhop", "sssp", "dfsssp", "unknot"}) {
    const Network network = make_network("oft:3");
    const LoadStatistics load = load_statistics(channel_load(network, tables_of(network, engine)));
    Progress silent;
    const ObliviousLoad even =
        oblivious_load(network, ObliviousPaths::minimal, RouterDemand::uniform(network), 0, silent);
    EXPECT_NEAR(load.mean, even.mean * (network.terminal_count() - 1.0), 1e-9) << engine;
  }
}

}  // namespace
}  // namespace unknot
