// SPDX-License-Identifier: Apache-2.0
// What sets engine unknot apart: shortest paths, deadlock-free, on few lanes.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "effort.hpp"
#include "routing/lane_cover.hpp"
#include "stop_after.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

Routing tables_of(const Network& network, const std::string& engine, std::uint32_t lanes,
                  Progress& progress) {
  EngineRequest request;
  request.virtual_lanes = lanes;
  return route(network, engine, request, progress);
}

Routing tables_of(const Network& network, const std::string& engine, std::uint32_t lanes = 8) {
  Progress quiet;
  return tables_of(network, engine, lanes, quiet);
}

void expect_proven(const Network& network, const Routing& routing, std::uint32_t lanes) {
  Progress quiet;
  const Verdict verdict = verify(network, routing, {}, quiet);
  EXPECT_TRUE(verdict.complete() && verdict.loop_free());
  EXPECT_TRUE(verdict.deadlock_free);
  EXPECT_TRUE(verdict.minimal() || !routing.report.note.empty());  // detours are told of
  EXPECT_EQ(routing.engine, "unknot");
  EXPECT_LE(routing.virtual_lanes, lanes);
  EXPECT_LE(routing.lanes_needed, routing.virtual_lanes);
  EXPECT_LT(routing.service_levels.highest(), routing.virtual_lanes);
}

TEST(Unknot, KeepsWithinEveryBudget) {
  int with_detours = 0;
  int without = 0;
  for (Network& network : test::small_networks()) {
    if (!network.reverse(ChannelId(0)).valid()) continue;  // one-way: there are no detours to fall back to
    for (std::uint32_t lanes = 1; lanes <= 8; ++lanes) {
      SCOPED_TRACE(network.description() + " with " + std::to_string(lanes));
      const Routing routing = tables_of(network, "unknot:effort=0.05", lanes);
      expect_proven(network, routing, lanes);
      // Two lanes are enough for all of these.
      EXPECT_TRUE(lanes == 1 || routing.report.note.empty());
      (routing.report.note.empty() ? without : with_detours)++;
    }
  }
  EXPECT_GE(with_detours, 2);
  EXPECT_GE(without, 40);
}

struct KnownLanes {
  const char* network;
  const char* engine;
  std::uint32_t lanes;
};

class UnknotLanes : public testing::TestWithParam<KnownLanes> {};

TEST_P(UnknotLanes, AreNoMoreThanAreKnownToDo) {
  SCOPED_TRACE(GetParam().network);
  const Network network = make_network(GetParam().network);
  if (fewer_cases() && network.terminal_count() > 1500) GTEST_SKIP() << "seconds of search";
  const Routing routing = tables_of(network, GetParam().engine);
  expect_proven(network, routing, GetParam().lanes);
  EXPECT_EQ(routing.report.note, "");
}

INSTANTIATE_TEST_SUITE_P(
    Networks, UnknotLanes,
    testing::Values(
        KnownLanes{"slimfly:q=5", "unknot", 2}, KnownLanes{"kautz:b=3,n=3", "unknot", 2},
        KnownLanes{"kautz:b=3,n=3,terminals=1024", "unknot", 2},
        KnownLanes{"dragonfly:a=4,h=2,p=2", "unknot", 2}, KnownLanes{"deimos", "unknot", 2},
        KnownLanes{"deimos", "unknot:prefer=lanes", 1}, KnownLanes{"torus:4x4x4", "unknot:prefer=lanes", 1},
        KnownLanes{"xgft:m=4x4,w=2x2", "unknot", 1}, KnownLanes{"xgft:m=3x4x2,w=2x2x3", "unknot", 1},
        KnownLanes{"kary-ntree:k=4,n=3", "unknot", 1}, KnownLanes{"kary-ntree:k=2,n=4", "unknot", 1},
        KnownLanes{"random:switches=128,links=200,terminals=2048,seed=3", "unknot", 4},
        KnownLanes{"torus:8x8x8", "unknot", 3}, KnownLanes{"mesh:3x4", "unknot", 1},
        KnownLanes{"ring:4", "unknot", 1}));

TEST(Unknot, TheFewestLanesAreNoMoreThanThoseOfBalance) {
  for (Network& network : test::small_networks()) {
    SCOPED_TRACE(network.description());
    const Routing fewest = tables_of(network, "unknot:effort=0.05,prefer=lanes");
    const Routing balance = tables_of(network, "unknot:effort=0.05");
    const Routing bandwidth = tables_of(network, "unknot:effort=0.05,prefer=bandwidth");
    expect_proven(network, fewest, 8);
    expect_proven(network, bandwidth, 8);
    EXPECT_LE(fewest.virtual_lanes, balance.virtual_lanes);
    EXPECT_LE(balance.virtual_lanes, bandwidth.virtual_lanes);
  }
}

