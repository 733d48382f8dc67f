// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/orders/ring_cuts.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "unknot/engines/catalogue.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

using Place = std::vector<std::uint32_t>;

/// Walks from one router to another in dimension order, as the class says; the lanes that cut nothing.
std::uint32_t lanes_left(const Coordinates& grid, const RingCuts& cuts, std::uint32_t lanes, Place at,
                         const Place& to) {
  std::uint32_t left = (1U << lanes) - 1;
  for (std::uint32_t d = 0; d < grid.dimensions; ++d) {
    const std::uint32_t extent = grid.extent[d];
    std::uint32_t sum = 0;
    for (std::uint32_t other = 0; other < grid.dimensions; ++other) sum += at[other];
    const std::uint32_t up = (to[d] + extent - at[d]) % extent;
    const bool upwards = 2 * up == extent ? sum % 2 == 0 : 2 * up < extent;
    bool first = true;
    for (; at[d] != to[d]; at[d] = (at[d] + (upwards ? 1 : extent - 1)) % extent) {
      for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        if (!first && cuts.cut(lane, d, upwards, at.data()) == at[d]) left &= ~(1U << lane);
      }
      first = false;
    }
  }
  return left;
}

std::uint64_t pairs_left(const Coordinates& grid, const RingCuts& cuts, std::uint32_t lanes) {
  std::vector<Place> places(1, Place(grid.dimensions, 0));
  for (std::uint32_t d = 0; d < grid.dimensions; ++d) {
    const std::vector<Place> before = std::exchange(places, {});
    for (const Place& place : before) {
      for (std::uint32_t x = 0; x < grid.extent[d]; ++x) {
        places.push_back(place);
        places.back()[d] = x;
      }
    }
  }
  std::uint64_t pairs = 0;
  for (const Place& from : places) {
    for (const Place& to : places) pairs += lanes_left(grid, cuts, lanes, from, to) == 0 ? 1 : 0;
  }
  return pairs;
}

Coordinates torus(std::vector<std::uint32_t> extent) {
  Coordinates grid;
  grid.dimensions = static_cast<std::uint32_t>(extent.size());
  grid.extent = std::move(extent);
  grid.wraps = true;
  return grid;
}

TEST(RingCuts, LeaveNoPairOutWhereTheySaySo) {
  const std::vector<std::pair<std::vector<std::uint32_t>, std::uint32_t>> known{
      {{5, 5}, 2}, {{8, 8}, 2}, {{5, 5, 5}, 2}, {{6, 6, 6}, 3}, {{8, 8, 8}, 3}};
  for (const auto& [extent, lanes] : known) {
    const Coordinates grid = torus(extent);
    ASSERT_TRUE(RingCuts::are_searched(grid, lanes));
    for (const std::uint64_t variant : {0U, 1U}) {
      RingCuts cuts(grid, lanes, variant);
      EXPECT_EQ(cuts.search(30'000'000), 0U) << extent.size() << " of " << extent[0];
      EXPECT_EQ(pairs_left(grid, cuts, lanes), 0U);
    }
  }
}

TEST(RingCuts, OnASquareOfEvenSideNeedNoSearch) {
  for (const std::uint32_t side : {6U, 8U, 12U, 30U}) {
    const Coordinates grid = torus({side, side});
    RingCuts cuts(grid, 2, 0);
    EXPECT_EQ(cuts.search(0), 0U) << side;
    EXPECT_EQ(pairs_left(grid, cuts, 2), 0U);
  }
}

TEST(RingCuts, CountThePairsThatAreLeft) {
  const Coordinates grid = torus({7, 6, 8});
  for (const std::uint64_t looks : {0U, 5'000U, 100'000U}) {
    RingCuts cuts(grid, 2, 1);
    const std::uint64_t left = cuts.search(looks);
    EXPECT_GT(left, 0U);
    EXPECT_EQ(left, pairs_left(grid, cuts, 2));
  }
}

TEST(RingCuts, AreSearchedWhereLanesAreFew) {
  EXPECT_FALSE(RingCuts::are_searched(torus({8, 8}), 1));
  EXPECT_FALSE(RingCuts::are_searched(torus({8, 8}), 3));
  EXPECT_TRUE(RingCuts::are_searched(torus({8, 8, 8}), 3));
  EXPECT_FALSE(RingCuts::are_searched(torus({64, 64}), 2));
  Coordinates mesh = torus({8, 8});
  mesh.wraps = false;
  EXPECT_FALSE(RingCuts::are_searched(mesh, 2));
}

TEST(RingCuts, PutTheTorusOnThreeLanes) {
  const Network network = make_network("torus:8x8x8");
  EngineRequest request;
  request.virtual_lanes = 3;
  Progress quiet;
  const Routing routing = route(network, "unknot:passes=0,polish=0", request, quiet);
  EXPECT_TRUE(routing.report.note.empty());
  EXPECT_EQ(routing.virtual_lanes, 3U);
  const Verdict verdict = verify(network, routing, {}, quiet);
  EXPECT_TRUE(verdict.minimal());
  EXPECT_TRUE(verdict.deadlock_free);
}

}  // namespace
}  // namespace unknot
