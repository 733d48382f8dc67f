// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "unknot/network/cuts/properties.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "unknot/traffic/patterns/router_quads.hpp"
#include "verify/fabrics.hpp"

namespace unknot {
namespace {

/// Routers that are neighbours of both.
std::vector<RouterId> middles(const Network& network, RouterId a, RouterId b) {
  std::vector<RouterId> found;
  for (const RouterId m : network.routers()) {
    const auto joins = [&](RouterId end) {
      const auto out = network.out(m);
      return std::any_of(out.begin(), out.end(), [&](ChannelId c) { return network.target(c) == end; });
    };
    if (joins(a) && joins(b)) found.push_back(m);
  }
  return found;
}

bool adjacent(const Network& network, RouterId a, RouterId b) {
  const auto out = network.out(a);
  return std::any_of(out.begin(), out.end(), [&](ChannelId c) { return network.target(c) == b; });
}

// 2 q^2 is 2 mod 4 for odd q: two routers cannot be in quads. (Kathareios et al., SC'15, section 4.)
TEST(WorstCase, QuadsCoverAllButTwoRoutersOfSlimFlies) {
  for (const Topology& family : topologies()) {
    if (family.name != "slimfly") continue;
    for (const std::uint32_t q : {4U, 5U, 7U, 8U, 9U, 11U, 13U, 16U, 17U}) {
      SCOPED_TRACE(q);
      Network network;
      try {
        network = make_network("slimfly:q=" + std::to_string(q));
      } catch (const InputError&) {
        continue;  // not one of the orders there are
      }
      const RouterQuads found = router_quads(network);
      EXPECT_EQ(found.quads.size(), q * q / 2);
      EXPECT_EQ(found.pairs.size(), q % 2);
      std::set<RouterId> used;
      for (const auto& [a, b, c, d] : found.quads) {
        for (const RouterId r : {a, b, c, d}) EXPECT_TRUE(used.insert(r).second);
        EXPECT_EQ(middles(network, a, c), std::vector<RouterId>{b});
        EXPECT_EQ(middles(network, b, d), std::vector<RouterId>{c});
        EXPECT_FALSE(adjacent(network, a, c));
        EXPECT_FALSE(adjacent(network, b, d));
      }
      for (const auto& [a, b] : found.pairs) {
        for (const RouterId r : {a, b}) EXPECT_TRUE(used.insert(r).second);
      }
      EXPECT_EQ(used.size(), network.router_count());
    }
  }
}

TEST(WorstCase, IsAPermutationOrARefusalOnEveryTopology) {
  std::uint32_t accepted = 0;
  for (const Topology& family : topologies()) {
    for (const std::string& example : family.examples) {
      SCOPED_TRACE(example);
      const Network network = make_network(example);
      TrafficPattern pattern;
      try {
        pattern = make_pattern(network, "worst-case");
      } catch (const InputError&) {
        continue;
      }
      ++accepted;
      std::vector<Flow> flows;
      pattern.flows(1, 0, flows);
      EXPECT_FALSE(flows.empty());
      std::set<TerminalId> sources;
      std::set<TerminalId> destinations;
      for (const Flow& flow : flows) {
        EXPECT_TRUE(sources.insert(flow.source).second);
        EXPECT_TRUE(destinations.insert(flow.destination).second);
        EXPECT_NE(network.router_of(flow.source), network.router_of(flow.destination));
      }
    }
  }
  EXPECT_GT(accepted, 1U);
}

TEST(WorstCase, OfTreesOfDiameterTwoMeetsOneMiddleEach) {
  // three leaves around one hub: any shift does
  std::vector<Flow> flows;
  make_pattern(testing::star(3, 2), "worst-case").flows(1, 0, flows);
  EXPECT_EQ(flows.size(), 6U);
  // two spines: every pair of leaves has two paths, there is nothing worst
  EXPECT_THROW((void)make_pattern(make_network("kary-ntree:k=2,n=2"), "worst-case"), InputError);
}

}  // namespace
}  // namespace unknot
