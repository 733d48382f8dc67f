// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "unknot/engines/catalogue.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/routing/up_down/down_up_turn.hpp"
#include "unknot/routing/up_down/level_order.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

Verdict verdict_of(const Network& network, const std::string& engine) {
  Progress quiet;
  return verify(network, route(network, engine, {}, quiet), {}, quiet);
}

/// Leaves 0, 1, 2 with terminals; spines 3 and 4 above leaves 0 and 1; leaf 2 hangs below leaf 1.
Network lopsided_tree() {
  NetworkBuilder builder;
  builder.add_routers(5);
  for (const std::uint32_t leaf : {0U, 1U}) {
    builder.add_cable(RouterId(leaf), RouterId(3));
    builder.add_cable(RouterId(leaf), RouterId(4));
  }
  builder.add_cable(RouterId(1), RouterId(2));
  for (std::uint32_t leaf = 0; leaf < 3; ++leaf) {
    builder.add_terminal(RouterId(leaf));
    builder.add_terminal(RouterId(leaf));
  }
  return std::move(builder).build();
}

TEST(Heights, AreHopsAboveTheTerminals) {
  const Network tree = make_network("xgft:m=3x4x2,w=2x2x3");
  const std::vector<std::uint32_t> height = heights_above_terminals(tree);
  for (const RouterId r : tree.routers()) EXPECT_EQ(height[r.value], tree.levels()[r.value]);
  EXPECT_EQ(heights_above_terminals(lopsided_tree()), (std::vector<std::uint32_t>{0, 0, 0, 1, 1}));
}

TEST(Heights, ASpineWithAManagementNodeStaysASpine) {
  NetworkBuilder builder;
  builder.add_routers(6);  // leaves 0 to 3, spines 4 and 5
  for (std::uint32_t leaf = 0; leaf < 4; ++leaf) {
    builder.add_cable(RouterId(leaf), RouterId(4));
    builder.add_cable(RouterId(leaf), RouterId(5));
    for (int i = 0; i < 4; ++i) builder.add_terminal(RouterId(leaf));
  }
  builder.add_terminal(RouterId(4));
  const Network network = std::move(builder).build();
  EXPECT_EQ(heights_above_terminals(network), (std::vector<std::uint32_t>{0, 0, 0, 0, 1, 1}));
}

TEST(LevelOrder, LeavesNoPairOutWhereTheChassisAreAChain) {
  const Network network = make_network("deimos");
  const LevelOrder levels = level_order(network);
  EXPECT_EQ(levels.missing, 0U);
  for (const ChannelId c : network.channels()) {
    const RouterId from = network.source(c);
    const RouterId to = network.target(c);
    if (levels.height[from.value] < levels.height[to.value]) {
      EXPECT_TRUE(levels.order.up(from, to));
    }
  }
}

TEST(Dnup, PathsAreShortestOnTreesAndOnDeimos) {
  for (const char* spec : {"xgft:m=4x4,w=2x2", "kary-ntree:k=4,n=3", "xgft:m=3x4x2,w=2x2x3", "deimos"}) {
    const Network network = make_network(spec);
    const Verdict verdict = verdict_of(network, "dnup");
    EXPECT_TRUE(verdict.minimal() && verdict.deadlock_free) << spec;
  }
  // What OpenSM's dnup has there.
  EXPECT_NEAR(verdict_of(make_network("deimos"), "dnup").mean_hops(), 2.8273, 0.0005);
}

TEST(Dnup, RanksFromTheTerminalsWhereUpdnRanksFromTheRoots) {
  // Every leaf has height 0, however far it is from the spines: no path comes back from a spine and leaves
  // the terminals again.
  const Network network = lopsided_tree();
  Progress quiet;
  const Routing routing = route(network, "dnup", {}, quiet);
  const LevelOrder levels = level_order(network);
  EXPECT_FALSE(find_down_up_turn(network, routing.table(), levels.order.place).has_value());
  EXPECT_TRUE(verify(network, routing, {}, quiet).minimal());
}

TEST(Dnup, RoutesEveryPairOfNetworksThatAreNoTree) {
  for (const char* spec : {"torus:5x5,p=2", "kautz:b=3,n=3", "slimfly:q=5",
                           "random:switches=40,links=90,seed=4", "dragonfly:a=4,h=2", "ring:9"}) {
    const Verdict verdict = verdict_of(make_network(spec), "dnup");
    EXPECT_TRUE(verdict.complete() && verdict.deadlock_free) << spec;
  }
}

/// Leaves with a terminal, and spines between them, in turn: from the first leaf to the last every path comes
/// down and goes up again.
TEST(Dnup, FallsBackOnTheCentreWhereHeightsLeavePairsOut) {
  NetworkBuilder builder;
  builder.add_routers(9);
  for (std::uint32_t r = 0; r + 1 < 9; ++r) builder.add_cable(RouterId(r), RouterId(r + 1));
  for (std::uint32_t r = 0; r < 9; r += 2) builder.add_terminal(RouterId(r));
  const Network network = std::move(builder).build();
  EXPECT_GT(level_order(network).missing, 0U);
  const Verdict verdict = verdict_of(network, "dnup");
  EXPECT_TRUE(verdict.minimal() && verdict.deadlock_free);
}

}  // namespace
}  // namespace unknot
