// SPDX-License-Identifier: Apache-2.0
// The vector kernels against plain restatements of what they compute.
#include <gtest/gtest.h>

#include "unknot/network/builder.hpp"
#include "unknot/routing/layers/row_match.hpp"
#include "unknot/routing/trees/lightest_tree.hpp"
#include "unknot/routing/trees/path_dag.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

TEST(LightestTree, AllFormsAgree) {
  for (const char* spec : {"torus:4x4x3", "kary-ntree:k=9,n=2", "random:switches=40,links=200,seed=3",
                           "kautz:b=3,n=3", "random:switches=12,links=66,seed=1"}) {
    const Network network = make_network(spec);
    PathDags dags(network);
    Random random(7);
    for (const RouterId root : network.routers()) {
      const PathDag& dag = dags.towards(root);
      std::vector<std::uint32_t> weight(network.channel_count() + PathDag::kPadding);
      // Few distinct weights: ties are the rule.
      for (std::uint32_t& w : weight) w = random.below(4) * 1000000U;
      const std::vector<std::uint64_t> wide_weight(weight.begin(), weight.end());
      std::vector<std::uint32_t> distance(network.router_count() + PathDag::kPadding);
      std::vector<std::uint32_t> plain_distance(distance.size());
      std::vector<std::uint64_t> wide_distance(distance.size());
      std::vector<std::uint32_t> pick(network.router_count());
      std::vector<std::uint32_t> plain_pick(pick.size());
      std::vector<std::uint32_t> wide_pick(pick.size());
      lightest_tree(dag, weight.data(), distance.data(), pick.data());
      lightest_tree_portable(dag, weight.data(), plain_distance.data(), plain_pick.data());
      lightest_tree(dag, wide_weight.data(), wide_distance.data(), wide_pick.data());
      EXPECT_EQ(pick, plain_pick) << spec;
      EXPECT_EQ(pick, wide_pick) << spec;
      EXPECT_EQ(distance, plain_distance) << spec;
    }
  }
}

TEST(PathDag, HoldsExactlyTheShortestPaths) {
  for (const char* spec : {"torus:4x3", "kautz:b=2,n=3,oriented=1", "deimos", "uniring:5"}) {
    const Network network = make_network(spec);
    PathDags dags(network);
    for (const RouterId root : network.routers()) {
      const PathDag& dag = dags.towards(root);
      const std::vector<std::uint32_t>& level = dags.level();
      ASSERT_EQ(dag.positions(), network.router_count() - 1);
      std::uint32_t nearer = 0;
      for (const ChannelId c : network.channels()) {
        const std::uint32_t from = level[network.source(c).value];
        const std::uint32_t to = level[network.target(c).value];
        EXPECT_LE(from, to + 1) << "a channel that saves more than one hop";
        nearer += from == to + 1 ? 1 : 0;
      }
      EXPECT_EQ(dag.first.back(), nearer);
      for (std::uint32_t i = 0; i < dag.positions(); ++i) {
        EXPECT_LT(dag.first[i], dag.first[i + 1]) << "a router without a way";
        for (std::uint32_t c = dag.first[i]; c < dag.first[i + 1]; ++c) {
          EXPECT_EQ(network.source(ChannelId(dag.channel[c])).value, dag.order[i]);
          EXPECT_EQ(network.target(ChannelId(dag.channel[c])).value, dag.to[c]);
          EXPECT_EQ(level[dag.to[c]] + 1, level[dag.order[i]]);
        }
      }
    }
  }
}

TEST(RowMatch, FindsWhatAPlainLoopFinds) {
  Random random(11);
  for (std::uint32_t size = 0; size < 200; size += 3) {
    std::vector<std::uint8_t> a(size);
    std::vector<std::uint8_t> b(size);
    for (auto& x : a) x = static_cast<std::uint8_t>(random.below(3));
    for (auto& x : b) x = static_cast<std::uint8_t>(random.below(3));
    const std::vector<std::uint16_t> wide_a(a.begin(), a.end());
    const std::vector<std::uint16_t> wide_b(b.begin(), b.end());
    std::vector<std::uint32_t> expected;
    for (std::uint32_t i = 0; i < size; ++i) {
      if (a[i] == 1 && b[i] == 2) expected.push_back(i);
    }
    std::vector<std::uint32_t> found(size);
    found.resize(match_rows(a.data(), std::uint8_t{1}, b.data(), std::uint8_t{2}, size, found.data()));
    EXPECT_EQ(found, expected);
    found.resize(size);
    found.resize(
        match_rows(wide_a.data(), std::uint16_t{1}, wide_b.data(), std::uint16_t{2}, size, found.data()));
    EXPECT_EQ(found, expected);
  }
}

}  // namespace
}  // namespace unknot
