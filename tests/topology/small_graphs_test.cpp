// SPDX-License-Identifier: Apache-2.0
// Graphs of the collective-communication literature: counts, degrees, distances, cuts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "topology/refusal.hpp"
#include "unknot/network/bfs.hpp"
#include "unknot/network/cuts/bisection.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

/// Routers at each distance from `from`.
std::vector<std::uint32_t> rings(const Network& net, RouterId from) {
  BreadthFirstSearch search(net);
  std::vector<std::uint32_t> count;
  for (const std::uint32_t d : search.from(from)) {
    if (d >= count.size()) count.resize(d + 1);
    ++count[d];
  }
  return count;
}

using Rings = std::vector<std::uint32_t>;

void expect_rings_everywhere(const std::string& spec, const Rings& expected) {
  const Network net = make_network(spec);
  for (const RouterId r : net.routers()) EXPECT_EQ(rings(net, r), expected) << spec << " from " << r.value;
}

/// Length of a shortest cycle of a graph without parallel cables.
std::uint32_t girth(const Network& net) {
  std::uint32_t least = UINT32_MAX;
  BreadthFirstSearch search(net);
  for (const RouterId r : net.routers()) {
    const auto found = search.from(r);
    const std::vector<std::uint32_t> at(found.begin(), found.end());
    for (const ChannelId c : net.channels()) {
      const std::uint32_t a = at[net.source(c).value];
      const std::uint32_t b = at[net.target(c).value];
      if (a == b) least = std::min(least, 2 * a + 1);
    }
    for (const RouterId v : net.routers()) {
      std::uint32_t parents = 0;
      for (const ChannelId c : net.out(v)) parents += at[net.target(c).value] + 1 == at[v.value] ? 1 : 0;
      if (parents > 1) least = std::min(least, 2 * at[v.value]);
    }
  }
  return least;
}

TEST(NamedGraphs, MeetTheMooreBoundOfTheirDegreeOrGirth) {
  expect_rings_everywhere("petersen", {1, 3, 6});
  expect_rings_everywhere("heawood", {1, 3, 6, 4});
  expect_rings_everywhere("levi", {1, 3, 6, 12, 8});
  expect_rings_everywhere("hoffman-singleton", {1, 7, 42});
}

TEST(NamedGraphs, HaveTheGirthOfCages) {
  EXPECT_EQ(girth(make_network("petersen")), 5U);
  EXPECT_EQ(girth(make_network("heawood")), 6U);
  EXPECT_EQ(girth(make_network("levi")), 8U);
  EXPECT_EQ(girth(make_network("hoffman-singleton")), 5U);
}

TEST(Circulants, HaveTheirJumps) {
  const Network net = make_network("kring:15,jumps=1x4");
  for (const ChannelId c : net.channels()) {
    const std::uint32_t step = (net.target(c).value + 15 - net.source(c).value) % 15;
    const std::uint32_t steps[] = {1, 14, 4, 11};
    ASSERT_LE(net.source_port(c), 4);
    EXPECT_EQ(step, steps[net.source_port(c) - 1]);
  }
  expect_rings_everywhere("kring:8", {1, 4, 3});
  expect_rings_everywhere("kring:8,jumps=1x2", {1, 4, 3});
  EXPECT_EQ(make_network("kring:8").fingerprint(), make_network("midimew:8").fingerprint());
  EXPECT_EQ(make_network("kring:15").fingerprint(), make_network("kring:15,jumps=1x2").fingerprint());
  EXPECT_EQ(make_network("kring:5,jumps=1").channel_count(), make_network("ring:5").channel_count());
}

TEST(Circulants, MidimewHasAsManyNearRoutersAsAnyOfDegreeFour) {
  for (std::uint32_t n = 5; n <= 130; ++n) {
    const Network net = make_network("midimew:" + std::to_string(n));
    Rings best{1};
    for (std::uint32_t left = n - 1, d = 1; left > 0; ++d) {
      best.push_back(std::min(left, 4 * d));
      left -= best.back();
    }
    EXPECT_EQ(rings(net, RouterId(0)), best) << n;
    for (const RouterId r : net.routers()) EXPECT_EQ(net.out(r).size(), 4U);
  }
}

