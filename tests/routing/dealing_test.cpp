// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "unknot/engines/catalogue.hpp"
#include "unknot/load/channel_load.hpp"
#include "unknot/network/distances_to.hpp"
#include "unknot/routing/dealing/bit_transpose.hpp"
#include "unknot/routing/dealing/changed_deals.hpp"
#include "unknot/routing/dealing/deal.hpp"
#include "unknot/routing/dealing/row_of_deals.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

TEST(Dealing, SharesAreDealtWhole) {
  std::mt19937 random(1);
  std::vector<std::uint8_t> places(2 * 300 + 2 * Deal::kOverrun);
  std::vector<std::uint8_t> out(300 + Deal::kOverrun);
  for (int trial = 0; trial < 2000; ++trial) {
    const std::uint32_t words = 1 + random() % 3;
    std::vector<std::uint64_t> ports(words);
    std::vector<std::uint32_t> weights(std::size_t{words} * 64);
    std::uint64_t total = 0;
    for (std::uint32_t p = 0; p < 64 * words; ++p) {
      weights[p] = 1 + random() % (Deal::kMostWeight / (64 * words));
      if (random() % 3 != 0 && p != 5) continue;
      ports[p / 64] |= std::uint64_t{1} << p % 64;
      total += weights[p];
    }
    Deal deal;
    deal.count = 1 + random() % 300;
    deal.turn = random() % deal.count;
    deal.shift = Deal::shift_for(deal.count);
    deal.offset = random() >> (32 - deal.shift);
    deal_out(deal, ports, weights.data(), places.data(), out.data());
    std::vector<std::uint32_t> got(weights.size(), 0);
    for (std::uint32_t t = 0; t < deal.count; ++t) ++got[out[t]];
    for (std::uint32_t p = 0; p < weights.size(); ++p) {
      if ((ports[p / 64] >> p % 64 & 1) == 0) {
        ASSERT_EQ(got[p], 0U);
        continue;
      }
      const double share = static_cast<double>(weights[p]) * deal.count / static_cast<double>(total);
      ASSERT_LT(std::abs(got[p] - share), 1.05) << deal.count;
    }
    // Stretches follow each other from the turn on.
    for (std::uint32_t t = 1; t < deal.count; ++t)
      ASSERT_LE(out[(t - 1 + deal.turn) % deal.count], out[(t + deal.turn) % deal.count]);
  }
}

TEST(Dealing, WideDealsAreTheSame) {
  if (!can_deal_wide()) GTEST_SKIP() << "no AVX-512 here";
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 300; ++trial) {
    RowOfDeals deals;
    std::vector<Destination> destinations(40);
    std::vector<std::uint64_t> ports;
    std::uint32_t most = 0;
    for (std::uint32_t i = 0; i < destinations.size(); ++i) {
      Destination& d = destinations[i];
      d.router = i;
      d.first = deals.terminals;
      d.count = 1 + static_cast<std::uint32_t>(random() % (i % 8 == 0 ? 150 : i % 8 == 1 ? 64 : 24));
      d.group = i % 3;
      d.stride = static_cast<std::uint32_t>(random() % d.count);
      d.turn = static_cast<std::uint32_t>(random() % d.count);
      d.shift = Deal::shift_for(d.count);
      d.dither = static_cast<std::uint32_t>(random());
      deals.terminals += d.count;
      most = std::max(most, d.count);
      const std::uint64_t some = random();
      std::uint64_t set = some & random();  // spread over all ports, or near each other, or one, or none
      if (i % 4 == 0) set = (set & 0xFFFFF) << i;
      if (i % 5 == 0) set &= ~set + 1;
      ports.push_back(i % 11 == 0 ? 0 : set);
    }
    std::vector<std::uint32_t> weights(3 * std::size_t{64});
    for (std::uint32_t& w : weights)
      w = 1 + static_cast<std::uint32_t>(random() % (random() % 4 == 0 ? 3 : 1000));
    deals.destinations = destinations;
    deals.router = trial % 40;
    deals.sibling = trial;
    deals.level = trial % 3;
    deals.hash = static_cast<std::uint32_t>(random());
    deals.ports = ports.data();
    deals.weights = weights.data();
    std::vector<std::uint8_t> scratch(deal_scratch(most, 1));
    // The byte behind the row is another's.
    std::vector<std::uint8_t> plain(deals.terminals + std::size_t{1}, 77);
    std::vector<std::uint8_t> wide = plain;
    deal_row(deals, most, scratch.data(), plain.data());
    deal_row_wide(deals, most, scratch.data(), wide.data());
    ASSERT_EQ(plain, wide);
    ASSERT_EQ(plain.back(), 77);
  }
}

