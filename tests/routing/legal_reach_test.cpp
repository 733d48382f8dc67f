// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/dealing/legal_reach.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "unknot/network/builder.hpp"
#include "unknot/network/live/live_network.hpp"
#include "unknot/routing/up_down/level_order.hpp"
#include "unknot/routing/up_down/up_down_order.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

using Word = LegalReach::Word;

UpDownOrder shuffled_order(const Network& network, std::mt19937& random) {
  UpDownOrder order;
  order.top_down.resize(network.router_count());
  std::iota(order.top_down.begin(), order.top_down.end(), 0U);
  std::shuffle(order.top_down.begin(), order.top_down.end(), random);
  order.place.resize(network.router_count());
  for (std::uint32_t i = 0; i < order.top_down.size(); ++i) order.place[order.top_down[i]] = i;
  return order;
}

/// One to three cables or routers, of which some die and some come back.
LiveChange any_change(const LiveNetwork& network, std::mt19937& random) {
  const Network& whole = network.network();
  LiveChange change;
  const auto count = 1 + random() % 3;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (random() % 5 == 0) {
      const RouterId r(static_cast<std::uint32_t>(random() % whole.router_count()));
      (network.alive(r) ? change.dead_routers : change.back_routers).push_back(r);
    } else {
      const ChannelId c(static_cast<std::uint32_t>(random() % whole.channel_count()));
      const std::vector<ChannelId> cable{c, whole.reverse(c)};
      auto& list = network.alive(c) ? change.dead_channels : change.back_channels;
      list.insert(list.end(), cable.begin(), cable.end());
    }
  }
  return change;
}

/// By router and word: by hops, without the last empty ones.
std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Word>> rows(const LegalReach& reach,
                                                                          const LiveNetwork& network) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Word>> rows;
  for (const RouterId r : network.routers()) {
    for (std::uint32_t w = 0; w < reach.words(); ++w) {
      std::vector<Word>& row = rows[{r.value, w}];
      for (std::uint32_t hops = 0; hops < reach.levels(); ++hops) row.push_back(reach.at(hops, r)[w]);
      while (!row.empty() && row.back() == 0) row.pop_back();
    }
  }
  return rows;
}

/// Cables join neighbouring heights alone; terminals are anywhere.
Network levelled(std::uint32_t routers, std::mt19937& random, std::vector<std::uint32_t>& height) {
  NetworkBuilder builder;
  builder.add_routers(routers);
  height.clear();
  for (std::uint32_t r = 0; r < routers; ++r) height.push_back(static_cast<std::uint32_t>(random() % 4));
  const auto any = [&] { return static_cast<std::uint32_t>(random() % routers); };
  for (std::uint32_t i = 0; i < 6 * routers; ++i) {
    const std::uint32_t a = any();
    const std::uint32_t b = any();
    if (height[a] == height[b] + 1) builder.add_cable(RouterId(a), RouterId(b));
    if (random() % 4 == 0) builder.add_terminal(RouterId(a));
  }
  return std::move(builder).build();
}

/// After any events: what the reach says is what one that is made anew does, and all that is other is told.
void follow_events(const Network& whole, const UpDownOrder& order, bool levels, std::mt19937& random,
                   std::uint32_t& followed, std::uint32_t& missed) {
  LiveNetwork network(whole);
  LegalReach reach(network, order, LegalReach::Rule::down_first, 1);
  for (int step = 0; step < 60; ++step) {
    const auto before = rows(reach, network);
    const LiveEvent event = network.apply(any_change(network, random));
    std::vector<RouterId> touched = event.routers;
    for (const ChannelId c : event.channels) touched.push_back(network.source(c));
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    const auto lives = [&](auto part) { return network.alive(part); };
    const bool loses_only = levels && std::none_of(event.channels.begin(), event.channels.end(), lives) &&
                            std::none_of(event.routers.begin(), event.routers.end(), lives);
    const LegalReach anew(network, order, LegalReach::Rule::down_first, 1);
    std::vector<LegalReach::Change> changes;
    if (!reach.update(network, order, touched, loses_only, changes)) {
      ASSERT_GT(anew.levels(), reach.levels()) << step;
      reach = anew;
      continue;
    }
    ++followed;
    missed += anew.missing_pairs() > 0 ? 1 : 0;
    const auto after = rows(reach, network);
    for (const auto& [place, row] : rows(anew, network))
      ASSERT_EQ(after.at(place), row) << step << ": router " << place.first << ", word " << place.second;
    ASSERT_EQ(reach.missing_pairs(), anew.missing_pairs()) << step;
    std::vector<Word> set(reach.words());
    std::vector<Word> expected(reach.words());
    for (const ChannelId c : whole.channels()) {
      if (!network.alive(c)) continue;
      reach.candidates(whole, c, set.data());
      anew.candidates(whole, c, expected.data());
      ASSERT_EQ(set, expected) << step;
    }
    for (const auto& row : after) {
      if (row.second == before.at(row.first)) continue;
      ASSERT_TRUE(std::any_of(changes.begin(), changes.end(), [&](const LegalReach::Change& change) {
        return change.router.value == row.first.first && change.word == row.first.second;
      })) << step;
    }
  }
}

TEST(LegalReach, FollowsEventsAsIfMadeAnewByAnyOrder) {
  std::uint32_t followed = 0;
  std::uint32_t missed = 0;
  for (const char* spec :
       {"random:switches=12,links=20,terminals=9,seed=1", "jellyfish:routers=90,degree=5,p=1",
        "xgft:m=4x4,w=2x3", "torus:5x4,p=2", "random:switches=30,links=33,terminals=40,seed=2"}) {
    const Network whole = make_network(spec);
    for (std::uint32_t seed = 1; seed <= 4; ++seed) {
      SCOPED_TRACE(spec);
      std::mt19937 random(seed);
      const UpDownOrder order = shuffled_order(whole, random);
      follow_events(whole, order, false, random, followed, missed);
    }
  }
  EXPECT_GT(followed, 800U);
  EXPECT_GT(missed, 200U);
}

TEST(LegalReach, FollowsEventsAsIfMadeAnewByLevels) {
  std::uint32_t followed = 0;
  std::uint32_t missed = 0;
  for (std::uint32_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    std::vector<std::uint32_t> height;
    const Network whole = levelled(5 + seed * 4, random, height);
    follow_events(whole, order_by_height(height), true, random, followed, missed);
  }
  EXPECT_GT(followed, 1000U);
  EXPECT_GT(missed, 300U);
}

}  // namespace
}  // namespace unknot
