// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/plan/lane_proof.hpp"

#include <gmock/gmock.h>

#include "unknot/engines/catalogue.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot::simulate {
namespace {

using ::testing::HasSubstr;

LaneProof of_engine(const char* fabric, const char* engine, bool any_lane) {
  const Network network = make_network(fabric);
  EngineRequest request;
  request.virtual_lanes = 8;
  Progress quiet;
  return prove_lanes(network, route(network, engine, request, quiet), any_lane, 1, quiet);
}

LaneProof of_paths(const char* fabric, RoutePlan::Kind kind, const char* scheme) {
  AdaptiveChoice choice;
  choice.kind = kind;
  choice.lane_scheme = scheme;
  Progress quiet;
  return prove_lanes(make_network(fabric), choice, 1, quiet);
}

TEST(LaneProof, TablesOnTheirLanesAndOnAny) {
  EXPECT_TRUE(of_engine("torus:4x4", "dfsssp", false).deadlock_free);
  EXPECT_FALSE(of_engine("torus:4x4", "minhop", false).deadlock_free);
  EXPECT_THAT(of_engine("torus:4x4", "minhop", false).witness, HasSubstr("waiting for"));
  // dfsssp needs its lanes, up-down routing needs none
  EXPECT_FALSE(of_engine("torus:4x4", "dfsssp", true).deadlock_free);
  EXPECT_TRUE(of_engine("torus:4x4", "updn", true).deadlock_free);
}

TEST(LaneProof, PathsOnSchemes) {
  using Kind = RoutePlan::Kind;
  EXPECT_TRUE(of_paths("slimfly:q=3,p=1", Kind::minimal, "hop").deadlock_free);
  EXPECT_FALSE(of_paths("slimfly:q=3,p=1", Kind::minimal, "any").deadlock_free);
  EXPECT_TRUE(of_paths("oft:3", Kind::minimal, "any").deadlock_free);  // up, then down
  EXPECT_TRUE(of_paths("oft:3", Kind::valiant, "phase").deadlock_free);
  EXPECT_FALSE(of_paths("oft:3", Kind::valiant, "any").deadlock_free);
  // UGAL takes both kinds of paths
  EXPECT_TRUE(of_paths("oft:3", Kind::ugal, "phase").deadlock_free);
  EXPECT_FALSE(of_paths("oft:3", Kind::ugal, "single").deadlock_free);
  EXPECT_FALSE(of_paths("oft:3", Kind::ugal, "single").witness.empty());
}

// Bubbles are kept on a lane: they say nothing where packets change lanes.
TEST(LaneProof, BubblesDoNotCoverAnyLane) {
  const LaneProof bubbles = of_engine("torus:4x4", "angara-bfs", false);
  EXPECT_TRUE(bubbles.deadlock_free);
  EXPECT_THAT(bubbles.statement, HasSubstr("bubble"));
  EXPECT_FALSE(of_engine("torus:4x4", "angara-bfs", true).deadlock_free);
}

}  // namespace
}  // namespace unknot::simulate