TEST(Dealing, WhatDealsAreLeftAloneWouldComeOutTheSame) {
  std::mt19937_64 random(7);
  std::uint64_t same = 0;
  std::uint64_t changed = 0;
  std::vector<std::uint16_t> places(2 * 200 + 2 * Deal::kOverrun);
  std::vector<std::uint16_t> before(200 + Deal::kOverrun);
  std::vector<std::uint16_t> after(200 + Deal::kOverrun);
  for (int trial = 0; trial < 400; ++trial) {
    const auto words = static_cast<std::uint32_t>(1 + random() % 3);
    GroupOfDeals group;
    std::vector<Destination> destinations(1 + random() % 40);
    std::vector<std::uint64_t> ports;
    for (std::uint32_t i = 0; i < destinations.size(); ++i) {
      Destination& d = destinations[i];
      d.count = 1 + static_cast<std::uint32_t>(random() % (i % 5 == 0 ? 200 : 50));
      d.shift = Deal::shift_for(d.count);
      d.dither = static_cast<std::uint32_t>(random());
      group.add(i, d);
      for (std::uint32_t w = 0; w < words; ++w) {
        const std::uint64_t every_other = random();
        ports.push_back(i % 7 == 0 ? 0 : every_other & random());
      }
    }
    std::vector<std::uint32_t> was(64 * std::size_t{words});
    for (std::uint32_t& weight : was)
      weight = 1 + static_cast<std::uint32_t>(random() % (Deal::kMostWeight / (64 * words)));
    std::vector<std::uint32_t> is = was;
    for (std::uint32_t i = 0; i < random() % 4; ++i) is[random() % is.size()] += random() % 3 == 0 ? 100 : 3;
    const auto hash = static_cast<std::uint32_t>(random());
    const WeighedTwice twice{group, hash, words, ports.data(), was.data(), is.data()};
    for (std::uint32_t first = 0; first < destinations.size(); first += kDealsAtOnce) {
      const std::uint32_t bits = changed_deals(twice, first);
      ASSERT_EQ(bits, changed_deals_portable(twice, first));
      for (std::uint32_t i = first; i < std::min<std::size_t>(first + kDealsAtOnce, destinations.size());
           ++i) {
        const Destination& d = destinations[i];
        RowOfDeals row;
        row.hash = hash;
        const Deal deal = row.deal(d);
        const std::span<const std::uint64_t> set{ports.data() + std::size_t{i} * words, words};
        if (std::count(set.begin(), set.end(), 0) == words) {
          ASSERT_EQ(bits >> (i - first) & 1, 0U);
          continue;
        }
        deal_out(deal, set, was.data(), places.data(), before.data());
        deal_out(deal, set, is.data(), places.data(), after.data());
        const bool alike = std::equal(before.begin(), before.begin() + d.count, after.begin());
        if ((bits >> (i - first) & 1) == 0) {
          ASSERT_TRUE(alike) << "trial " << trial << " destination " << i;
          ++same;
        } else {
          changed += alike ? 0 : 1;
        }
      }
      ASSERT_EQ(std::uint64_t{bits} >> std::min<std::size_t>(kDealsAtOnce, destinations.size() - first), 0U);
    }
  }
  EXPECT_GT(same, 1000U);
  EXPECT_GT(changed, 500U);
}

TEST(Dealing, BitsAreTransposed) {
  std::mt19937_64 random(2);
  std::array<std::uint64_t, 64> block;
  for (std::uint64_t& word : block) word = random();
  std::array<std::uint64_t, 64> turned = block;
  transpose(turned);
  for (std::uint32_t i = 0; i < 64; ++i) {
    for (std::uint32_t j = 0; j < 64; ++j) ASSERT_EQ(block[i] >> j & 1, turned[j] >> i & 1);
  }
}

