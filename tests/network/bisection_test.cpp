// SPDX-License-Identifier: Apache-2.0
#include "unknot/network/cuts/bisection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <string>

#include "network/small_networks.hpp"
#include "unknot/network/cuts/local_cut.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

/// Channels between the sides, halved.
double cut_of(const Network& net, const std::vector<std::uint8_t>& side) {
  double cut = 0;
  for (const ChannelId c : net.channels()) {
    cut += side[net.source(c).value] != side[net.target(c).value] ? 0.5 : 0;
  }
  return cut;
}

TEST(Bisection, TheCutIsThatOfItsSidesAndTheHalvesAreEven) {
  for (const Topology& row : topologies()) {
    for (const std::string& spec : row.examples) {
      const Network net = make_network(spec);
      const auto found = bisection_upper_bound(net);
      if (net.router_count() < 2) {
        EXPECT_FALSE(found);
        continue;
      }
      ASSERT_TRUE(found) << spec;
      EXPECT_EQ(found->cut, cut_of(net, found->side)) << spec;
      std::uint64_t terminals[2] = {0, 0};
      std::uint32_t most = 0;
      for (const RouterId r : net.routers()) {
        terminals[found->side[r.value]] += net.terminals_at(r).size();
        most = std::max(most, net.terminals_at(r).size());
      }
      EXPECT_EQ(terminals[0], found->terminals[0]);
      EXPECT_EQ(terminals[1], found->terminals[1]);
      EXPECT_LE(std::max(terminals[0], terminals[1]) - std::min(terminals[0], terminals[1]), most) << spec;
      EXPECT_NEAR(found->per_terminal, found->cut / (net.terminal_count() / 2.0), 1e-12) << spec;
    }
  }
}

TEST(Bisection, FindsTheLeastCutOfSmallNetworks) {
  Random random(3);
  for (int round = 0; round < 30; ++round) {
    std::vector<testing_networks::Ends> ends;
    for (std::uint32_t i = 0; i < 24; ++i) {
      const std::uint32_t a = random.below(12);
      const std::uint32_t b = random.below(12);
      if (a != b) ends.emplace_back(a, b);
    }
    const Network net = testing_networks::cables(12, ends);
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t mask = 0; mask < 1U << 12U; ++mask) {
      if (std::popcount(mask) != 6) continue;
      std::vector<std::uint8_t> side(12);
      for (std::uint32_t r = 0; r < 12; ++r) side[r] = mask >> r & 1U;
      least = std::min(least, cut_of(net, side));
    }
    EXPECT_EQ(bisection_upper_bound(net)->cut, least);
  }
}

TEST(Bisection, MeetsKnownBisections) {
  const struct {
    const char* spec;
    double cut;
  } cases[] = {
      {"ring:12", 2},          {"uniring:12", 1},    {"torus:8x8", 16},
      {"torus:4x8", 8},        {"torus:8x8x8", 128}, {"mesh:8x8", 8},
      {"hypercube:8", 128},    {"torus:12x6x3", 36}, {"kary-ntree:k=4,n=3", 32},
      {"slimfly:q=5,p=3", 65},
      // halves B.
  };
  for (const auto& known : cases) {
    EXPECT_EQ(bisection_upper_bound(make_network(known.spec))->cut, known.cut) << known.spec;
  }
}

TEST(Bisection, IsNeverAboveTheCutThatAConstructionShows) {
  for (const char* spec : {"slimfly:q=4,p=3", "slimfly:q=5,p=4", "slimfly:q=9,p=6", "mlfm:5", "mlfm:h=3,l=5",
                           "hyperx:4x6,p=3", "hyperx:3x4x5", "fattree2:6", "fattree3:6"}) {
    const auto known = known_cut(spec);
    ASSERT_TRUE(known) << spec;
    EXPECT_LE(bisection_upper_bound(make_network(spec))->cut, *known) << spec;
  }
  EXPECT_FALSE(known_cut("slimfly:q=5,terminals=77"));
  EXPECT_FALSE(known_cut("mlfm:4"));
  EXPECT_FALSE(known_cut("torus:4x4"));
}

TEST(Bisection, IsNearWhatOthersFoundForSlimFly) {
  // Half the columns of either subgraph: q (q^2+1) / 2 cables.
  EXPECT_LE(bisection_upper_bound(make_network("slimfly:q=13,p=9"))->cut, 1105 * 1.03);
  EXPECT_LE(bisection_upper_bound(make_network("slimfly:q=17,p=12"))->cut, 2465 * 1.05);
}

TEST(Bisection, LeavesTheLargestAlone) {
  BisectionOptions options;
  options.max_channels = 100;
  EXPECT_FALSE(bisection_upper_bound(make_network("torus:8x8"), options));
}

TEST(LocalCut, NeverMakesACutWorse) {
  const Network net = make_network("random:switches=60,links=150,terminals=100");
  const CutGraph graph(net);
  LocalCut local(graph);
  Random random(5);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::uint32_t> order(60);
    for (std::uint32_t r = 0; r < 60; ++r) order[r] = r;
    random.shuffle(order);
    std::vector<std::uint8_t> side(60, 1);
    for (std::uint32_t i = 0, held = 0; held + graph.weight[order[i]] <= 50; ++i) {
      held += graph.weight[order[i]];
      side[order[i]] = 0;
    }
    const double before = cut_of(net, side);
    const double after = static_cast<double>(local.improve(side)) / 2;
    EXPECT_LT(after, before);
    EXPECT_EQ(after, cut_of(net, side));
  }
}

}  // namespace
}  // namespace unknot
