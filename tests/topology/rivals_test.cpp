// SPDX-License-Identifier: Apache-2.0
// Dragonflies, PolarFly, SpectralFly and Xpander: what their papers promise.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "topology/refusal.hpp"
#include "unknot/network/cuts/properties.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/topology/graphs/global_links.hpp"

namespace unknot {
namespace {

TEST(GlobalLinks, UseEachPortOnceAndSpreadCablesEvenly) {
  for (const Arrangement arrangement :
       {Arrangement::absolute, Arrangement::relative, Arrangement::circulant}) {
    for (std::uint32_t groups = 1; groups <= 10; ++groups) {
      for (std::uint32_t ports = std::max(1U, groups - 1); ports <= 25; ++ports) {
        SCOPED_TRACE(std::to_string(groups) + " groups, " + std::to_string(ports) + " ports");
        const GlobalLinks links{groups, ports, arrangement};
        const std::vector<GlobalCable> cables = global_cables(links);
        EXPECT_EQ(cables.size(), global_cable_count(links));
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> used;
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> between;
        for (const GlobalCable& cable : cables) {
          EXPECT_LT(cable.group, cable.far_group);
          EXPECT_LT(std::max(cable.port, cable.far_port), ports);
          EXPECT_EQ((++used[{cable.group, cable.port}]), 1U);
          EXPECT_EQ((++used[{cable.far_group, cable.far_port}]), 1U);
          ++between[{cable.group, cable.far_group}];
        }
        if (groups == 1) continue;
        const std::uint32_t whole = ports / (groups - 1);
        for (std::uint32_t a = 0; a < groups; ++a) {
          for (std::uint32_t b = a + 1; b < groups; ++b) {
            const std::uint32_t count = between[{a, b}];
            EXPECT_GE(count, whole);
            EXPECT_LE(count, whole + 1);
          }
        }
        const std::uint64_t ends = std::uint64_t{groups} * ports;
        const std::uint64_t free = ends - 2 * cables.size();
        EXPECT_EQ(free, groups % 2 == 1 && ports % (groups - 1) % 2 == 1 ? groups : 0);
      }
    }
  }
}

TEST(Dragonfly, ArrangementsLeadWhereTheirNamesSay) {
  const auto peers = [](Arrangement arrangement) {
    std::vector<std::uint32_t> of_group(6);
    for (const GlobalCable& cable : global_cables({7, 6, arrangement})) {
      if (cable.group == 2) of_group[cable.port] = cable.far_group;
      if (cable.far_group == 2) of_group[cable.far_port] = cable.group;
    }
    return of_group;
  };
  using testing::ElementsAre;
  EXPECT_THAT(peers(Arrangement::absolute), ElementsAre(0, 1, 3, 4, 5, 6));
  EXPECT_THAT(peers(Arrangement::relative), ElementsAre(3, 4, 5, 6, 0, 1));
  EXPECT_THAT(peers(Arrangement::circulant), ElementsAre(3, 1, 4, 0, 5, 6));
}

TEST(Dragonfly, FewerGroupsShareMoreCables) {
  const Network net = make_network("dragonfly:a=4,h=2,groups=5,arrangement=relative");
  EXPECT_EQ(net.router_count(), 20U);
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> between;
  for (const ChannelId c : net.channels()) ++between[{net.source(c).value / 4, net.target(c).value / 4}];
  for (std::uint32_t i = 0; i < 5; ++i) {
    for (std::uint32_t j = 0; j < 5; ++j) EXPECT_EQ((between[{i, j}]), i == j ? 12 : 2);
  }
  for (const RouterId r : net.routers()) EXPECT_EQ(net.out(r).size(), 5U);
  EXPECT_EQ(refusal("dragonfly:a=2,h=1,groups=9"),
            "topology dragonfly: 9 groups with 2 global ports each cannot be joined pairwise; at most 3 can");
}

TEST(DragonflyPlus, JoinsLeavesOverTwoSpines) {
  const Network net = make_network("dragonflyplus:leaves=4,spines=4,h=4");
  EXPECT_EQ(net.router_count(), 17U * 8);
  EXPECT_EQ(net.terminal_count(), 17U * 16);
  const Properties p = properties(net);
  EXPECT_EQ(p.radix, 8U);
  EXPECT_EQ(p.distances.diameter, 3U);  // leaf, spine, spine, leaf
  for (const RouterId r : net.routers()) EXPECT_EQ(net.terminals_at(r).size(), r.value % 8 < 4 ? 4U : 0U);
}

TEST(PolarFly, IsTheErdosRenyiPolarityGraph) {
  for (const std::uint32_t q : {2U, 3U, 4U, 5U, 7U, 8U, 9U, 16U}) {
    const Network net = make_network("polarfly:q=" + std::to_string(q));
    EXPECT_EQ(net.router_count(), q * q + q + 1);
    std::uint32_t absolute = 0;
    for (const RouterId r : net.routers()) {
      EXPECT_TRUE(net.out(r).size() == q || net.out(r).size() == q + 1);
      if (net.out(r).size() == q) ++absolute;
    }
    EXPECT_EQ(absolute, q + 1) << q;
    const Properties p = properties(net);
    EXPECT_EQ(p.distances.diameter, 2U) << q;
    EXPECT_EQ(p.distances.paths.max, 1) << q;  // one common neighbour
  }
  EXPECT_EQ(refusal("polarfly:q=6"),
            "topology polarfly: q must be a prime power, not 6; nearest: q=5 or q=7");
}

TEST(PolarStar, HasDiameterThreeAndOneDegree) {
  for (const std::uint32_t q : {2U, 3U, 4U, 5U}) {
    for (const std::uint32_t d : {0U, 3U, 4U, 7U, 8U}) {
      const Network net = make_network(fmt::format("polarstar:q={},d={}", q, d));
      EXPECT_EQ(net.router_count(), (q * q + q + 1) * 2 * (d + 1));
      for (const RouterId r : net.routers()) ASSERT_EQ(net.out(r).size(), q + 1 + d);
      EXPECT_EQ(properties(net).distances.diameter, 3U) << q << ' ' << d;
    }
    for (const std::uint32_t d : {2U, 4U, 6U, 8U}) {
      const Network net = make_network(fmt::format("polarstar:q={},d={},supernode=paley", q, d));
      EXPECT_EQ(net.router_count(), (q * q + q + 1) * (2 * d + 1));
      std::uint32_t short_of_one = 0;  // at points orthogonal to themselves
      for (const RouterId r : net.routers()) short_of_one += net.out(r).size() == q + d ? 1 : 0;
      EXPECT_EQ(short_of_one, (q + 1) * (2 * d + 1));
      EXPECT_EQ(properties(net).distances.diameter, 3U) << q << ' ' << d;
    }
  }
  // Lakhotia et al. 2024: the largest networks of a radix are q=11, d=3 with 1,064 routers of radix 15
  EXPECT_EQ(network_size("polarstar:q=11,d=3").routers, 1064U);
  EXPECT_EQ(refusal("polarstar:q=6,d=3"),
            "topology polarstar: q must be a prime power, not 6; nearest: q=5 or q=7");
  EXPECT_EQ(refusal("polarstar:q=5,d=5"),
            "topology polarstar: no supernode iq has degree d=5; nearest: d=4 or d=7");
  EXPECT_EQ(refusal("polarstar:q=5,d=10,supernode=paley"),
            "topology polarstar: no supernode paley has degree d=10; nearest: d=8 or d=12");
}

TEST(Bundlefly, HasDiameterThreeAndOneDegree) {
  for (const std::uint32_t q : {3U, 4U, 5U, 7U}) {
    for (const std::uint32_t d : {2U, 4U, 6U}) {
      const Network net = make_network(fmt::format("bundlefly:q={},d={}", q, d));
      EXPECT_EQ(net.router_count(), 2 * q * q * (2 * d + 1));
      const std::uint32_t degree = (q % 4 == 1 ? 3 * q - 1 : q % 4 == 3 ? 3 * q + 1 : 3 * q) / 2 + d;
      for (const RouterId r : net.routers()) ASSERT_EQ(net.out(r).size(), degree);
      EXPECT_EQ(properties(net).distances.diameter, 3U) << q << ' ' << d;
    }
  }
  // routers 0 and 1 of the first group differ by a square of GF(5); the first bundle multiplies by 2
  const Network net = make_network("bundlefly:q=3,d=2");
  EXPECT_EQ(net.target(net.out(RouterId(0))[0]), RouterId(1));
  EXPECT_EQ(refusal("bundlefly:q=2,d=2"),
            "topology bundlefly: q must be a prime power other than 2, not 2; nearest: q=3");
  EXPECT_EQ(refusal("bundlefly:q=5,d=3"),
            "topology bundlefly: no Paley graph has degree d=3; nearest: d=2 or d=4");
}

// Every two sub-blocks of a block, and every two blocks, share as many cables, or one more where ports are
// left.
TEST(FatClique, IsAsEvenAtEveryLevelAsPortsAllow) {
  struct Case {
    std::uint32_t switches, subblocks, blocks, c, b;
  };
  for (const Case& k : {Case{2, 3, 3, 1, 1}, Case{4, 3, 5, 2, 1}, Case{3, 4, 7, 3, 2}, Case{1, 5, 4, 4, 3},
                        Case{6, 1, 4, 0, 1}, Case{5, 4, 1, 3, 0}}) {
    const Network net = make_network(fmt::format("fatclique:switches={},subblocks={},blocks={},c={},b={}",
                                                 k.switches, k.subblocks, k.blocks, k.c, k.b));
    ASSERT_EQ(net.router_count(), k.switches * k.subblocks * k.blocks);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> of_blocks, of_subblocks;
    std::vector<std::uint32_t> to_blocks(net.router_count(), 0), to_subblocks(net.router_count(), 0),
        within(net.router_count(), 0);
    for (const ChannelId channel : net.channels()) {
      const std::uint32_t from = net.source(channel).value;
      const std::uint32_t to = net.target(channel).value;
      const std::uint32_t block = k.switches * k.subblocks;
      if (from / block != to / block) {
        ++of_blocks[{from / block, to / block}];
        ++to_blocks[from];
      } else if (from / k.switches != to / k.switches) {
        ++of_subblocks[{from / k.switches, to / k.switches}];
        ++to_subblocks[from];
      } else {
        ++within[from];
      }
    }
    const auto expect_even = [](const auto& cables, std::size_t pairs, std::uint32_t each) {
      EXPECT_EQ(cables.size(), pairs);
      for (const auto& [pair, count] : cables) {
        EXPECT_GE(count, each);
        EXPECT_LE(count, each + 2);  // of two groups, ports that are left may meet twice
      }
    };
    if (k.blocks > 1)
      expect_even(of_blocks, std::size_t{k.blocks} * (k.blocks - 1),
                  k.switches * k.subblocks * k.b / (k.blocks - 1));
    if (k.subblocks > 1) {
      expect_even(of_subblocks, std::size_t{k.blocks} * k.subblocks * (k.subblocks - 1),
                  k.switches * k.c / (k.subblocks - 1));
    }
    for (const RouterId r : net.routers()) {
      EXPECT_EQ(within[r.value], k.switches - 1);
      EXPECT_LE(to_subblocks[r.value], k.c);
      EXPECT_LE(to_blocks[r.value], k.b);
    }
    EXPECT_EQ(network_size(fmt::format("fatclique:switches={},subblocks={},blocks={},c={},b={}", k.switches,
                                       k.subblocks, k.blocks, k.c, k.b))
                  .cables,
              net.channel_count() / 2);
  }
  EXPECT_EQ(refusal("fatclique:switches=1,subblocks=5,blocks=1,c=3,b=0"),
            "topology fatclique: 5 sub-blocks with 3 ports each cannot be joined pairwise; c of 4 can");
  EXPECT_EQ(refusal("fatclique:switches=2,subblocks=2,blocks=9,c=1,b=1"),
            "topology fatclique: 9 blocks with 4 ports each cannot be joined pairwise; b of 2 can");
  EXPECT_EQ(refusal("fatclique:switches=2,subblocks=2,blocks=1"),
            "topology fatclique: one of the blocks needs no ports to others; b=0");
}

TEST(SpectralFly, HasThePublishedSizes) {
  // Young et al. 2022: LPS(11,7) 168 routers of radix 12, LPS(23,11) 660 of radix 24; bipartite where p is no
  // square modulo q, LPS(3,5) of 120
  struct Case {
    const char* spec;
    std::uint32_t routers, degree, diameter;
  };
  for (const Case& one :
       {Case{"p=3,q=5", 120, 4, 6}, Case{"p=11,q=7", 168, 12, 3}, Case{"p=23,q=11", 660, 24, 3},
        Case{"p=5,q=11", 660, 6, 0}, Case{"p=7,q=13", 2184, 8, 0}}) {
    const Network net = make_network(std::string("spectralfly:") + one.spec);
    EXPECT_EQ(net.router_count(), one.routers) << one.spec;
    std::vector<std::uint32_t> seen;
    for (const RouterId r : net.routers()) {
      ASSERT_EQ(net.out(r).size(), one.degree) << one.spec;
      seen.clear();
      for (const ChannelId c : net.out(r)) seen.push_back(net.target(c).value);
      std::sort(seen.begin(), seen.end());
      ASSERT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end()) << one.spec;
    }
    if (one.diameter != 0) {
      EXPECT_EQ(properties(net).distances.diameter, one.diameter) << one.spec;
    }
  }
  EXPECT_EQ(refusal("spectralfly:p=4,q=5"),
            "topology spectralfly: p must be an odd prime, not 4; nearest: p=3 or p=5");
  EXPECT_EQ(
      refusal("spectralfly:p=11,q=5"),
      "topology spectralfly: q must be an odd prime other than p and above 2 sqrt(p), not 5; nearest: q=7");
  EXPECT_EQ(refusal("spectralfly:p=3,q=5,each=2,terminals=9"),
            "give each (terminals on each router) or terminals (in all), not both");
}

TEST(Xpander, MatchesAnyTwoMetaNodes) {
  const Network net = make_network("xpander:degree=6,lift=5,seed=3");
  EXPECT_EQ(net.router_count(), 35U);
  for (const RouterId r : net.routers()) {
    std::vector<std::uint32_t> meta;
    for (const ChannelId c : net.out(r)) meta.push_back(net.target(c).value / 5);
    std::sort(meta.begin(), meta.end());
    std::vector<std::uint32_t> others;
    for (std::uint32_t m = 0; m < 7; ++m) {
      if (m != r.value / 5) others.push_back(m);
    }
    EXPECT_EQ(meta, others);
  }
  EXPECT_NE(net.fingerprint(), make_network("xpander:degree=6,lift=5,seed=4").fingerprint());
  EXPECT_EQ(refusal("xpander:degree=1,lift=3"),
            "topology xpander: 6 routers of degree 1 cannot be connected");
}

}  // namespace
}  // namespace unknot