Routing dealt(const Network& network, std::uint32_t threads = 0) {
  Progress quiet;
  EngineRequest request;
  request.threads = threads;
  return route(network, "minhop:paths=dealt", request, quiet);
}

const char* const kSpecs[] = {
    "hyperx:4x4x3,p=5", "dragonfly:a=4,h=2,p=3", "random:switches=40,links=110,terminals=150,seed=2",
    "torus:4x4x2,p=3",  "kary-ntree:k=4,n=3",    "slimfly:q=5"};

TEST(DealtMinhop, SharesEachRoutersTerminalsEvenlyAmongAllNearerChannels) {
  Progress quiet;
  std::uint64_t shared = 0;
  for (const char* spec : kSpecs) {
    const Network network = make_network(spec);
    const Routing routing = dealt(network);
    const Verdict verdict = verify(network, routing, {}, quiet);
    EXPECT_TRUE(verdict.complete() && verdict.minimal()) << spec;
    const InNeighbours neighbours(network);
    DistancesTo distances(neighbours);
    for (const RouterId home : network.routers()) {
      const IdRange<TerminalId> here = network.terminals_at(home);
      if (here.empty()) continue;
      distances.run(home);
      for (const RouterId r : network.routers()) {
        if (r == home) continue;
        std::map<std::uint32_t, std::uint32_t> got;  // by channel
        for (const ChannelId c : network.out(r)) {
          if (distances.distance()[network.target(c).value] + 1 == distances.distance()[r.value])
            got[c.value] = 0;
        }
        for (const TerminalId t : here) {
          const auto found = got.find(routing.table().next(network, r, t).value);
          ASSERT_NE(found, got.end()) << spec;
          ++found->second;
        }
        const auto [least, most] = std::minmax_element(
            got.begin(), got.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
        ASSERT_LE(most->second, least->second + 1) << spec;
        shared += got.size() > 1 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(shared, 1000U);
}

TEST(DealtMinhop, SameBytesAtAnyNumberOfThreads) {
  for (const char* spec : kSpecs) {
    const Network network = make_network(spec);
    const Routing one = dealt(network, 1);
    EXPECT_EQ(one.table(), dealt(network, 2).table()) << spec;
    EXPECT_EQ(one.table(), dealt(network, 5).table()) << spec;
  }
}

TEST(DealtMinhop, LoadsTheBusiestChannelLessThanCounting) {
  Progress quiet;
  for (const char* spec :
       {"hyperx:6x6x6,p=8", "dragonfly:a=8,h=4,p=4", "jellyfish:routers=256,degree=12,terminals=2048"}) {
    const Network network = make_network(spec);
    const auto most = [&](const Routing& routing) {
      const std::vector<std::uint64_t> load = channel_load(network, routing, 0);
      return *std::max_element(load.begin(), load.end());
    };
    EXPECT_LT(most(dealt(network)), most(route(network, "minhop", {}, quiet))) << spec;
  }
}

TEST(DealtMinhop, SpreadsOverTreesAsEvenlyAsAnEngineForTrees) {
  // Routers of one pod are seldom numbered one after the other: what they send must differ all the same.
  Progress quiet;
  for (const char* spec : {"fattree3:8", "xgft:m=8x8,w=8x8", "kary-ntree:k=4,n=4", "xgft:m=6x5x3,w=3x5x2"}) {
    const Network network = make_network(spec);
    const auto most = [&](const char* engine) {
      const std::vector<std::uint64_t> load = channel_load(network, route(network, engine, {}, quiet), 0);
      return *std::max_element(load.begin(), load.end());
    };
    const auto clos = static_cast<double>(most("clos"));
    EXPECT_LE(static_cast<double>(most("minhop:paths=dealt")), 1.02 * clos) << spec;
    EXPECT_LE(static_cast<double>(most("updn:paths=dealt")), 1.02 * clos) << spec;
  }
}

TEST(DealtMinhop, HasNoOrderAndNoWeightsToHeed) {
  Progress quiet;
  const Network network = make_network("torus:4x4,p=2");
  EngineRequest request;
  request.guidance.order = {network.terminal_port_guid(TerminalId(3))};
  EXPECT_THROW((void)route(network, "minhop:paths=dealt", request, quiet), InputError);
}

}  // namespace
}  // namespace unknot
