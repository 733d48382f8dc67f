// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "unknot/engines/catalogue.hpp"
#include "unknot/load/channel_load.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/routing/covers/common_bits.hpp"
#include "unknot/routing/covers/covered_routing.hpp"
#include "unknot/routing/covers/dealt_by_size.hpp"
#include "unknot/routing/covers/lane_choice.hpp"
#include "unknot/routing/covers/lane_turns.hpp"
#include "unknot/routing/covers/order_place.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/routing/run_engine.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

/// What count_common_bits() is to say, bit by bit.
std::uint32_t common_bits(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
  std::uint32_t sum = 0;
  for (std::size_t bit = 0; bit < a.size() * 64; ++bit)
    sum += a[bit / 64] >> bit % 64 & b[bit / 64] >> bit % 64 & 1;
  return sum;
}

TEST(Covers, CommonBitsAreCountedAlikeInBothForms) {
  constexpr std::uint32_t kWords = 32;
  std::mt19937_64 random(1);
  BitLines lines;
  for (int trial = 0; trial < 200; ++trial) {
    // Full sets, sets of a few bits whose lines are mostly empty, and the last bit of a line alone.
    std::vector<std::uint64_t> set(kWords, 0);
    for (std::uint64_t& word : set) word = trial % 2 == 0 ? random() : random() % 16 == 0 ? random() : 0;
    if (trial == 1) set.assign(kWords, 0);
    if (trial == 3) set[BitLines::kWords - 1] = std::uint64_t{1} << 63;
    std::vector<std::vector<std::uint64_t>> rows(5, std::vector<std::uint64_t>(kWords));
    std::vector<const std::uint64_t*> at;
    std::vector<std::uint32_t> expected;
    for (std::vector<std::uint64_t>& row : rows) {
      for (std::uint64_t& word : row) word = trial % 5 == 0 ? ~std::uint64_t{0} : random();
      at.push_back(row.data());
      expected.push_back(common_bits(set, row));
    }
    lines.take(set.data(), kWords);
    std::vector<std::uint32_t> counts(5, 7);
    std::vector<std::uint32_t> portable(5, 7);
    count_common_bits(lines, at, counts.data());
    count_common_bits_portable(lines, at, portable.data());
    EXPECT_EQ(counts, expected) << trial;
    EXPECT_EQ(portable, expected) << trial;
  }
  lines.take(nullptr, 0);
  EXPECT_EQ(lines.size(), 0U);
}

TEST(Covers, LanesOfAMaskAreFoundByNumber) {
  EXPECT_EQ(LaneOfMask::at(0, 0), 0);
  for (std::uint32_t mask = 1; mask < 0x10000; ++mask) {
    std::uint32_t n = 0;
    for (std::uint8_t lane = 0; lane < 16; ++lane) {
      if ((mask >> lane & 1) == 0) continue;
      ASSERT_EQ(LaneOfMask::at(static_cast<std::uint16_t>(mask), n++), lane) << mask;
    }
  }
}

TEST(Covers, PlacesAreAsGoodAsAnyInBothForms) {
  std::mt19937 random(2);
  int moved = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    OrderNeighbours around;
    const std::uint32_t count = 1 + random() % 120;
    around.clear(count);
    const std::uint32_t range = trial % 3 == 0 ? 20 : 0xFFFFFFFFU;  // many at one place, or few
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto worth = static_cast<std::int32_t>(1 + random() % 100);
      around.add(1 + random() % range, random() % 2 == 0 ? worth : -worth);
    }
    const std::uint32_t here = 1 + random() % range;
    const std::uint32_t there = better_place(here, around);
    ASSERT_EQ(there, better_place_sorted(here, around)) << trial;
    const auto gain_at = [&](std::uint32_t place) {
      std::int64_t gain = 0;
      for (std::uint32_t i = 0; i < count; ++i) gain += around.place(i) < place ? around.gain(i) : 0;
      return gain;
    };
    moved += there != here ? 1 : 0;
    if (there == here || range == 20) continue;  // places may lie too close to stand between them
    ASSERT_GT(gain_at(there), gain_at(here));
    for (std::uint32_t i = 0; i < count; ++i) ASSERT_GE(gain_at(there), gain_at(around.place(i)));
  }
  EXPECT_GT(moved, 1000);
}