TEST(Circulants, ASpidergonHalvesItsRing) {
  for (std::uint32_t n = 4; n <= 40; n += 2) {
    const Network net = make_network("spidergon:" + std::to_string(n));
    EXPECT_EQ(net.channel_count(), 3 * n);
    EXPECT_EQ(rings(net, RouterId(1)).size() - 1, (n + 3) / 4) << n;
    const ChannelId across = net.channel_at(RouterId(1), 3);
    EXPECT_EQ(net.target(across).value, 1 + n / 2);
    EXPECT_EQ(net.target_port(across), 3);
  }
}

TEST(Circulants, RefuseWhatFallsApart) {
  EXPECT_EQ(
      refusal("kring:8,jumps=2x4"),
      "topology kring: the jumps and 8 routers have the divisor 2 in common: no path leads to every router");
  EXPECT_EQ(refusal("kring:8,jumps=1x5"), "topology kring: jump 5 is more than half of 8 routers");
  EXPECT_EQ(refusal("kring:8,jumps=1x1"), "topology kring: jump 1 is given twice");
  EXPECT_EQ(refusal("kring:6"),
            "topology kring: 6 routers have no second ring; give jumps, or take n=5 or n=7");
  EXPECT_EQ(refusal("spidergon:9"),
            "topology spidergon: the number of routers must be even, not 9; nearest: n=8 or n=10");
}

// Jaros 2010, Figure 4.5 and Table 8.8: 8 routers of degree 4, all-to-all scatter in 3 steps. Three is the
// bound of the sum of distances, 8 (4 + 3 * 2) over 32 channels, where the diameter is 2.
TEST(Amp, OfEightRoutersHasThePublishedDistances) {
  expect_rings_everywhere("amp:8", {1, 4, 3});
}

double mean_distance(const Network& net) {
  double sum = 0;
  for (const RouterId r : net.routers()) {
    const Rings count = rings(net, r);
    for (std::size_t d = 0; d < count.size(); ++d) sum += static_cast<double>(d) * count[d];
  }
  return sum / (net.router_count() * (net.router_count() - 1.0));
}

TEST(Amp, IsShorterThanAnyCirculant) {
  for (const std::uint32_t n : {13U, 23U, 32U, 53U}) {
    const std::string number = std::to_string(n);
    const Network net = make_network("amp:" + number + ",moves=3000");
    for (const RouterId r : net.routers()) {
      std::set<RouterId> next;
      for (const ChannelId c : net.out(r)) next.insert(net.target(c));
      EXPECT_EQ(next.size(), 4U);
    }
    EXPECT_LE(mean_distance(net), mean_distance(make_network("midimew:" + number))) << n;
    EXPECT_EQ(net.fingerprint(), make_network("amp:" + number + ",moves=3000").fingerprint());
  }
  EXPECT_NE(make_network("amp:23,moves=500").fingerprint(),
            make_network("amp:23,moves=500,seed=2").fingerprint());
}

/// Leaves of a multistage network: the routers with terminals.
std::vector<RouterId> leaves_of(const Network& net) {
  std::vector<RouterId> leaves;
  for (const TerminalId t : net.terminals()) leaves.push_back(net.router_of(t));
  return leaves;
}

/// Number of shortest paths between two routers, and their length.
std::pair<std::uint32_t, std::uint64_t> paths_between(const Network& net, RouterId from, RouterId to) {
  BreadthFirstSearch search(net);
  const auto found = search.from(from);
  const std::vector<std::uint32_t> at(found.begin(), found.end());
  std::vector<std::uint64_t> ways(net.router_count(), 0);
  ways[from.value] = 1;
  for (std::uint32_t d = 0; d < at[to.value]; ++d) {
    for (const RouterId r : net.routers()) {
      if (at[r.value] != d) continue;
      for (const ChannelId c : net.out(r)) {
        if (at[net.target(c).value] == d + 1) ways[net.target(c).value] += ways[r.value];
      }
    }
  }
  return {at[to.value], ways[to.value]};
}

TEST(Multistage, OmegaAndButterflyHaveOnePathOfAllStagesForEachPair) {
  for (const char* family : {"omega", "butterfly"}) {
    for (const std::uint32_t n : {2U, 4U, 8U, 16U}) {
      const Network net = make_network(std::string(family) + ":" + std::to_string(n));
      const auto stages = static_cast<std::uint32_t>(std::countr_zero(n));
      EXPECT_EQ(net.router_count(), n / 2 * stages + n);
      EXPECT_EQ(net.channel_count(), n * (stages + 1));
      const std::vector<RouterId> leaves = leaves_of(net);
      ASSERT_EQ(leaves.size(), n);
      EXPECT_EQ(leaves[0].value, n / 2 * stages);  // switches first
      for (const RouterId a : leaves) {
        EXPECT_EQ(net.out(a).size(), 1U);
        EXPECT_EQ(net.in(a).size(), 1U);
        for (const RouterId b : leaves) {
          if (a != b) {
            EXPECT_EQ(paths_between(net, a, b), std::pair(stages + 1, std::uint64_t{1}));
          }
        }
      }
    }
  }
}

