// SPDX-License-Identifier: Apache-2.0
#include "unknot/network/cuts/properties.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <numeric>
#include <set>
#include <string>

#include "network/small_networks.hpp"
#include "unknot/network/bfs.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

const char* const kSpecs[] = {"torus:4x4",
                              "mesh:3x5,p=2",
                              "ring:7",
                              "uniring:6",
                              "hypercube:4",
                              "xgft:m=3x4,w=2x2,terminals=25",
                              "kautz:b=2,n=3",
                              "kautz:b=2,n=3,oriented=1",
                              "slimfly:q=5,p=4",
                              "dragonfly:a=4,h=2,p=2",
                              "random:switches=20,links=40,terminals=33",
                              "deimos"};

/// Numbers of shortest paths by dynamic programming over distances.
std::vector<double> path_counts(const Network& net, RouterId source) {
  BreadthFirstSearch search(net);
  const auto distance = search.from(source);
  std::vector<double> paths(net.router_count(), 0);
  paths[source.value] = 1;
  for (const RouterId r : search.order()) {
    for (const ChannelId c : net.in(r)) {
      if (distance[net.source(c).value] + 1 == distance[r.value])
        paths[r.value] += paths[net.source(c).value];
    }
  }
  return paths;
}

TEST(Properties, DistancesAgreeWithPairByPairCounting) {
  for (const char* spec : kSpecs) {
    const Network net = make_network(spec);
    const DistanceStatistics found = distance_statistics(net);
    BreadthFirstSearch search(net);
    std::uint32_t diameter = 0;
    std::uint32_t router_diameter = 0;
    double sum = 0;
    double pairs = 0;
    double hops = 0;
    std::map<double, std::uint64_t> diversity;
    for (const RouterId r : net.routers()) {
      const auto d = search.from(r);
      router_diameter = std::max(router_diameter, search.eccentricity());
      if (net.terminals_at(r).empty()) continue;
      const std::vector<double> paths = path_counts(net, r);
      for (const RouterId s : net.routers()) {
        if (net.terminals_at(s).empty()) continue;
        hops += 1.0 * d[s.value] * net.terminals_at(r).size() * net.terminals_at(s).size();
        if (r == s) continue;
        diameter = std::max(diameter, d[s.value]);
        sum += d[s.value];
        ++pairs;
        ++diversity[paths[s.value]];
      }
    }
    EXPECT_TRUE(found.exact) << spec;
    EXPECT_EQ(found.diameter, diameter) << spec;
    EXPECT_EQ(found.router_diameter, router_diameter) << spec;
    EXPECT_EQ(found.unreachable_pairs, 0U) << spec;
    EXPECT_NEAR(found.mean_distance, sum / pairs, 1e-12) << spec;
    const double terminals = net.terminal_count();
    EXPECT_NEAR(found.mean_hops, hops / (terminals * (terminals - 1)), 1e-12) << spec;
    EXPECT_EQ(found.paths.min, diversity.begin()->first) << spec;
    EXPECT_EQ(found.paths.max, diversity.rbegin()->first) << spec;
    double all_paths = 0;
    for (const auto& [paths, n] : diversity) all_paths += paths * static_cast<double>(n);
    EXPECT_NEAR(found.paths.mean, all_paths / pairs, 1e-9) << spec;
    for (const PathDiversity::Bin& bin : found.paths.bins) {
      std::uint64_t expected = 0;
      for (const auto& [paths, n] : diversity) expected += paths >= bin.first && paths <= bin.last ? n : 0;
      EXPECT_EQ(bin.pairs, expected) << spec << " " << bin.first;
    }
  }
}

