// SPDX-License-Identifier: Apache-2.0
#include "unknot/network/connectivity.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "network/small_networks.hpp"
#include "unknot/network/bfs.hpp"
#include "unknot/support/random.hpp"

namespace unknot {
namespace {

using testing_networks::cables;
using testing_networks::channels;
using Parts = std::vector<std::uint32_t>;

TEST(Connectivity, PartsAreNumberedByTheirSmallestRouter) {
  const Network net = cables(6, {{0, 4}, {1, 3}, {3, 5}});
  const RouterParts weak = weakly_connected_parts(net);
  EXPECT_EQ(weak.count, 3U);
  EXPECT_EQ(weak.part, (Parts{0, 1, 2, 1, 0, 1}));
  const RouterParts strong = strongly_connected_parts(net);
  EXPECT_EQ(strong.count, 3U);
  EXPECT_EQ(strong.part, weak.part);
}

TEST(Connectivity, OneWayChannelsJoinOnlyInCycles) {
  const Network net = channels(5, {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}});
  EXPECT_EQ(weakly_connected_parts(net).count, 1U);
  EXPECT_EQ(strongly_connected_parts(net).part, (Parts{0, 0, 0, 1, 2}));
}

TEST(Connectivity, StrongPartsAgreeWithMutualReach) {
  Random random(11);
  for (int round = 0; round < 200; ++round) {
    std::vector<testing_networks::Ends> arcs;
    for (int i = 0; i < 14; ++i) {
      const std::uint32_t a = random.below(9);
      const std::uint32_t b = random.below(9);
      if (a != b) arcs.emplace_back(a, b);
    }
    const Network net = channels(9, arcs);
    const RouterParts parts = strongly_connected_parts(net);
    BreadthFirstSearch there(net);
    BreadthFirstSearch back(net);
    for (const RouterId r : net.routers()) {
      const auto to = there.to(r);
      const auto from = back.from(r);
      for (const RouterId s : net.routers()) {
        const bool mutual =
            to[s.value] != BreadthFirstSearch::kUnreached && from[s.value] != BreadthFirstSearch::kUnreached;
        EXPECT_EQ(parts.part[r.value] == parts.part[s.value], mutual);
      }
    }
  }
}

TEST(Connectivity, LongPathsDoNotOverflowAnyStack) {
  std::vector<testing_networks::Ends> arcs;
  const std::uint32_t n = 300'000;
  for (std::uint32_t r = 0; r < n; ++r) arcs.emplace_back(r, (r + 1) % n);
  EXPECT_EQ(strongly_connected_parts(channels(n, arcs)).count, 1U);
  arcs.pop_back();
  EXPECT_EQ(strongly_connected_parts(channels(n, arcs)).count, n);
}

TEST(Connectivity, TheSentenceNamesTheParts) {
  EXPECT_EQ(describe_disconnection(cables(3, {{0, 1}, {1, 2}})), "");
  EXPECT_EQ(describe_disconnection(cables(6, {{0, 4}, {1, 3}, {3, 5}}, 2)),
            "the fabric is in 3 parts that cannot all reach each other: 3 routers with 6 terminals (S-1, "
            "S-3, S-5); "
            "2 routers with 4 terminals (S-0, S-4); 1 router with 2 terminals (S-2)");
  EXPECT_EQ(
      describe_disconnection(channels(2, {{0, 1}})),
      "the fabric is in 2 parts that one-way channels do not join both ways: 1 router with 1 terminal (S-0); "
      "1 router with 1 terminal (S-1)");
  EXPECT_EQ(
      describe_disconnection(cables(12, {{0, 1}, {1, 2}, {2, 3}, {3, 4}})),
      "the fabric is in 8 parts that cannot all reach each other: 5 routers with 5 terminals (S-0, S-1, S-2, "
      "...); 1 router with 1 terminal (S-5); 1 router with 1 terminal (S-6); 1 router with 1 terminal (S-7); "
      "and 4 more");
}

TEST(Connectivity, RoutersWithoutTerminalsDoNotMatterAlone) {
  NetworkBuilder builder;
  builder.add_routers(4);
  builder.add_cable(RouterId(0), RouterId(1));
  builder.add_cable(RouterId(1), RouterId(2));
  builder.add_terminal(RouterId(0));
  builder.add_terminal(RouterId(2));
  EXPECT_EQ(describe_disconnection(std::move(builder).build()), "");
  EXPECT_NE(describe_disconnection(cables(3, {{0, 1}}, 0)), "");  // no terminals at all: every router counts
}

}  // namespace
}  // namespace unknot
