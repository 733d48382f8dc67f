// SPDX-License-Identifier: Apache-2.0
// The random families over many seeds and at the edges of what can be built.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "effort.hpp"
#include "unknot/network/connectivity.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/topology/graphs/pair_set.hpp"

namespace unknot {
namespace {

bool simple(const Network& net) {
  std::set<std::pair<RouterId, RouterId>> seen;
  return std::all_of(net.channels().begin(), net.channels().end(),
                     [&](ChannelId c) { return seen.emplace(net.source(c), net.target(c)).second; });
}

TEST(RandomNetwork, IsConnectedSimpleAndWithinItsPorts) {
  for (int genmode = 0; genmode < 4; ++genmode) {
    for (int seed = 1; seed <= 20; ++seed) {
      const std::string spec =
          fmt::format("random:switches=32,links=60,terminals=100,ports=9,genmode={},seed={}", genmode, seed);
      const Network net = make_network(spec);
      EXPECT_EQ(net.channel_count(), 120U) << spec;
      EXPECT_EQ(strongly_connected_parts(net).count, 1U) << spec;
      EXPECT_TRUE(simple(net)) << spec;
      for (const RouterId r : net.routers()) {
        EXPECT_LE(net.out(r).size() + net.terminals_at(r).size(), 9U) << spec;
      }
    }
  }
}

TEST(RandomNetwork, FillsEveryPortWhenAskedTo) {
  for (int genmode = 0; genmode < 4; ++genmode) {
    // 16 terminals and 16 links on each of 128 switches, as many as fit.
    const Network full = make_network(
        fmt::format("random:switches=128,links=1024,terminals=2048,ports=32,genmode={}", genmode));
    for (const RouterId r : full.routers()) EXPECT_EQ(full.out(r).size(), 16U);
    EXPECT_TRUE(simple(full));
    EXPECT_EQ(strongly_connected_parts(full).count, 1U);
    const Network complete = make_network(fmt::format("random:switches=12,links=66,genmode={}", genmode));
    for (const RouterId r : complete.routers()) EXPECT_EQ(complete.out(r).size(), 11U);
    EXPECT_TRUE(simple(complete));
  }
}

TEST(RandomNetwork, ATreeIsATree) {
  for (const int genmode : {0, 2}) {
    const Network net =
        make_network(fmt::format("random:switches=200,links=199,ports=3,genmode={}", genmode));
    EXPECT_EQ(strongly_connected_parts(net).count, 1U);
    for (const RouterId r : net.routers()) EXPECT_LE(net.out(r).size(), 2U);
  }
}

TEST(RandomNetwork, GivesUpOnAHopelessDraw) {
  // A random graph this sparse is connected about once in 10^30 draws; the smaller one hardly ever.
  EXPECT_THROW((void)make_network(fewer_cases() ? "random:switches=100,links=102,genmode=1"
                                                : "random:switches=200,links=210,genmode=1"),
               InputError);
}

TEST(RandomNetwork, HasParallelLinksOnlyOnRequest) {
  EXPECT_FALSE(simple(make_network("random:switches=8,links=60,parallel=1")));
  EXPECT_THROW((void)make_network("random:switches=8,links=60"), InputError);
  EXPECT_EQ(make_network("random:switches=2,links=7,parallel=1").channel_count(), 14U);
}

TEST(RandomNetwork, SeedsGiveDifferentNetworks) {
  std::set<std::uint64_t> seen;
  for (int seed = 0; seed < 50; ++seed) {
    seen.insert(make_network(fmt::format("random:switches=16,links=24,seed={}", seed)).fingerprint());
    seen.insert(make_network(fmt::format("jellyfish:routers=16,degree=3,seed={}", seed)).fingerprint());
  }
  EXPECT_EQ(seen.size(), 100U);
}

TEST(RandomNetwork, UniformModeReachesEveryConnectedGraphAlike) {
  // 4 routers, 3 links: 16 labelled trees out of 20 graphs, each as likely as the others.
  std::map<std::uint64_t, int> count;
  const int draws = 3200;
  for (int seed = 0; seed < draws; ++seed) {
    ++count[make_network(fmt::format("random:switches=4,links=3,genmode=1,seed={}", seed)).fingerprint()];
  }
  EXPECT_EQ(count.size(), 16U);
  for (const auto& [print, n] : count) {
    EXPECT_GT(n, 140);  // expected 200, standard deviation 14
    EXPECT_LT(n, 260);
  }
}

TEST(Jellyfish, IsRegularSimpleAndConnected) {
  for (const auto& [routers, degree] :
       {std::pair{20, 3}, {21, 4}, {64, 6}, {10, 9}, {10, 8}, {50, 2}, {300, 2}, {2, 1}}) {
    for (int seed = 1; seed <= 10; ++seed) {
      const Network net =
          make_network(fmt::format("jellyfish:routers={},degree={},seed={}", routers, degree, seed));
      for (const RouterId r : net.routers()) EXPECT_EQ(net.out(r).size(), static_cast<std::uint32_t>(degree));
      EXPECT_TRUE(simple(net));
      EXPECT_EQ(strongly_connected_parts(net).count, 1U);
    }
  }
}

TEST(Jellyfish, AnOddSumLeavesOnePortFree) {
  for (int seed = 1; seed <= 20; ++seed) {
    const Network net = make_network(fmt::format("jellyfish:routers=9,degree=5,seed={}", seed));
    EXPECT_EQ(net.channel_count(), 44U);
    std::multiset<std::uint32_t> degrees;
    for (const RouterId r : net.routers()) degrees.insert(net.out(r).size());
    EXPECT_EQ(*degrees.begin(), 4U);
    EXPECT_EQ(degrees.count(5), 8U);
  }
}

TEST(PairSet, AgreesWithAPlainSet) {
  Random random(7);
  PairSet pairs(300);
  std::set<std::pair<std::uint32_t, std::uint32_t>> model;
  for (int step = 0; step < 20000; ++step) {
    std::uint32_t a = random.below(30);
    std::uint32_t b = random.below(30);
    if (a == b) continue;
    const std::pair key(std::min(a, b), std::max(a, b));
    ASSERT_EQ(pairs.contains(a, b), model.count(key) == 1);
    if (model.count(key) == 1) {
      pairs.erase(a, b);
      model.erase(key);
    } else if (model.size() < 300) {
      pairs.insert(b, a);
      model.insert(key);
    }
  }
}

}  // namespace
}  // namespace unknot
