// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/orders/cover_dag.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "routing/lane_cover.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/network/distances_to.hpp"

namespace unknot {
namespace {

std::vector<Network> networks() {
  std::vector<Network> all = test::small_networks();
  for (const char* spec : {"deimos", "slimfly:q=5", "xgft:m=4x4,w=2x2", "ring:2", "mesh:1,p=4"})
    all.push_back(make_network(spec));
  return all;
}

TEST(CoverDag, IsThePathDagOfEachDestination) {
  int without_terminals = 0;
  for (const Network& network : networks()) {
    SCOPED_TRACE(network.description());
    PathDags paths(network);
    const std::vector<CoverDag> covers = cover_dags(network, paths, nullptr);
    const LaneOrders orders(network, 1);
    std::size_t at = 0;
    for (const RouterId root : network.routers()) {
      if (network.terminals_at(root).empty()) {
        ++without_terminals;
        continue;
      }
      ASSERT_LT(at, covers.size());
      const CoverDag& cover = covers[at++];
      const PathDag& dag = paths.towards(root);
      ASSERT_EQ(cover.root, root.value);
      ASSERT_EQ(cover.order, dag.order);
      ASSERT_EQ(cover.first, dag.first);
      ASSERT_EQ(cover.to.size(), dag.first.back());
      ASSERT_EQ(cover.turn.size(), dag.first.back());
      ASSERT_EQ(cover.entry.size(), dag.first.back());
      for (std::uint32_t i = 0; i < cover.positions(); ++i) {
        for (std::uint32_t c = cover.first[i]; c < cover.first[i + 1]; ++c) {
          EXPECT_EQ(network.out(RouterId(cover.order[i]))[cover.entry[c]].value, dag.channel[c]);
          EXPECT_EQ(cover.to[c], dag.to[c]);
          EXPECT_EQ(cover.turn[c], orders.first_turn(dag.channel[c]));
        }
      }
    }
    EXPECT_EQ(at, covers.size());
  }
  EXPECT_GT(without_terminals, 10);
}

TEST(CoverDag, LevelsAreDistances) {
  for (const Network& network : networks()) {
    SCOPED_TRACE(network.description());
    PathDags paths(network);
    std::vector<std::uint16_t> level;
    const std::vector<CoverDag> covers = cover_dags(network, paths, &level);
    const std::uint32_t routers = network.router_count();
    ASSERT_EQ(level.size(), covers.size() * routers);
    const InNeighbours neighbours(network);
    DistancesTo distances(neighbours);
    for (std::size_t j = 0; j < covers.size(); ++j) {
      const CoverDag& cover = covers[j];
      distances.run(RouterId(cover.root));
      for (std::uint32_t r = 0; r < routers; ++r)
        ASSERT_EQ(level[j * routers + r], distances.distance()[r]) << r << " to " << cover.root;
      // Every position lies in the range of its distance, and the ranges are all there is.
      std::uint32_t counted = 0;
      for (std::uint32_t d = 0; d <= cover.depth(); ++d) {
        EXPECT_EQ(cover.level[d]<cover.level[d + 1], d> 0);
        for (std::uint32_t i = cover.level[d]; i < cover.level[d + 1]; ++i, ++counted)
          EXPECT_EQ(distances.distance()[cover.order[i]], d);
      }
      EXPECT_EQ(counted, cover.positions());
      EXPECT_EQ(cover.level.back(), cover.positions());
      EXPECT_EQ(cover.level.front(), 0U);
    }
  }
}

TEST(CoverDag, ParallelCablesAreSeparateCandidates) {
  const test::CoverCase ring(test::doubled_ring(6));
  ASSERT_EQ(ring.dags.size(), 4U);  // two routers have no terminals
  for (const CoverDag& cover : ring.dags) {
    EXPECT_EQ(cover.positions(), 5U);
    EXPECT_EQ(cover.depth(), 3U);
    for (std::uint32_t i = 0; i < 5; ++i)
      EXPECT_EQ(cover.first[i + 1] - cover.first[i], i < 4 ? 2U : 4U);  // the opposite router has both ways
  }
}

TEST(CoverDag, RoutersWithoutAPathAreMarked) {
  NetworkBuilder builder;
  builder.add_routers(4);
  builder.add_cable(RouterId(0), RouterId(1));
  builder.add_channel(RouterId(2), RouterId(1));  // reaches, is not reached
  for (std::uint32_t r = 0; r < 4; ++r) builder.add_terminal(RouterId(r));
  const test::CoverCase parts(std::move(builder).build());
  const std::vector<std::uint16_t> expected{0,      1,      2, 0xFFFF, 1,      0,      1,      0xFFFF,
                                            0xFFFF, 0xFFFF, 0, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0};
  EXPECT_EQ(parts.level, expected);
  ASSERT_EQ(parts.dags.size(), 4U);
  EXPECT_EQ(parts.dags[0].positions(), 2U);
  EXPECT_EQ(parts.dags[2].positions(), 0U);
  EXPECT_EQ(parts.dags[2].depth(), 0U);
}

}  // namespace
}  // namespace unknot
