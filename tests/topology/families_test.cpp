// SPDX-License-Identifier: Apache-2.0
// What is known of single families: published counts, diameters, port numbers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "topology/refusal.hpp"
#include "unknot/network/bfs.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

std::uint32_t diameter(const Network& net) {
  BreadthFirstSearch search(net);
  std::uint32_t far = 0;
  for (const RouterId r : net.routers()) {
    for (const std::uint32_t d : search.from(r)) far = std::max(far, d);
  }
  return far;
}

/// Number of parallel channels from one router to another.
std::map<std::pair<RouterId, RouterId>, int> multiplicity(const Network& net) {
  std::map<std::pair<RouterId, RouterId>, int> count;
  for (const ChannelId c : net.channels()) ++count[{net.source(c), net.target(c)}];
  return count;
}

TEST(Torus, PortsTellDimensionAndDirection) {
  const Network net = make_network("torus:3x2x1x4,p=2");
  ASSERT_EQ(net.router_count(), 24U);
  const Coordinates& at = *net.coordinates();
  for (const ChannelId c : net.channels()) {
    const std::uint32_t d = (net.source_port(c) - 1U) / 2;
    const bool plus = net.source_port(c) % 2 == 1;
    const std::uint32_t from = at.value[net.source(c).value * 4 + d];
    const std::uint32_t to = at.value[net.target(c).value * 4 + d];
    EXPECT_EQ((from + (plus ? 1U : at.extent[d] - 1U)) % at.extent[d], to);
    EXPECT_EQ(net.target_port(c), plus ? net.source_port(c) + 1 : net.source_port(c) - 1);
  }
  for (const RouterId r : net.routers()) {
    EXPECT_EQ(net.out(r).size(), 2U + 1U + 0U + 2U);
    EXPECT_EQ(net.terminal_port(net.terminals_at(r)[0]), 9);
    EXPECT_EQ(net.terminal_port(net.terminals_at(r)[1]), 10);
  }
}

TEST(Torus, DiameterIsTheSumOfHalves) {
  EXPECT_EQ(diameter(make_network("torus:5x4x2")), 2U + 2U + 1U);
  EXPECT_EQ(diameter(make_network("mesh:5x4x2")), 4U + 3U + 1U);
  EXPECT_EQ(diameter(make_network("ring:9")), 4U);
  EXPECT_EQ(diameter(make_network("uniring:9")), 8U);
  EXPECT_EQ(diameter(make_network("hypercube:6")), 6U);
}

TEST(Torus, AHypercubeIsATorusOfTwos) {
  const Network cube = make_network("hypercube:5");
  const Network torus = make_network("torus:2x2x2x2x2");
  EXPECT_EQ(multiplicity(cube), multiplicity(torus));
  EXPECT_EQ(cube.coordinates()->value, torus.coordinates()->value);
}

TEST(TwistedTorus, HalvesTheLongDistances) {
  // Camara et al. 2010: 2a x a has diameter a where the torus has a + a/2; all routers see the same distances
  for (const std::uint32_t a : {2U, 4U, 6U, 8U}) {
    const Network net = make_network(fmt::format("twisted-torus:{}x{}", 2 * a, a));
    EXPECT_EQ(diameter(net), a);
    EXPECT_EQ(diameter(make_network(fmt::format("torus:{}x{}", 2 * a, a))), a + a / 2);
    BreadthFirstSearch search(net);
    const auto sorted = [&](RouterId from) {
      std::vector<std::uint32_t> distances(search.from(from).begin(), search.from(from).end());
      std::sort(distances.begin(), distances.end());
      return distances;
    };
    const std::vector<std::uint32_t> first = sorted(RouterId(0));
    for (const RouterId r : net.routers()) EXPECT_EQ(sorted(r), first);
  }
  for (const char* dims : {"4x4x8", "4x8x8"}) {
    EXPECT_LT(diameter(make_network(std::string("twisted-torus:") + dims)),
              diameter(make_network(std::string("torus:") + dims)));
  }
}