/// Follows a packet that leaves each switch by the bit of its destination, high bit first.
TEST(Multistage, TheBitsOfTheDestinationAreThePath) {
  for (const char* family : {"omega", "butterfly"}) {
    const std::uint32_t n = 16;
    const Network net = make_network(std::string(family) + ":16");
    const std::vector<RouterId> leaves = leaves_of(net);
    for (std::uint32_t s = 0; s < n; ++s) {
      for (std::uint32_t d = 0; d < n; ++d) {
        RouterId at = net.target(net.out(leaves[s])[0]);
        for (std::uint32_t bit = 4; bit > 0; --bit) {
          const auto port = static_cast<std::uint16_t>(1 + (d >> (bit - 1) & 1U));
          at = net.target(net.channel_at(at, port));
        }
        EXPECT_EQ(at, leaves[d]) << family << " " << s << " to " << d;
      }
    }
  }
}

// The second output of the first switch is line 1 of an omega network, which the shuffle takes to line 2, and
// line 8 of a butterfly, which stays there.
TEST(Multistage, AnOmegaShufflesLinesWhereAButterflyKeepsThem) {
  const auto third_hop = [](const char* spec) {
    const Network net = make_network(spec);
    const RouterId first = net.target(net.out(leaves_of(net)[0])[0]);
    return net.target(net.channel_at(first, 2)).value;
  };
  EXPECT_EQ(third_hop("omega:16"), 8U + 1U);
  EXPECT_EQ(third_hop("butterfly:16"), 8U + 4U);
}

TEST(Multistage, AClosNetworkHasAPathByEachMiddleSwitch) {
  const Network net = make_network("clos:12");  // 4 switches of 3 leaves, 3 in the middle
  EXPECT_EQ(net.router_count(), 4U + 3U + 4U + 12U);
  EXPECT_EQ(net.channel_count(), 2U * 12U + 2U * 12U);
  const std::vector<RouterId> leaves = leaves_of(net);
  EXPECT_EQ(paths_between(net, leaves[0], leaves[11]), std::pair(4U, std::uint64_t{3}));
  EXPECT_EQ(paths_between(net, leaves[0], leaves[1]), std::pair(4U, std::uint64_t{3}));
  const Network wide = make_network("clos:12,n=2,m=5");
  EXPECT_EQ(wide.router_count(), 6U + 5U + 6U + 12U);
  EXPECT_EQ(paths_between(wide, leaves_of(wide)[3], leaves_of(wide)[8]), std::pair(4U, std::uint64_t{5}));
  EXPECT_EQ(make_network("clos:7").terminal_count(), 7U);
}

TEST(Multistage, RefusesWhatCannotBeBuilt) {
  EXPECT_EQ(refusal("omega:12"),
            "topology omega: the number of terminals must be a power of two, not 12; nearest: n=8 or n=16");
  EXPECT_EQ(refusal("clos:12,n=5"),
            "topology clos: 12 terminals do not fill switches of n=5; nearest: n=4 or n=6");
  EXPECT_EQ(refusal("clos:12,n=4,m=3"), "topology clos: m=3 middle switches block; at least n=4 are needed");
  EXPECT_THAT(refusal("omega:2147483648"), testing::HasSubstr("routers; at most"));
}

