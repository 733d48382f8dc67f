// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/trees/shorten_trees.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "unknot/support/random.hpp"

namespace unknot {
namespace {

MemberGraph graph_of(std::uint32_t members, const std::vector<MemberGraph::Arc>& arcs) {
  MemberGraph graph;
  for (std::uint32_t m = 0; m < members; ++m) graph.members.emplace_back(m);
  graph.arcs = arcs;
  return graph;
}

/// Depth of each member; empty where that is no tree of all members whose parents come before their children.
std::vector<std::uint32_t> depths(const MemberGraph& graph, const EqualTrees& some) {
  std::map<std::uint32_t, std::uint32_t> depth{{some.root, 0}};
  for (const std::uint32_t arc : some.arcs) {
    const auto tail = depth.find(graph.arcs[arc].tail);
    if (tail == depth.end() || !depth.emplace(graph.arcs[arc].head, tail->second + 1).second) return {};
  }
  std::vector<std::uint32_t> all;
  for (const auto& [member, edges] : depth) all.push_back(edges);
  return depth.size() == graph.members.size() ? all : std::vector<std::uint32_t>();
}

std::uint32_t deepest(const MemberGraph& graph, const std::vector<EqualTrees>& trees) {
  std::uint32_t most = 0;
  for (const EqualTrees& some : trees) {
    const std::vector<std::uint32_t> depth = depths(graph, some);
    EXPECT_FALSE(depth.empty());
    for (const std::uint32_t edges : depth) most = std::max(most, edges);
  }
  return most;
}

/// Everybody hears member 0 at once. Two of its trees go along a chain, others do not need the arcs that the
/// two lack: one there is room on, one is of a tree that can spare it.
TEST(ShortenTrees, TakeArcsThatOthersCanSpare) {
  // 0 -> 1, 1 -> 2, 2 -> 3, 3 -> 4, and from 0 to each of 2, 3, 4.
  const MemberGraph graph = graph_of(5, {{0, 1, 3, {}},
                                         {1, 2, 1, {}},
                                         {2, 3, 2, {}},
                                         {3, 4, 3, {}},
                                         {0, 2, 2, {}},
                                         {0, 3, 1, {}},
                                         {0, 4, 1, {}}});
  // One is a chain; the two others enter 2 at once. 3 is entered from 0 by one of these two.
  std::vector<EqualTrees> trees{{0, 1, {0, 1, 2, 3}}, {0, 1, {0, 4, 2, 3}}, {0, 1, {0, 4, 5, 3}}};
  ASSERT_EQ(deepest(graph, trees), 4U);
  shorten_trees(graph, trees);
  EXPECT_EQ(deepest(graph, trees), 3U);  // 3 and 4 are entered from 0 by one tree each
}

/// Equal trees part where an arc serves only some of them.
TEST(ShortenTrees, AreDividedWhereOnlySomeCanChange) {
  const MemberGraph graph =
      graph_of(4, {{0, 1, 3, {}}, {1, 2, 3, {}}, {2, 3, 3, {}}, {0, 2, 1, {}}, {0, 3, 1, {}}});
  std::vector<EqualTrees> trees{{0, 3, {0, 1, 2}}};
  shorten_trees(graph, trees);
  EXPECT_EQ(trees.size(), 3U);
  std::uint64_t shallow = 0, all = 0;
  for (const EqualTrees& some : trees) {
    const std::vector<std::uint32_t> depth = depths(graph, some);
    all += some.count;
    if (*std::max_element(depth.begin(), depth.end()) <= 2) shallow += some.count;
  }
  EXPECT_EQ(all, 3U);
  EXPECT_EQ(shallow, 2U);  // one enters 2 from 0, one 3
}

/// Whatever the trees, each root keeps as many, and no arc carries more than it can.
TEST(ShortenTrees, StayTreesWithinCapacities) {
  Random random(1);
  int shorter = 0;
  for (int round = 0; round < 2000; ++round) {
    const std::uint32_t members = 3 + random.below(8);
    std::vector<MemberGraph::Arc> arcs;
    for (std::uint32_t a = 0; a < members; ++a) {
      for (std::uint32_t b = 0; b < members; ++b) {
        if (a != b && (b == (a + 1) % members || random.below(3) == 0)) arcs.push_back({a, b, 0, {}});
      }
    }
    MemberGraph graph = graph_of(members, arcs);
    std::vector<EqualTrees> trees;
    std::vector<std::uint64_t> of_root(members, 0);
    for (std::uint32_t t = 0; t < 1 + random.below(12); ++t) {
      EqualTrees some{t * members / 12, 1 + random.below(3), {}};
      std::vector<bool> has(members, false);
      has[some.root] = true;
      while (some.arcs.size() + 1 < members) {  // any arc that enters another
        const std::uint32_t arc = random.below(static_cast<std::uint32_t>(arcs.size()));
        if (!has[arcs[arc].tail] || has[arcs[arc].head]) continue;
        has[arcs[arc].head] = true;
        some.arcs.push_back(arc);
        graph.arcs[arc].capacity += some.count;
      }
      of_root[some.root] += some.count;
      trees.push_back(some);
    }
    for (MemberGraph::Arc& arc : graph.arcs) arc.capacity += random.below(4) == 0 ? 1 : 0;
    const std::uint32_t before = deepest(graph, trees);
    shorten_trees(graph, trees);
    const std::uint32_t after = deepest(graph, trees);
    EXPECT_LE(after, before);
    shorter += after < before ? 1 : 0;
    std::vector<std::uint64_t> carried(graph.arcs.size(), 0);
    for (const EqualTrees& some : trees) {
      of_root[some.root] -= some.count;
      for (const std::uint32_t arc : some.arcs) carried[arc] += some.count;
    }
    EXPECT_EQ(of_root, std::vector<std::uint64_t>(members, 0)) << "round " << round;
    for (std::size_t a = 0; a < carried.size(); ++a) EXPECT_LE(carried[a], graph.arcs[a].capacity);
  }
  EXPECT_GT(shorter, 300);
}

}  // namespace
}  // namespace unknot