TEST(Unknot, ReturnsAProvenRoutingWheneverTheTimeEnds) {
  // Little search, then passes without end: the time is over now in the one, now in the other.
  for (const char* spec : {"torus:4x4", "slimfly:q=5", "kautz:b=2,n=3,terminals=5"}) {
    const Network network = make_network(spec);
    for (const char* rest :
         {"effort=1,time=0.000001", "effort=1,time=0.05", "effort=0.001,passes=1000,polish=1000,time=0.05",
          "effort=0.001,passes=1,polish=1000,time=0.1", "effort=0.01,time=0.02"}) {
      SCOPED_TRACE(std::string(spec) + " " + rest);
      expect_proven(network, tables_of(network, std::string("unknot:") + rest), 8);
    }
  }
}

TEST(Unknot, GivesAProvenRoutingOrStopsWhenInterrupted) {
  int stopped = 0;
  int finished = 0;
  const Network network = make_network("kautz:b=3,n=2");
  for (std::uint64_t questions = 1; questions < 5'000'000; questions = questions * 3 + 1) {
    test::StopAfter progress(questions);
    EngineRequest request;
    request.threads = 1;
    try {
      expect_proven(network, route(network, "unknot:effort=0.02", request, progress), 8);
      ++finished;
    } catch (const Interrupted&) {
      ++stopped;
    }
  }
  EXPECT_GT(stopped, 0);
  EXPECT_GT(finished, 0);
}

TEST(Unknot, SeedsDecideAndNothingElse) {
  Progress quiet;
  const Network network = make_network("torus:5x5");
  EngineRequest request;
  const Routing first = route(network, "unknot:effort=0.05", request, quiet);
  const Routing second = route(network, "unknot:effort=0.05", request, quiet);
  EXPECT_EQ(first.table(), second.table());
  EXPECT_EQ(first.service_levels, second.service_levels);
  request.seed = 2;
  EXPECT_NE(first.table(), route(network, "unknot:effort=0.05", request, quiet).table());
}

TEST(Unknot, TellsOfDetoursInAPartOfTheNetwork) {
  // A line of two routers, and a ring, for which one lane is not enough.
  NetworkBuilder builder;
  builder.add_routers(10);
  builder.add_cable(RouterId(0), RouterId(1));
  for (std::uint32_t r = 0; r < 8; ++r) builder.add_cable(RouterId(2 + r), RouterId(2 + (r + 1) % 8));
  for (std::uint32_t r = 0; r < 10; ++r) builder.add_terminal(RouterId(r));
  const Network parts = std::move(builder).build();
  EXPECT_NE(tables_of(parts, "unknot:effort=0.05", 1).report.note, "");
  EXPECT_EQ(tables_of(parts, "unknot:effort=0.05", 2).report.note, "");
}

TEST(Unknot, OneWayNetworksAreRoutedWhereLanesSuffice) {
  for (const char* spec : {"uniring:5", "kautz:b=2,n=3,oriented=1"}) {
    const Network network = make_network(spec);
    expect_proven(network, tables_of(network, "unknot:effort=0.05", 3), 3);
  }
  // One lane does not: a negative answer.
  EXPECT_THROW((void)tables_of(make_network("uniring:5"), "unknot:effort=0.05", 1), RoutingFailure);
}

TEST(Unknot, RoutesTheSmallestNetworks) {
  const auto with_terminals = [](std::uint32_t routers, std::uint32_t terminals) {
    NetworkBuilder builder;
    builder.add_routers(routers);
    for (std::uint32_t r = 0; r < routers && routers > 1; ++r)
      builder.add_cable(RouterId(r), RouterId((r + 1) % routers));
    for (std::uint32_t t = 0; t < terminals; ++t) builder.add_terminal(RouterId(t));
    return std::move(builder).build();
  };
  for (const std::uint32_t terminals : {1U, 2U, 3U}) {
    for (const std::uint32_t routers : {3U, 5U, 6U}) {
      const Network network = with_terminals(routers, terminals);
      for (const std::uint32_t lanes : {1U, 2U})
        expect_proven(network, tables_of(network, "unknot:effort=0.05", lanes), lanes);
    }
  }
}

}  // namespace
}  // namespace unknot