TEST(BinaryTrees, HaveTheirSwitchesLevelsAndCut) {
  const Network tree = make_network("btree:16");
  EXPECT_EQ(tree.router_count(), 15U);
  EXPECT_EQ(tree.terminal_count(), 16U);
  EXPECT_EQ(tree.channel_count(), 28U);
  EXPECT_EQ(*std::max_element(tree.levels().begin(), tree.levels().end()), 3U);
  EXPECT_EQ(bisection_upper_bound(tree)->cut, 1);
  EXPECT_EQ(known_cut("btree:16"), 1);

  const Network fat = make_network("fattree:16");
  EXPECT_EQ(fat.router_count(), 4U * 8U);
  EXPECT_EQ(fat.terminal_count(), 16U);
  EXPECT_EQ(bisection_upper_bound(fat)->cut, 8);
  EXPECT_EQ(known_cut("fattree:16"), 8);
  EXPECT_EQ(fat.fingerprint(), make_network("kary-ntree:k=2,n=4").fingerprint());

  const Network full = make_network("fulltree:15");
  EXPECT_EQ(full.channel_count(), 28U);
  EXPECT_EQ(rings(full, RouterId(0)), (Rings{1, 2, 4, 8}));
  EXPECT_EQ(rings(full, RouterId(14)), (Rings{1, 1, 2, 2, 3, 2, 4}));
  EXPECT_EQ(refusal("btree:12"),
            "topology btree: the number of terminals must be a power of two, not 12; nearest: n=8 or n=16");
}

TEST(Fat, IsTheSameNetworkWithMoreTerminals) {
  for (const char* inner :
       {"hypercube:3", "torus:4x3x2", "hyperx:3x3", "kautz:b=2,n=2,oriented=1", "mesh:3x2"}) {
    const std::string spec = inner;
    const std::string more = spec + (spec.find(':') == std::string::npos ? ":p=3" : ",p=3");
    EXPECT_EQ(make_network("fat:3," + spec).fingerprint(), make_network(more).fingerprint()) << spec;
  }
  EXPECT_EQ(make_network("fat:2,petersen").terminal_count(), 20U);
  EXPECT_NE(make_network("fat:2,torus:4x4").coordinates(), nullptr);
  // what the inner network says of terminals does not matter
  EXPECT_EQ(make_network("fat:2,ring:6,p=5").terminal_count(), 12U);
  EXPECT_EQ(make_network("fat:each=2,spec=ring:6,terminals=9").terminal_count(), 12U);
}

TEST(Fat, RefusesWhatIsNoDirectNetwork) {
  EXPECT_EQ(refusal("fat:2,btree:8"),
            "topology fat: btree:8 has routers without terminals; only direct networks become fat");
  EXPECT_EQ(refusal("fat:2,omega:8"),
            "topology fat: omega:8 has routers without terminals; only direct networks become fat");
  EXPECT_EQ(refusal("fat:2,fat:2,ring:4"),
            "topology fat: the network made fat is fat already; one number of terminals is enough");
  EXPECT_EQ(refusal("fat:2,rong:4"), "topology fat: 'rong:4' is no spec of a network, such as hypercube:3");
  EXPECT_EQ(refusal("fat:2,ring:x"), "topology ring, parameter n: 'x' is not a whole number");
  EXPECT_EQ(refusal("fat:2"), "topology fat: parameter spec is missing (the network, as hypercube:3)");
  EXPECT_EQ(refusal("fat:p=3,2,ring:4"), "topology fat has no parameter 'p'; it has: each, spec");
  EXPECT_THAT(refusal("fat:65535,ring:4"), testing::HasSubstr("at most 65535 fit"));
}

/// Largest distance between routers with terminals.
std::uint32_t diameter(const Network& net) {
  BreadthFirstSearch search(net);
  std::uint32_t largest = 0;
  for (const TerminalId from : net.terminals()) {
    const auto distance = search.from(net.router_of(from));
    for (const TerminalId to : net.terminals())
      largest = std::max(largest, distance[net.router_of(to).value]);
  }
  return largest;
}

/// Cables from router to router, parallel ones counted.
std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> cables(const Network& net) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> all;
  for (const ChannelId c : net.channels()) ++all[{net.source(c).value, net.target(c).value}];
  return all;
}

TEST(CubeConnectedCycles, HaveTheKnownDiameter) {
  // 2 d + floor(d / 2) - 2, and 6 for d = 3 [Fris, Havel, Liebl 1997]
  for (const auto& [d, known] : {std::pair(3U, 6U), {4U, 8U}, {5U, 10U}, {6U, 13U}}) {
    const Network net = make_network("cube-connected-cycles:" + std::to_string(d));
    EXPECT_EQ(net.router_count(), d << d);
    EXPECT_EQ(diameter(net), known) << d;
    for (const RouterId r : net.routers()) EXPECT_EQ(net.out(r).size(), 3U);
  }
}

