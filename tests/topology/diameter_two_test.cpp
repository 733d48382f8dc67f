// SPDX-License-Identifier: Apache-2.0
// Slim Fly, orthogonal fat trees and multi-layer full meshes beside reference values.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "unknot/network/cuts/properties.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/topology/graphs/slimfly.hpp"

namespace unknot {
namespace {

using Histogram = std::map<std::uint32_t, std::uint64_t>;

/// Unordered pairs of routers that are not neighbours, by their number of common neighbours; [0]: diameter
/// above two. And triangles, each counted once.
struct CommonNeighbours {
  Histogram apart;
  std::uint64_t triangles = 0;
};
CommonNeighbours common_neighbours(const Network& net, std::uint32_t routers) {
  const std::size_t n = net.router_count();
  std::vector<bool> joined(n * n, false);
  for (const ChannelId c : net.channels()) joined[net.source(c).value * n + net.target(c).value] = true;
  CommonNeighbours result;
  std::vector<std::uint32_t> shared(n);
  for (std::uint32_t a = 0; a < routers; ++a) {
    std::fill(shared.begin(), shared.end(), 0);
    for (const ChannelId c : net.out(RouterId(a))) {
      for (const ChannelId next : net.out(net.target(c))) ++shared[net.target(next).value];
    }
    for (std::uint32_t b = a + 1; b < routers; ++b) {
      if (joined[a * n + b]) {
        result.triangles += shared[b];
      } else {
        ++result.apart[shared[b]];
      }
    }
  }
  result.triangles /= 3;
  return result;
}

struct SlimFlyCase {
  std::uint32_t q;
  std::uint32_t degree;
  std::uint64_t triangles;
  Histogram apart;
};

TEST(SlimFly, IsTheReferenceGraph) {
  const std::vector<SlimFlyCase> cases{
      {3, 5, 6, {{1, 54}, {2, 54}}},
      {4, 6, 0, {{1, 320}, {2, 80}}},
      {5, 7, 0, {{1, 1050}}},
      {7, 11, 98, {{1, 3430}, {2, 686}, {3, 98}}},
      {8, 12, 128, {{1, 6656}, {2, 704}}},
      {9, 13, 108, {{1, 11664}, {2, 324}}},
      {11, 17, 726, {{1, 23958}, {2, 2662}, {3, 484}}},
      {13, 19, 676, {{1, 52728}, {3, 1014}}},
      {17, 25, 2312, {{1, 157216}, {4, 2312}}},
      {23, 35, 11638, {{1, 511014}, {2, 24334}, {6, 3174}, {7, 1058}, {8, 1058}}},
      {25, 37, 12500, {{1, 750000}, {6, 7500}}}};
  for (const SlimFlyCase& one : cases) {
    const Network net = make_network("slimfly:q=" + std::to_string(one.q));
    EXPECT_EQ(net.router_count(), 2 * one.q * one.q);
    EXPECT_EQ(net.channel_count(), 2 * one.q * one.q * one.degree);
    EXPECT_EQ(net.max_out_degree(), one.degree) << one.q;
    const CommonNeighbours found = common_neighbours(net, net.router_count());
    EXPECT_EQ(found.apart, one.apart) << one.q;
    EXPECT_EQ(found.triangles, one.triangles) << one.q;
  }
}

TEST(SlimFly, OtherPrimitiveElementsAreTheReferenceGraphsToo) {
  const std::vector<std::pair<std::string, Histogram>> cases{
      {"q=8,xi=5", {{1, 6656}, {2, 704}}},
      {"q=11,xi=6", {{1, 23958}, {2, 2662}, {3, 484}}},
      {"q=11,xi=7", {{1, 23958}, {2, 2662}, {4, 242}, {5, 242}}},
      {"q=16,xi=3", {{1, 118784}, {2, 4096}, {4, 1280}, {6, 512}}},
      {"q=19,xi=14", {{1, 233206}, {2, 13718}, {4, 722}, {6, 722}, {7, 1444}}}};
  for (const auto& [spec, apart] : cases) {
    const Network net = make_network("slimfly:" + spec);
    EXPECT_EQ(common_neighbours(net, net.router_count()).apart, apart) << spec;
  }
}

TEST(SlimFly, SetsAreTheReferenceSets) {
  const auto sets = [](std::uint32_t q) { return slimfly_sets({q, 0}); };
  using testing::ElementsAre;
  EXPECT_THAT(sets(7).x, ElementsAre(1, 2, 6, 5));
  EXPECT_THAT(sets(7).x_prime, ElementsAre(3, 6, 4, 1));
  EXPECT_THAT(sets(8).x, ElementsAre(1, 4, 6, 5));
  EXPECT_THAT(sets(8).x_prime, ElementsAre(2, 3, 7, 1));
  EXPECT_THAT(sets(9).x, ElementsAre(1, 6, 2, 3));
  EXPECT_THAT(sets(9).x_prime, ElementsAre(4, 7, 8, 5));
  EXPECT_THAT(sets(13).x, ElementsAre(1, 4, 3, 12, 9, 10));
}

TEST(SlimFly, EndpointsByHalfTheDegree) {
  EXPECT_EQ(make_network("slimfly:q=13,p=floor").terminal_count(), 3042U);
  EXPECT_EQ(make_network("slimfly:q=13,p=ceil").terminal_count(), 3380U);
  EXPECT_EQ(make_network("slimfly:q=8,p=ceil").terminal_count(),
            make_network("slimfly:q=8,p=floor").terminal_count());
}

struct StackedCase {
  std::string spec;
  std::uint32_t terminals, routers, cables, radix, leaves;
  Histogram apart;  // leaf pairs by number of paths
  double ports, links;
};

TEST(StackedTrees, AreTheReferenceNetworks) {
  const std::vector<StackedCase> cases{
      {"oft:3", 42, 21, 42, 6, 14, {{1, 84}, {3, 7}}, 3, 2},
      {"oft:4", 104, 39, 104, 8, 26, {{1, 312}, {4, 13}}, 3, 2},
      {"oft:5", 210, 63, 210, 10, 42, {{1, 840}, {5, 21}}, 3, 2},
      {"oft:9", 1314, 219, 1314, 18, 146, {{1, 10512}, {9, 73}}, 3, 2},
      {"oft:12", 3192, 399, 3192, 24, 266, {{1, 35112}, {12, 133}}, 3, 2},
      {"mlfm:3", 36, 18, 36, 6, 12, {{1, 54}, {3, 12}}, 3, 2},
      {"mlfm:4", 80, 30, 80, 8, 20, {{1, 160}, {4, 30}}, 3, 2},
      {"mlfm:15", 3600, 360, 3600, 30, 240, {{1, 27000}, {15, 1680}}, 3, 2},
      {"mlfm:h=4,l=2,p=3", 30, 20, 40, 7, 10, {{1, 40}, {4, 5}}, 11.0 / 3, 7.0 / 3},
      {"sspt:r1=12,r2=4", 2664, 333, 2664, 24, 222, {{1, 23976}, {12, 555}}, 3, 2},
      {"sspt:r1=10,r2=5", 1640, 246, 1640, 20, 164, {{1, 13120}, {10, 246}}, 3, 2},
      {"fattree2:8", 32, 12, 32, 8, 8, {{4, 28}}, 3, 2}};
  for (const StackedCase& one : cases) {
    const Network net = make_network(one.spec);
    const Properties p = properties(net);
    EXPECT_EQ(net.terminal_count(), one.terminals) << one.spec;
    EXPECT_EQ(net.router_count(), one.routers) << one.spec;
    EXPECT_EQ(p.cables, one.cables) << one.spec;
    EXPECT_EQ(p.radix, one.radix) << one.spec;
    EXPECT_EQ(p.distances.diameter, 2U) << one.spec;
    EXPECT_NEAR(p.ports_per_terminal, one.ports, 1e-9) << one.spec;
    EXPECT_NEAR(p.links_per_terminal, one.links, 1e-9) << one.spec;
    EXPECT_EQ(common_neighbours(net, one.leaves).apart, one.apart) << one.spec;
  }
  EXPECT_EQ(properties(make_network("oft:4")).distances.router_diameter, 3U);
  EXPECT_EQ(properties(make_network("mlfm:4")).distances.router_diameter, 4U);
}

TEST(StackedTrees, AreSinglePathTreesOfTheSameDesign) {
  // OFT is SSPT(k,k) and MLFM is SSPT(h,2), section 2.2 of the paper
  EXPECT_EQ(make_network("sspt:r1=4,r2=4").fingerprint(), make_network("oft:4").fingerprint());
  EXPECT_EQ(make_network("sspt:r1=3,r2=2").fingerprint(), make_network("mlfm:3").fingerprint());
}

TEST(FatTrees, HaveThePublishedCost) {
  const Properties p = properties(make_network("fattree3:8"));
  EXPECT_EQ(p.terminals, 128U);
  EXPECT_EQ(p.routers, 80U);
  EXPECT_EQ(p.radix, 8U);
  EXPECT_NEAR(p.ports_per_terminal, 5, 1e-9);
  EXPECT_NEAR(p.links_per_terminal, 3, 1e-9);
}

TEST(DiameterTwo, WrongParametersAreRefusedWithTheNearestValidOnes) {
  const auto refusal = [](const char* spec) -> std::string {
    try {
      (void)make_network(spec);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal("oft:7"), "topology oft: k-1 must be a prime power, not 6; nearest: k=6 or k=8");
  EXPECT_EQ(refusal("slimfly:q=6"),
            "topology slimfly: q must be a prime power other than 2, not 6; nearest: q=5 or q=7");
  EXPECT_EQ(refusal("slimfly:q=2"),
            "topology slimfly: q must be a prime power other than 2, not 2; nearest: q=3");
  EXPECT_EQ(refusal("slimfly:q=7,xi=2"),
            "topology slimfly: xi=2 is no primitive element of GF(7); nearest: xi=3");
  EXPECT_EQ(refusal("slimfly:q=5,p=x"), "topology slimfly: p must be a number, floor or ceil, not 'x'");
  EXPECT_EQ(refusal("slimfly:q=5,p=3,terminals=7"),
            "give p (terminals on each router) or terminals (in all), not both");
  EXPECT_EQ(refusal("fattree3:5"),
            "topology fattree3: the radix must be even, not 5; nearest: radix=4 or radix=6");
}

}  // namespace
}  // namespace unknot