TEST(TwistedTorus, MovesOnlyWhereItWrapsRound) {
  const Network net = make_network("twisted-torus:5x3,twist=2");
  for (const ChannelId c : net.channels()) {
    const std::uint32_t from = net.source(c).value;
    if (net.source_port(c) % 2 == 0) continue;  // back
    const std::uint32_t x = from / 3;
    const std::uint32_t y = from % 3;
    const bool along_x = net.source_port(c) == 1;
    const std::uint32_t expected = along_x ? (x + 1) % 5 * 3 + y : y < 2 ? from + 1 : (x + 2) % 5 * 3;
    EXPECT_EQ(net.target(c).value, expected);
  }
  EXPECT_EQ(refusal("twisted-torus:4x4"),
            "topology twisted-torus: nothing is twisted: one size must be twice another, as in 8x4 or 4x4x8, "
            "or for two dimensions "
            "twist must not be a multiple of the first");
  EXPECT_EQ(refusal("twisted-torus:4x4x4,twist=1"),
            "topology twisted-torus: twist is for two dimensions, not for 3");
}

TEST(Hyperx, JoinsRoutersThatDifferInOneCoordinate) {
  const Network net = make_network("hyperx:4x3x2,p=3");
  const Coordinates& at = *net.coordinates();
  const auto joined = multiplicity(net);
  for (const RouterId a : net.routers()) {
    EXPECT_EQ(net.out(a).size(), 3U + 2U + 1U);
    EXPECT_EQ(net.terminal_port(net.terminals_at(a)[0]), 7);
    for (const RouterId b : net.routers()) {
      int apart = 0;
      for (std::uint32_t d = 0; d < 3; ++d)
        apart += at.value[a.value * 3 + d] != at.value[b.value * 3 + d] ? 1 : 0;
      EXPECT_EQ(joined.count({a, b}), apart == 1 ? 1U : 0U);
    }
  }
  EXPECT_EQ(diameter(net), 3U);
}

TEST(Hyperx, PortsTellDimensionAndNeighbour) {
  const Network net = make_network("hyperx:4x3,cables=2");
  const Coordinates& at = *net.coordinates();
  for (const ChannelId c : net.channels()) {
    const std::uint32_t port = net.source_port(c) - 1U;
    const std::uint32_t d = port < 6 ? 0 : 1;
    const std::uint32_t from = at.value[net.source(c).value * 2 + d];
    std::uint32_t to = (port - 6 * d) / 2;
    if (to >= from) ++to;
    EXPECT_EQ(at.value[net.target(c).value * 2 + d], to);
  }
  for (const auto& [ends, count] : multiplicity(net)) EXPECT_EQ(count, 2);
}

TEST(Hyperx, OfTwosIsAHypercube) {
  EXPECT_EQ(make_network("hyperx:2x2x2x2").fingerprint(), make_network("hypercube:4").fingerprint());
}

TEST(Uniring, LeavesByPortOneOnly) {
  const Network net = make_network("uniring:4");
  for (const ChannelId c : net.channels()) {
    EXPECT_EQ(net.source_port(c), 1);
    EXPECT_EQ(net.target_port(c), 2);
    EXPECT_EQ(net.target(c).value, (net.source(c).value + 1) % 4);
    EXPECT_FALSE(net.reverse(c).valid());
  }
}

TEST(Xgft, LevelsHaveThePublishedSizes) {
  const Network net = make_network("xgft:m=18x18,w=9x9,terminals=4096");
  std::map<std::uint32_t, std::uint32_t> routers;
  for (const std::uint32_t level : net.levels()) ++routers[level];
  EXPECT_EQ(routers, (std::map<std::uint32_t, std::uint32_t>{{0, 324}, {1, 162}, {2, 81}}));
  // Leaves are two hops from a top router and four from each other.
  EXPECT_EQ(diameter(net), 4U);
  EXPECT_EQ(make_network("xgft:m=4x3,w=2x2").terminal_count(), 12U * 4U);
}