TEST(BCube, ServersThatDifferInKDigitsAreKSwitchesApart) {
  const Network net = make_network("bcube:n=3,k=2");
  EXPECT_EQ(net.terminal_count(), 27U);
  EXPECT_EQ(net.router_count(), 27U + 3 * 9);
  BreadthFirstSearch search(net);
  for (std::uint32_t a = 0; a < 27; ++a) {
    const auto distance = search.from(RouterId(a));
    for (std::uint32_t b = 0; b < 27; ++b) {
      const std::uint32_t digits =
          (a % 3 != b % 3 ? 1U : 0U) + (a / 3 % 3 != b / 3 % 3 ? 1U : 0U) + (a / 9 != b / 9 ? 1U : 0U);
      EXPECT_EQ(distance[b], 2 * digits) << a << " " << b;
    }
  }
}

TEST(DCell, HasThePublishedSizesAndDiameter) {
  EXPECT_EQ(network_size("dcell:n=4,k=1").terminals, 20U);
  EXPECT_EQ(network_size("dcell:n=4,k=2").terminals, 420U);
  EXPECT_EQ(network_size("dcell:n=6,k=3").terminals, 3'263'442U);
  const Network net = make_network("dcell:n=4,k=2");
  // 2^(k+1) - 1 hops of servers at most, each over one switch at most
  EXPECT_LE(diameter(net), 2 * 7U);
  for (std::uint32_t server = 0; server < 420; ++server) EXPECT_EQ(net.out(RouterId(server)).size(), 3U);
  // two parts of a cell share one cable: server [0, 0] leads to server [1, 0], [0, 1] to [2, 0]
  const auto of_small = cables(make_network("dcell:n=4,k=1"));
  EXPECT_EQ(of_small.count({0, 4}), 1U);
  EXPECT_EQ(of_small.count({1, 8}), 1U);
}

TEST(HammingMesh, BoardsMeetInTheSwitchesOfTheirLines) {
  const Network net = make_network("hammingmesh:a=3,b=2,x=4,y=5");
  EXPECT_EQ(net.terminal_count(), 3U * 2 * 4 * 5);
  EXPECT_EQ(net.router_count(), 120U + 10 + 12);
  std::uint32_t row_switches = 0;
  for (const RouterId r : net.routers()) {
    const std::size_t degree = net.out(r).size();
    if (r.value < 120) {
      EXPECT_EQ(degree, 4U);  // as in a torus
    } else {
      row_switches += degree == 8 ? 1 : 0;
      EXPECT_TRUE(degree == 8 || degree == 10) << degree;  // two for each board of the line
    }
  }
  EXPECT_EQ(row_switches, 10U);
  // boards of one accelerator: any two are a row switch and a column switch apart
  EXPECT_EQ(diameter(make_network("hammingmesh:a=1,b=1,x=3,y=3")), 4U);
}

TEST(OtherNames, AreTheSameNetworks) {
  for (const auto& [one, other] : {std::pair("full-mesh:7,p=2", "hyperx:7,p=2"),
                                   {"circulant:n=12,jumps=1x5", "kring:n=12,jumps=1x5"},
                                   {"megafly:leaves=2,spines=3,h=2", "dragonflyplus:leaves=2,spines=3,h=2"},
                                   {"xgft:m=4x3,w=2x2,cables=1x1", "xgft:m=4x3,w=2x2"}}) {
    const Network a = make_network(one);
    const Network b = make_network(other);
    EXPECT_EQ(cables(a), cables(b)) << one;
    EXPECT_EQ(a.terminal_count(), b.terminal_count()) << one;
  }
}

TEST(Xgft, HasItsParallelCables) {
  const auto single = cables(make_network("xgft:m=4x3,w=2x2"));
  const auto bundles = cables(make_network("xgft:m=4x3,w=2x2,cables=1x3"));
  ASSERT_EQ(single.size(), bundles.size());
  std::uint32_t tripled = 0;
  for (const auto& [ends, count] : bundles) {
    ASSERT_TRUE(single.contains(ends));
    // leaves are the first twelve
    const bool leaf = std::min(ends.first, ends.second) < 12;
    EXPECT_EQ(count, leaf ? 1U : 3U);
    tripled += count == 3 ? 1 : 0;
  }
  EXPECT_EQ(tripled, 2U * 6 * 2);
  EXPECT_NE(refusal("xgft:m=4x3,w=2x2,cables=2").find("each level needs one"), std::string::npos);
}

}  // namespace
}  // namespace unknot