TEST(Properties, PathsOfLargeCountsShareBins) {
  // Corner to corner of an 8 x 8 mesh: C(14, 7) = 3432 shortest paths.
  const DistanceStatistics found = distance_statistics(make_network("mesh:8x8"));
  EXPECT_EQ(found.paths.max, 3432);
  EXPECT_EQ(found.paths.bins.back().first, 2049);
  EXPECT_EQ(found.paths.bins.back().last, 4096);
  const std::uint64_t pairs =
      std::accumulate(found.paths.bins.begin(), found.paths.bins.end(), std::uint64_t{0},
                      [](std::uint64_t sum, const PathDiversity::Bin& bin) { return sum + bin.pairs; });
  EXPECT_EQ(pairs, 64U * 63U);
  // A long line of doubled cables: numbers of paths far beyond 2^64.
  std::vector<testing_networks::Ends> line;
  for (std::uint32_t r = 0; r < 1500; ++r) line.insert(line.end(), 2, {r, r + 1});
  const DistanceStatistics doubled = distance_statistics(testing_networks::cables(1501, line));
  EXPECT_TRUE(std::isinf(doubled.paths.max));
  EXPECT_EQ(doubled.paths.bins.front().first, 2);
}

TEST(Properties, TheSameAtAnyNumberOfThreads) {
  for (const char* spec : kSpecs) {
    const Network net = make_network(spec);
    PropertiesOptions options;
    options.distances.threads = options.bisection.threads = 1;
    const Properties one = properties(net, options);
    options.distances.threads = options.bisection.threads = 5;
    const Properties five = properties(net, options);
    EXPECT_EQ(one.distances.paths.mean, five.distances.paths.mean) << spec;
    EXPECT_EQ(one.distances.pairs_at, five.distances.pairs_at) << spec;
    EXPECT_EQ(one.bisection->side, five.bisection->side) << spec;
  }
}

TEST(Properties, CountsPairsWithoutAPathApart) {
  const DistanceStatistics found = distance_statistics(testing_networks::cables(5, {{0, 1}, {1, 2}, {3, 4}}));
  EXPECT_EQ(found.unreachable_pairs, 2U * 3U * 2U);
  EXPECT_EQ(found.diameter, 2U);
  EXPECT_EQ(found.pairs_at, (std::vector<std::uint64_t>{0, 6, 2}));
  EXPECT_EQ(properties(testing_networks::cables(5, {{0, 1}})).moore_ratio, 0);
}

TEST(Properties, DegenerateNetworksHaveValues) {
  EXPECT_EQ(properties(Network()).routers, 0U);
  const Properties lone = properties(make_network("ring:1,p=3"));
  EXPECT_EQ(lone.distances.diameter, 0U);
  EXPECT_EQ(lone.distances.mean_hops, 0);
  EXPECT_EQ(lone.radix, 3U);
  EXPECT_EQ(lone.ports_per_terminal, 1);
  EXPECT_FALSE(lone.bisection);
  const Properties bare = properties(make_network("torus:4x4,p=0"));
  EXPECT_EQ(bare.distances.diameter, 4U);
  EXPECT_EQ(bare.links_per_terminal, 0);
  EXPECT_EQ(bare.bisection->cut, 8);
}

TEST(Properties, SamplesWhatIsTooLarge) {
  const Network net = make_network("torus:10x10x10");
  DistanceOptions options;
  options.max_looks = 50 * 7000;
  const DistanceStatistics sample = distance_statistics(net, options);
  EXPECT_FALSE(sample.exact);
  // Each router of a torus sees the same.
  EXPECT_EQ(sample.diameter, 15U);
  EXPECT_NEAR(sample.mean_distance, distance_statistics(net).mean_distance, 1e-12);
  EXPECT_EQ(std::accumulate(sample.pairs_at.begin(), sample.pairs_at.end(), std::uint64_t{0}), 50U * 999U);
}

TEST(Properties, CostIsAsPublished) {
  // Kathareios et al. 2015, table of costs: Slim Fly q=13.
  PropertiesOptions options;
  const Properties nine = properties(make_network("slimfly:q=13,p=9"), options);
  EXPECT_EQ(nine.terminals, 3042U);
  EXPECT_EQ(nine.radix, 28U);
  EXPECT_NEAR(nine.ports_per_terminal, 28.0 / 9, 1e-12);
  EXPECT_NEAR(nine.links_per_terminal, 2.0556, 5e-5);
  EXPECT_NEAR(nine.moore_ratio, 338.0 / 362.0, 1e-12);
  const Properties ten = properties(make_network("slimfly:q=13,p=10"), options);
  EXPECT_NEAR(ten.ports_per_terminal, 2.900, 5e-4);
  EXPECT_NEAR(ten.links_per_terminal, 1.950, 5e-4);
}

