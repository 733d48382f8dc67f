// SPDX-License-Identifier: Apache-2.0
// Lanes that shortest paths need: minima that are known, and every answer checked by who did not give it.
#include "unknot/lanes/minimum_lanes.hpp"
#include "lanes/acyclic_cover.hpp"

#include <gtest/gtest.h>

#include "unknot/engines/catalogue.hpp"
#include "unknot/lanes/exact_layers.hpp"
#include "unknot/lanes/forced_cycle.hpp"
#include "unknot/network/bfs.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

constexpr double kSeconds = 120;

/// The minimum, its routing accepted by the independent checker.
std::uint32_t minimum(const char* spec) {
  const Network network = make_network(spec);
  Progress quiet;
  const LaneBounds bounds = minimum_lanes(network, 1, 4, kSeconds, quiet);
  EXPECT_TRUE(bounds.proven()) << spec;
  if (!bounds.routing) return 0;
  const Verdict verdict = verify(network, *bounds.routing, {}, quiet);
  EXPECT_TRUE(verdict.minimal() && verdict.deadlock_free) << spec;
  EXPECT_LT(bounds.routing->service_levels.highest(), bounds.lower) << spec;
  return bounds.lower;
}

SatAnswer one_lane(const Network& network) {
  return shortest_paths_fit(network, 1, {.seconds = kSeconds}, Progress(), nullptr);
}

TEST(MinimumLanes, RingsNeedTwoFromFiveOn) {
  EXPECT_EQ(minimum("ring:3"), 1U);
  EXPECT_EQ(minimum("ring:4"), 1U);
  EXPECT_EQ(minimum("ring:5"), 2U);
  EXPECT_EQ(minimum("ring:6"), 2U);
  EXPECT_EQ(minimum("ring:8,p=2"), 2U);
  EXPECT_EQ(minimum("uniring:3"), 2U);
}

TEST(MinimumLanes, ToriNeedOneUpToFour) {
  EXPECT_EQ(minimum("torus:3x3"), 1U);
  EXPECT_EQ(minimum("torus:4x4"), 1U);
  EXPECT_EQ(minimum("torus:4x4x4"), 1U);
  EXPECT_EQ(minimum("torus:5x3"), 2U);
  EXPECT_EQ(minimum("hypercube:4"), 1U);
  EXPECT_EQ(minimum("xgft:m=4x4,w=2x2"), 1U);
  EXPECT_EQ(minimum("kautz:b=2,n=3"), 1U);
}

TEST(MinimumLanes, TwoOnSlimFlyDragonflyAndKautz) {
  for (const char* spec : {"slimfly:q=5", "dragonfly:a=4,h=2,p=2", "kautz:b=3,n=3"}) {
    EXPECT_EQ(one_lane(make_network(spec)), SatAnswer::unsatisfiable) << spec;
    EXPECT_EQ(minimum(spec), 2U) << spec;
  }
}

/// Whether the only shortest path between two routers has the two channels in a row: counted plainly.
bool only_way_has(const Network& network, const ForcedDependency& dependency, ChannelId next) {
  BreadthFirstSearch search(network);
  const auto to = search.to(dependency.destination);
  const std::vector<std::uint32_t> hops(to.begin(), to.end());
  RouterId at = dependency.source;
  ChannelId before;
  bool seen = false;
  while (at != dependency.destination) {
    ChannelId only;
    for (const ChannelId c : network.out(at)) {
      if (hops[network.target(c).value] + 1 != hops[at.value]) continue;
      if (only.valid()) return false;
      only = c;
    }
    seen |= before == dependency.channel && only == next;
    before = only;
    at = network.target(only);
  }
  return seen && !network.terminals_at(dependency.source).empty() &&
         !network.terminals_at(dependency.destination).empty();
}

TEST(ForcedCycle, RefutesOneLaneStepByStep) {
  for (const char* spec : {"ring:5", "slimfly:q=5", "dragonfly:a=4,h=2,p=2", "dragonfly:a=8,h=4,p=4",
                           "kautz:b=3,n=3", "kautz:b=4,n=3", "kautz:b=6,n=3", "torus:5x5", "torus:8x8x8",
                           "random:switches=64,links=128,terminals=1024,seed=1", "uniring:3"}) {
    const Network network = make_network(spec);
    const std::vector<ForcedDependency> cycle = forced_cycle(network);
    ASSERT_GE(cycle.size(), 3U) << spec;
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      const ChannelId next = cycle[(i + 1) % cycle.size()].channel;
      EXPECT_EQ(network.target(cycle[i].channel), network.source(next)) << spec;
      EXPECT_TRUE(only_way_has(network, cycle[i], next)) << spec << " step " << i;
    }
  }
}

TEST(ForcedCycle, NeverContradictsAnAnswer) {
  int both[2] = {};
  for (int seed = 1; seed <= 30; ++seed) {
    const Network network = make_network("random:switches=16,links=" + std::to_string(18 + seed % 10) +
                                         ",terminals=14,seed=" + std::to_string(seed));
    const bool forced = !forced_cycle(network).empty();
    const SatAnswer answer = one_lane(network);
    ASSERT_NE(answer, SatAnswer::unknown);
    EXPECT_TRUE(!forced || answer == SatAnswer::unsatisfiable) << seed;
    ++both[answer == SatAnswer::satisfiable ? 1 : 0];
  }
  EXPECT_GT(both[0], 2);
  EXPECT_GT(both[1], 2);
}

TEST(ForcedCycle, IsEmptyWhereOneLaneIsEnough) {
  for (const char* spec : {"ring:4", "torus:4x4x4", "deimos", "xgft:m=4x4,w=2x2", "mesh:5x4"}) {
    EXPECT_TRUE(forced_cycle(make_network(spec)).empty()) << spec;
  }
}

TEST(MinimumLanes, AgreesWithLayersWhereEveryPathIsForced) {
  // An odd ring has one shortest path for each pair: choosing tables and dividing paths are the same
  // question.
  for (const char* spec : {"ring:3", "ring:5", "ring:7", "uniring:4", "uniring:5"}) {
    const Network network = make_network(spec);
    Progress quiet;
    const PathSet paths = PathSet::of_table(network, route(network, "minhop", {}, quiet).table());
    const PathArcs arcs(paths);
    const LayerBounds layers = minimum_layers(paths, arcs, kSeconds, {}, quiet);
    EXPECT_TRUE(layers.proven()) << spec;
    EXPECT_TRUE(is_acyclic_cover(paths, layers.best)) << spec;
    EXPECT_EQ(layers.best.count, minimum(spec)) << spec;
  }
}

TEST(MinimumLanes, SaysWhenTheTimeWasNotEnough) {
  const Network network = make_network("random:switches=64,links=128,terminals=64,seed=1");
  const LaneBounds bounds = minimum_lanes(network, 1, 4, 1e-6, Progress());
  EXPECT_FALSE(bounds.proven());
  EXPECT_FALSE(bounds.routing.has_value());
  EXPECT_EQ(bounds.lower, 1U);
}

}  // namespace
}  // namespace unknot