/// Every pair of terminals has a shortest path that cannot lock, whatever the number of threads. Returns the
/// number of lanes.
std::uint32_t expect_covered(const Network& network, std::uint32_t most_lanes,
                             const std::vector<std::uint32_t>& threads) {
  Progress quiet;
  Routing first;
  for (const std::uint32_t count : threads) {
    const Routing routing = covered_routing(network, "unknot", most_lanes, 1, count, quiet);
    const Verdict verdict = verify(network, routing, VerifyOptions{}, quiet);
    EXPECT_TRUE(verdict.usable());
    EXPECT_TRUE(verdict.minimal());
    EXPECT_LE(routing.virtual_lanes, most_lanes);
    if (count == threads[0]) first = routing;
    EXPECT_TRUE(routing.table() == first.table());
    EXPECT_TRUE(routing.service_levels == first.service_levels);
  }
  return first.virtual_lanes;
}

TEST(Covers, EveryPairHasAShortestPathFreeOfDeadlock) {
  for (const char* spec :
       {"dragonfly:a=4,h=2,p=2", "hyperx:4x4x3,p=2", "jellyfish:routers=60,degree=5,terminals=130",
        "slimfly:q=5,p=2", "torus:4x5,p=3", "xgft:m=4x4,w=2x2", "ring:9", "mesh:300", "hypercube:5"}) {
    SCOPED_TRACE(spec);
    expect_covered(make_network(spec), 8, {1, 2, 3});
  }
}

/// Lines, trees and graphs with parallel cables, routers without terminals and with more than a hundred.
TEST(Covers, RandomNetworks) {
  std::mt19937 random(4);
  for (std::uint32_t trial = 0; trial < 250; ++trial) {
    SCOPED_TRACE(trial);
    const std::uint32_t kind = trial % 4;
    const std::uint32_t routers = 2 + random() % (trial % 16 == 0 ? 140 : 40);
    NetworkBuilder builder;
    builder.add_routers(routers);
    for (std::uint32_t r = 1; r < routers; ++r)
      builder.add_cable(RouterId(r), RouterId(kind == 0 ? r - 1 : random() % r));
    const std::uint32_t further = kind < 2 ? 0 : kind == 2 ? routers / 2 : 2 * routers;
    for (std::uint32_t i = 0; i < further; ++i) {
      const std::uint32_t a = random() % routers;
      const std::uint32_t b = random() % routers;
      if (a != b) builder.add_cable(RouterId(a), RouterId(b));
    }
    builder.add_terminal(RouterId(0));
    builder.add_terminal(RouterId(routers - 1));
    const std::uint32_t most = random() % 4 == 0 ? 150 : 5;
    for (std::uint32_t r = 0; r < routers; ++r) {
      for (std::uint32_t left = random() % 3 == 0 ? 0 : random() % most; left > 0; --left)
        builder.add_terminal(RouterId(r));
    }
    expect_covered(std::move(builder).build(), LaneTurns::kMostLanes, {1, 2});
  }
}

/// Masks of lanes take two bytes.
TEST(Covers, MoreThanEightLanes) {
  const Network network = make_network("jellyfish:routers=400,degree=6,terminals=500");
  EXPECT_GT(expect_covered(network, LaneTurns::kMostLanes, {1, 2}), 8U);
}

/// Lanes grow by a sample of the destinations.
TEST(Covers, ThousandsOfDestinations) {
  expect_covered(make_network("dragonfly:a=16,h=8,p=1"), 8, {3, 1});
}

/// More terminals at a router than are dealt together, and routers without.
TEST(Covers, ManyTerminalsAtARouter) {
  expect_covered(make_network("xgft:m=70x3,w=1x2"), 8, {2, 1});
  expect_covered(make_network("hyperx:3x3,p=90"), 8, {2, 1});
}

/// Levels of pairs at one router, where there is nothing to choose, are 0.
TEST(Covers, LevelsOfPairsAtOneRouterAreZero) {
  const Network network = make_network("jellyfish:routers=60,degree=5,terminals=130");
  Progress quiet;
  const Routing routing = covered_routing(network, "unknot", 8, 1, 1, quiet);
  ASSERT_GT(routing.virtual_lanes, 1U);
  for (const RouterId r : network.routers()) {
    for (const TerminalId from : network.terminals_at(r)) {
      for (const TerminalId to : network.terminals_at(r)) EXPECT_EQ(routing.service_levels.get(from, to), 0);
    }
  }
}