TEST(Properties, TheHoffmanSingletonGraphMeetsTheMooreBound) {
  const Properties found = properties(make_network("slimfly:q=5"));
  EXPECT_EQ(found.moore_ratio, 1);
  EXPECT_EQ(found.distances.paths.max, 1);
  EXPECT_EQ(moore_bound(7, 2), 50);
  EXPECT_EQ(moore_bound(3, 2), 10);
  EXPECT_EQ(moore_bound(2, 1'000'000'000), 2'000'000'001.0);
  EXPECT_EQ(moore_bound(1, 1), 2);
  EXPECT_EQ(moore_bound(0, 0), 1);
  EXPECT_EQ(moore_bound(2, 3, true), 15);
  EXPECT_EQ(moore_bound(1, 4, true), 5);
  EXPECT_EQ(properties(make_network("uniring:6")).moore_ratio, 1);
}

struct Known {
  const char* name;
  std::uint32_t routers, cables, degree, diameter;
  double mean_distance;
};

class GraphGolf : public testing::TestWithParam<Known> {};

TEST_P(GraphGolf, MeanDistanceIsTheContests) {
  const Known& known = GetParam();
  std::string path = UNKNOT_SHARED_DIR "/data/graphgolf/general/" + std::string(known.name);
  std::ifstream file(path + ".edges");
  if (!file) file.open(path + ".random.edges");
  if (!file) GTEST_SKIP() << "Graph Golf graphs not present";
  std::vector<testing_networks::Ends> ends;
  std::uint32_t routers = 0;
  for (std::uint32_t a = 0, b = 0; file >> a >> b;) {
    ends.emplace_back(a, b);
    routers = std::max({routers, a + 1, b + 1});
  }
  const Properties found = properties(testing_networks::cables(routers, ends));
  EXPECT_EQ(found.routers, known.routers);
  EXPECT_EQ(found.cables, known.cables);
  EXPECT_EQ(found.max_degree, known.degree);
  EXPECT_EQ(found.distances.diameter, known.diameter);
  EXPECT_NEAR(found.distances.mean_distance, known.mean_distance, 5e-7);
}

INSTANTIATE_TEST_SUITE_P(
    General, GraphGolf,
    testing::Values(Known{"n8d3", 8, 12, 3, 2, 1.571429}, Known{"n16d4", 16, 32, 4, 3, 1.916667},
                    Known{"n36d4", 36, 72, 4, 5, 2.639683}, Known{"n64d4", 64, 128, 4, 5, 3.154266},
                    Known{"n64d8", 64, 256, 8, 3, 2.185020}, Known{"n72d4", 72, 144, 4, 6, 3.215962},
                    Known{"n84d5", 84, 210, 5, 5, 2.934309}, Known{"n128d6", 128, 384, 6, 5, 2.899975},
                    Known{"n256d5", 256, 640, 5, 6, 3.732445}, Known{"n256d8", 256, 1024, 8, 4, 2.894608},
                    Known{"n256d4g64", 256, 512, 4, 6, 4.168627},
                    Known{"n322d14", 322, 2254, 14, 4, 2.487471}, Known{"n512d6", 512, 1536, 6, 6, 3.761237},
                    Known{"n512d6g256", 512, 1536, 6, 5, 3.863014},
                    Known{"n863d30", 863, 12945, 30, 3, 2.304659},
                    Known{"n1024d4", 1024, 2048, 4, 9, 5.652731},
                    Known{"n1024d10", 1024, 5120, 10, 5, 3.302194}),
    [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace unknot
