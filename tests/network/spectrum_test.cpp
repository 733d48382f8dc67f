// SPDX-License-Identifier: Apache-2.0
#include "unknot/network/cuts/spectrum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "network/small_networks.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/network/cuts/bisection.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

TEST(AdjacencySpectrum, IsThatOfKnownGraphs) {
  struct Case {
    const char* spec;
    double largest, second, smallest;
  };
  const double pi = std::acos(-1.0);
  for (const Case& one : {Case{"hyperx:9", 8, -1, -1},  // complete graph
                          Case{"hypercube:5", 5, 3, -5}, Case{"ring:12", 2, 2 * std::cos(2 * pi / 12), -2},
                          Case{"slimfly:q=5", 7, 2, -3},  // Hoffman-Singleton
                          Case{"hyperx:4x4", 6, 2, -2},   // rook's graph
                          Case{"torus:5x5", 4, 2 + 2 * std::cos(2 * pi / 5), 4 * std::cos(4 * pi / 5)}}) {
    const auto found = adjacency_spectrum(make_network(one.spec));
    ASSERT_TRUE(found) << one.spec;
    EXPECT_NEAR(found->largest, one.largest, 1e-6) << one.spec;
    EXPECT_NEAR(found->second, one.second, 1e-6) << one.spec;
    EXPECT_NEAR(found->smallest, one.smallest, 1e-6) << one.spec;
    EXPECT_NEAR(found->gap(), one.largest - one.second, 1e-6) << one.spec;
  }
}

TEST(AdjacencySpectrum, SpectralFlyIsRamanujan) {
  for (const char* spec : {"spectralfly:p=11,q=7", "spectralfly:p=5,q=11", "spectralfly:p=23,q=11"}) {
    const Network net = make_network(spec);
    const auto found = adjacency_spectrum(net);
    ASSERT_TRUE(found) << spec;
    const double degree = net.max_out_degree();
    const double limit = 2 * std::sqrt(degree - 1) + 1e-6;
    EXPECT_NEAR(found->largest, degree, 1e-6) << spec;
    EXPECT_LE(found->second, limit) << spec;
    EXPECT_TRUE(found->smallest >= -limit || std::abs(found->smallest + degree) < 1e-6) << spec;
  }
}

TEST(SpectralCutBound, IsNeverAboveACutThatWasFound) {
  for (const Topology& row : topologies()) {
    for (const std::string& spec : row.examples) {
      const Network net = make_network(spec);
      const auto bound = spectral_cut_bound(net);
      if (!bound) continue;
      const auto found = bisection_upper_bound(net);
      ASSERT_TRUE(found) << spec;
      EXPECT_GT(bound->cut, 0) << spec;
      EXPECT_LE(bound->cut, found->cut) << spec;
    }
  }
}

/// Least cut over all sides whose terminals differ by at most those of one router.
double least_cut(const Network& net) {
  double least = std::numeric_limits<double>::infinity();
  std::uint32_t most = 0;
  for (const RouterId r : net.routers()) most = std::max(most, net.terminals_at(r).size());
  for (std::uint32_t sides = 0; sides < 1U << net.router_count(); ++sides) {
    std::int64_t balance = 0;
    for (const RouterId r : net.routers()) {
      const std::int64_t here = net.terminals_at(r).size();
      balance += (sides >> r.value & 1U) != 0 ? here : -here;
    }
    if (std::abs(balance) > most) continue;
    double cut = 0;
    for (const ChannelId c : net.channels())
      cut += (sides >> net.source(c).value & 1U) != (sides >> net.target(c).value & 1U) ? 0.5 : 0;
    least = std::min(least, cut);
  }
  return least;
}

TEST(SpectralCutBound, IsNeverAboveTheLeastCutOfSmallNetworks) {
  Random random(5);
  for (int round = 0; round < 40; ++round) {
    NetworkBuilder builder;
    const std::uint32_t routers = 6 + random.below(6);
    builder.add_routers(routers);
    const bool two_levels = round % 2 == 0;  // the first half carries terminals, the rest joins them
    const std::uint32_t carriers = two_levels ? routers / 2 + 1 : routers;
    for (std::uint32_t r = 0; r + 1 < routers && !two_levels; ++r)
      builder.add_cable(RouterId(r), RouterId(r + 1));
    for (std::uint32_t r = 0; r < carriers && two_levels; ++r)
      builder.add_cable(RouterId(r), RouterId(carriers));
    for (std::uint32_t u = carriers + 1; u < routers; ++u) builder.add_cable(RouterId(0), RouterId(u));
    for (std::uint32_t i = 0; i < 2 * routers; ++i) {
      const std::uint32_t a = random.below(carriers);
      const std::uint32_t b =
          two_levels ? carriers + random.below(routers - carriers) : random.below(routers);
      if (a != b) builder.add_cable(RouterId(a), RouterId(b));
    }
    for (std::uint32_t r = 0; r < carriers; ++r) {
      for (std::uint32_t t = 1 + random.below(3); t > 0; --t) builder.add_terminal(RouterId(r));
    }
    const Network net = std::move(builder).build();
    const auto bound = spectral_cut_bound(net);
    ASSERT_TRUE(bound);
    EXPECT_LE(bound->cut, least_cut(net)) << round;
  }
}

TEST(SpectralCutBound, ProvesWhatIsKnown) {
  // column partition of a Slim Fly with even q is a least cut: q^3 / 2
  EXPECT_EQ(spectral_cut_bound(make_network("slimfly:q=8,p=6"))->cut, 256);
  EXPECT_EQ(spectral_cut_bound(make_network("slimfly:q=4,p=3"))->cut, 32);
  // q (q^2 + 1) / 2 for odd q, less what one router off balance takes
  EXPECT_GE(spectral_cut_bound(make_network("slimfly:q=13,p=9"))->cut, 1098);
  for (const std::uint32_t k : {4U, 6U, 12U}) {
    const auto bound = spectral_cut_bound(make_network("oft:" + std::to_string(k)));
    ASSERT_TRUE(bound);
    EXPECT_NEAR(bound->per_terminal, 1 - std::sqrt(k - 1.0) / k, 0.005) << k;
  }
}

TEST(SpectralCutBound, SaysNothingWhereItCannot) {
  NetworkBuilder apart;
  apart.add_routers(4);
  apart.add_cable(RouterId(0), RouterId(1));
  apart.add_cable(RouterId(2), RouterId(3));
  EXPECT_FALSE(spectral_cut_bound(std::move(apart).build()));
  EXPECT_FALSE(spectral_cut_bound(make_network("ring:8"), {1, 4}));
  EXPECT_FALSE(adjacency_spectrum(make_network("ring:8"), {1, 4}));
}

}  // namespace
}  // namespace unknot