TEST(Covers, TooFewLanesAreSaid) {
  Progress quiet;
  const Network network = make_network("torus:6x6,p=1");
  EXPECT_THROW(covered_routing(network, "unknot", 1, 1, 1, quiet), RoutingFailure);
}

/// Options of the search that dealing does not take: refused, or the search is made.
TEST(Covers, OtherParametersAreNotLost) {
  Progress quiet;
  const Network network = make_network("torus:4x4");
  const auto refusal_of = [&](const char* engine, const char* parameters) -> std::string {
    try {
      EngineRequest request;
      (void)run_engine(network, find_engine(engine), parameters, request, quiet);
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(refusal_of("unknot", "paths=dealt"), "");
  EXPECT_EQ(refusal_of("unknot", "paths=dealt,passes=4"), "");  // as it is without
  EXPECT_EQ(refusal_of("unknot", "paths=dealt,passes=5"), "unknot:paths=dealt makes no use of passes");
  EXPECT_EQ(refusal_of("dfsssp", "paths=dealt,empty=0"), "dfsssp:paths=dealt makes no use of empty");
  EXPECT_EQ(refusal_of("dfsssp", "best,paths=dealt"), "dfsssp:paths=dealt makes no use of rule");
}

std::uint64_t busiest(const Network& network, const Routing& routing) {
  return load_statistics(channel_load(network, routing)).max;
}

/// The search knows no lanes here, and detours would load a channel with 328 pairs.
TEST(Covers, DealingComesBeforeDetours) {
  Progress quiet;
  EngineRequest request;
  request.virtual_lanes = 4;
  const Network network = make_network("jellyfish:routers=500,degree=12,p=1");
  const Routing routing = run_engine(network, find_engine("unknot"), "paths=searched", request, quiet);
  EXPECT_EQ(routing.engine, "unknot");
  EXPECT_EQ(routing.report.note, "");
  const Verdict verdict = verify(network, routing, {}, quiet);
  EXPECT_TRUE(verdict.deadlock_free);
  EXPECT_TRUE(verdict.minimal());
  EXPECT_LE(routing.virtual_lanes, 4U);
  EXPECT_LT(busiest(network, routing), 160U);
}

/// Where nothing fits the lanes there still are detours, and the result says so.
TEST(Covers, DetoursAreTheLastResort) {
  Progress quiet;
  EngineRequest request;
  request.virtual_lanes = 1;
  const Network network = make_network("jellyfish:routers=60,degree=5,p=1");
  const Routing routing = run_engine(network, find_engine("unknot"), "", request, quiet);
  EXPECT_NE(routing.report.note, "");
  EXPECT_TRUE(verify(network, routing, {}, quiet).deadlock_free);
}

/// More than 2,000 routers are not searched for; the grid has its own order.
TEST(Covers, ManyRoutersAreDealtFirst) {
  Progress quiet;
  const Network network = make_network("hypercube:11");
  const Routing routing = run_engine(network, find_engine("unknot"), "", {}, quiet);
  EXPECT_EQ(routing.engine, "unknot");
  EXPECT_EQ(routing.virtual_lanes, 1U);
  EXPECT_EQ(busiest(network, routing), 1024U);  // of the mean: all alike
}

/// Of more than 100 million entries, but a tree's, and where ports have one address.
TEST(Covers, LargeTablesAreDealtBySize) {
  EXPECT_FALSE(dealt_by_size(make_network("hypercube:8,p=8")));
  EXPECT_TRUE(dealt_by_size(make_network("hyperx:16x16,p=1600")));
  EXPECT_FALSE(dealt_by_size(make_network("xgft:m=40x40,w=20x20,terminals=65536")));
}

/// `auto` asks for nothing: what a small network gets is what it gets by name, and what goes without dealing
/// is not refused.
TEST(Covers, SmallTablesAreMadeAsBefore) {
  Progress quiet;
  const Network network = make_network("jellyfish:routers=30,degree=4,terminals=60");
  for (const char* engine : {"minhop", "updn", "dfsssp"}) {
    const Routing usual = run_engine(network, find_engine(engine), "", {}, quiet);
    const Routing named = run_engine(network, find_engine(engine), "paths=balanced", {}, quiet);
    EXPECT_EQ(usual.table(), named.table()) << engine;
    EXPECT_EQ(usual.service_levels, named.service_levels) << engine;
  }
  EXPECT_NO_THROW((void)run_engine(network, find_engine("dfsssp"), "passes=2", {}, quiet));
}

}  // namespace
}  // namespace unknot