TEST(Xgft, ParentsAndChildrenAreAsManyAsTheSpecSays) {
  const std::uint32_t m[] = {2, 3, 4};
  const std::uint32_t w[] = {3, 2, 1};
  const Network net = make_network("xgft:m=2x3x4,w=3x2x1");
  for (const RouterId r : net.routers()) {
    const std::uint32_t level = net.levels()[r.value];
    std::set<RouterId> up;
    std::set<RouterId> down;
    for (const ChannelId c : net.out(r)) {
      (net.levels()[net.target(c).value] > level ? up : down).insert(net.target(c));
    }
    EXPECT_EQ(up.size(), level == 3 ? 0 : w[level]);
    EXPECT_EQ(down.size(), level == 0 ? 0 : m[level - 1]);
  }
}

TEST(KaryNtree, IsTheXgftOfEqualRadices) {
  const Network tree = make_network("kary-ntree:k=3,n=3");
  EXPECT_EQ(tree.fingerprint(), make_network("xgft:m=3x3,w=3x3").fingerprint());
  EXPECT_EQ(tree.terminal_count(), 27U);
}

TEST(Kautz, HasThePublishedCountsAndDiameter) {
  const struct {
    const char* spec;
    std::uint32_t routers, diameter;
  } cases[] = {{"kautz:b=2,n=2", 6, 2},
               {"kautz:b=2,n=3", 12, 3},
               {"kautz:b=3,n=3", 36, 3},
               {"kautz:b=4,n=3", 80, 3},
               {"kautz:b=6,n=3", 252, 3}};
  for (const auto& known : cases) {
    EXPECT_EQ(make_network(known.spec).router_count(), known.routers);
    const Network arcs = make_network(std::string(known.spec) + ",oriented=1");
    EXPECT_EQ(diameter(arcs), known.diameter) << known.spec;
    for (const ChannelId c : arcs.channels()) EXPECT_FALSE(arcs.reverse(c).valid());
  }
}

TEST(Kautz, TwoCyclesAreParallelCables) {
  const std::uint32_t b = 3;
  const Network net = make_network("kautz:b=3,n=3");
  std::uint32_t doubled = 0;
  for (const auto& [ends, count] : multiplicity(net)) {
    EXPECT_LE(count, 2);
    if (count == 2 && ends.first < ends.second) ++doubled;
  }
  EXPECT_EQ(doubled, b * (b + 1) / 2);
  for (const RouterId r : net.routers()) EXPECT_EQ(net.out(r).size(), 2 * b);
}

TEST(Kautz, ArcsShiftWords) {
  // Words of K(2,2) in order: 01 02 10 12 20 21.
  const std::set<std::pair<int, int>> arcs{{0, 2}, {0, 3}, {1, 4}, {1, 5}, {2, 0}, {2, 1},
                                           {3, 4}, {3, 5}, {4, 0}, {4, 1}, {5, 2}, {5, 3}};
  const Network net = make_network("kautz:b=2,n=2,oriented=1");
  std::set<std::pair<int, int>> found;
  for (const ChannelId c : net.channels()) found.emplace(net.source(c).value, net.target(c).value);
  EXPECT_EQ(found, arcs);
}

TEST(DeBruijn, HasThePublishedCountsAndDiameter) {
  const Network net = make_network("debruijn:b=2,n=5,oriented=1");
  EXPECT_EQ(net.router_count(), 32U);
  EXPECT_EQ(net.channel_count(), 62U);
  EXPECT_EQ(diameter(net), 5U);
  EXPECT_EQ(make_network("debruijn:b=2,n=5").channel_count(), 124U);
}

TEST(SlimFly, QFiveIsTheHoffmanSingletonGraph) {
  const Network net = make_network("slimfly:q=5");
  EXPECT_EQ(net.router_count(), 50U);
  for (const RouterId r : net.routers()) EXPECT_EQ(net.out(r).size(), 7U);
  for (const auto& [ends, count] : multiplicity(net)) EXPECT_EQ(count, 1);
  EXPECT_EQ(diameter(net), 2U);
}

TEST(SlimFly, HasDiameterTwo) {
  for (const char* spec : {"slimfly:q=13", "slimfly:q=17"})
    EXPECT_EQ(diameter(make_network(spec)), 2U) << spec;
}

TEST(Dragonfly, JoinsEachTwoGroupsByOneCable) {
  const Network net = make_network("dragonfly:a=4,h=2,p=2");
  EXPECT_EQ(net.router_count(), 36U);
  EXPECT_EQ(net.terminal_count(), 72U);
  EXPECT_EQ(diameter(net), 3U);
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> between;
  for (const ChannelId c : net.channels()) {
    ++between[{net.source(c).value / 4, net.target(c).value / 4}];
  }
  for (std::uint32_t i = 0; i < 9; ++i) {
    for (std::uint32_t j = 0; j < 9; ++j) EXPECT_EQ((between[{i, j}]), i == j ? 12 : 1);
  }
  for (const RouterId r : net.routers()) EXPECT_EQ(net.out(r).size(), 5U);
}

TEST(Odin, IsOneSwitchOfTwelveLinesAndSixSpines) {
  const Network net = make_network("odin");
  EXPECT_EQ(net.router_count(), 18U);
  EXPECT_EQ(net.terminal_count(), 128U);
  EXPECT_EQ(diameter(net), 2U);
  for (const auto& [ends, count] : multiplicity(net)) {
    EXPECT_EQ(count, 2);
    const bool up = net.router_name(ends.first).starts_with("line");
    EXPECT_TRUE(net.router_name(ends.second).starts_with(up ? "spine" : "line"));
  }
  for (const RouterId r : net.routers()) {
    const bool line = net.router_name(r).starts_with("line");
    EXPECT_EQ(net.out(r).size(), line ? 12U : 24U);
    EXPECT_EQ(net.terminals_at(r).size() / 10, line ? 1U : 0U);
    EXPECT_LE(net.terminals_at(r).size(), 11U);
    EXPECT_EQ(net.port_count(r), 24U);
  }
}

TEST(Deimos, TerminalsFillThePortsInProportion) {
  constexpr std::uint32_t kPorts = 24;
  for (std::uint32_t pack = 1; pack <= 12; ++pack) {
    const Network net = make_network("deimos:pack=" + std::to_string(pack));
    ASSERT_EQ(net.terminal_count(), 724U);
    std::uint32_t most_trunks = 0;
    for (const RouterId r : net.routers()) {
      const std::uint32_t count = net.terminals_at(r).size();
      if (net.router_name(r).find("line") == std::string::npos) {
        EXPECT_EQ(count, 0U);
        continue;
      }
      const std::uint32_t free = kPorts - net.out(r).size();
      most_trunks = std::max<std::uint32_t>(most_trunks, net.out(r).size() - 12);
      EXPECT_NEAR(count, free * 724.0 / 744, 1.0) << pack << " " << net.router_name(r);
      EXPECT_LE(count, free);
    }
    if (pack >= 3) {
      EXPECT_EQ(most_trunks, pack);
    }
  }
}

TEST(Deimos, IsThreeChassisInAChain) {
  const Network net = make_network("deimos");
  EXPECT_EQ(net.router_count(), 108U);
  EXPECT_EQ(net.terminal_count(), 724U);
  EXPECT_EQ(net.channel_count(), 2U * (3 * 24 * 12 + 60));
  std::map<std::string, int> trunks;
  for (const RouterId r : net.routers()) EXPECT_LE(net.out(r).size() + net.terminals_at(r).size(), 24U);
  for (const ChannelId c : net.channels()) {
    const std::string a = net.router_name(net.source(c));
    const std::string b = net.router_name(net.target(c));
    if (a[0] != b[0]) ++trunks[a.substr(0, 1) + b[0]];
  }
  EXPECT_EQ(trunks, (std::map<std::string, int>{{"AB", 30}, {"BA", 30}, {"BC", 30}, {"CB", 30}}));
}

}  // namespace
}  // namespace unknot
