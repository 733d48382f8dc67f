// SPDX-License-Identifier: Apache-2.0
#include "unknot/bounds/hose_bound.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "effort.hpp"
#include "unknot/bounds/adversary/adversary.hpp"
#include "unknot/bounds/concurrent_flow.hpp"
#include "unknot/bounds/exchange.hpp"
#include "unknot/network/bfs.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "unknot/traffic/patterns/fixed_pattern.hpp"
#include "verify/fabrics.hpp"

namespace unknot {
namespace {

HoseBound bound_of(const Network& network) {
  Progress silent;
  return hose_bound(network, 1, silent);
}

/// The largest multiple that any paths carry, exactly.
double throughput_of(const Network& network, const TrafficPattern& pattern) {
  const RouterDemand demand = exchange_of(network, pattern, 1, 0).between;
  return check_flow({network, demand}, flow_by_program({network, demand})).lower;
}

TEST(HoseBound, ClosedForms) {
  struct Case {
    const char* topology;
    double bound;
  };
  for (const Case& one : {
           // antipodes at k / 2 in each of n dimensions, 2 n channels a router: 4 / (k p)
           Case{"torus:4x4", 1}, Case{"torus:6x6,p=2", 1.0 / 3}, Case{"torus:4x4x4,p=3", 1.0 / 3},
           // odd: (k - 1) / 2 in each dimension
           Case{"torus:5x5", 1}, Case{"ring:9", 0.5},
           Case{"uniring:6", 0.2},  // one way: k - 1 hops over one channel each
           // complete: p times one hop over n - 1 channels
           Case{"hyperx:6,p=2", 2.5}, Case{"hyperx:6,p=5", 1},
           Case{"hyperx:4x4,p=3", 1},  // 6 channels, two hops
           Case{"hypercube:5", 1}, Case{"hypercube:4,p=2", 0.5},
           // non-blocking trees: every terminal has a channel up and one down at each level
           Case{"kary-ntree:k=4,n=3", 1}, Case{"fattree2:8", 1}, Case{"fattree3:8", 1},
           Case{"xgft:m=4x4,w=2x2", 96.0 / (64 * 4)},  // 2 (16 * 2 + 8 * 2) channels, four hops
           Case{"petersen", 1.5},                      // 3 channels, two hops
           Case{"slimfly:q=5,p=3", 7.0 / 6},
           Case{"mesh:4x4", 48.0 / 64},  // across the middle of either dimension: 2 hops each on average
       }) {
    SCOPED_TRACE(one.topology);
    const HoseBound bound = bound_of(make_network(one.topology));
    EXPECT_TRUE(bound.exact());
    EXPECT_NEAR(bound.throughput(), one.bound, 1e-12);
  }
}

TEST(HoseBound, IsNotBelowTheWorstOfAllPermutations) {
  Random random(7);
  std::uint32_t compared = 0;
  double tightest = 1e9;
  for (int i = 0; i < (fewer_cases() ? 30 : 120); ++i) {
    const Network network = testing::random_fabric(random, true, 6, 2);
    if (network.terminal_count() < 2 || network.terminal_count() > 5) continue;
    const HoseBound bound = bound_of(network);
    EXPECT_TRUE(bound.exact());
    EXPECT_EQ(bound.unreachable_pairs, 0U);
    if (bound.length == 0) continue;
    ++compared;
    std::vector<std::uint32_t> target(network.terminal_count());
    std::iota(target.begin(), target.end(), 0U);
    double worst = std::numeric_limits<double>::infinity();
    do {
      worst = std::min(worst, throughput_of(network, pattern_of_targets(target)));
    } while (std::next_permutation(target.begin(), target.end()));
    EXPECT_GE(bound.throughput(), worst * (1 - 1e-7));
    tightest = std::min(tightest, bound.throughput() / worst);
  }
  EXPECT_GT(compared, 8U);
  EXPECT_NEAR(tightest, 1, 1e-6);
}

/// The worst traffic is at least as bad as any, and the bound no worse than the worst.
TEST(HoseBound, IsNotBelowThatOfItsOwnTrafficOnEveryTopology) {
  std::uint32_t compared = 0;
  for (const Topology& family : topologies()) {
    for (const std::string& example : family.examples) {
      const Network network = make_network(example);
      if (network.channel_count() * EndpointRouters(network).count() > (fewer_cases() ? 600 : 4000)) continue;
      SCOPED_TRACE(example);
      const HoseBound bound = bound_of(network);
      EXPECT_TRUE(bound.exact());
      EXPECT_LE(bound.channels, network.channel_count());
      if (bound.unreachable_pairs > 0) {
        EXPECT_EQ(bound.throughput(), 0);
        continue;
      }
      if (bound.length == 0) continue;
      ++compared;
      const double own = throughput_of(network, make_pattern(network, "longest-matching"));
      EXPECT_GE(bound.throughput(), own * (1 - 1e-7));
      // any other permutation is shorter
      for (const char* name : {"permutation", "tornado", "shift-router", "bit-complement"}) {
        std::uint64_t length = 0;
        BreadthFirstSearch search(network);
        std::vector<Flow> flows;
        make_pattern(network, name).flows(1, 0, flows);
        for (const Flow& flow : flows)
          length += search.from(network.router_of(flow.source))[network.router_of(flow.destination).value];
        EXPECT_LE(length, bound.length) << name;
      }
    }
  }
  EXPECT_GT(compared, fewer_cases() ? 10U : 30U);
}

/// What a routing without regard to the load carries of its worst permutation, it carries of any traffic.
TEST(HoseBound, IsNotBelowWhatObliviousRoutingsCarryOfTheirWorstOnEveryTopology) {
  Progress silent;
  std::uint32_t compared = 0;
  for (const Topology& family : topologies()) {
    for (const std::string& example : family.examples) {
      const Network network = make_network(example);
      if (network.terminal_count() > (fewer_cases() ? 60 : 150) || EndpointRouters(network).count() < 3)
        continue;
      const HoseBound bound = bound_of(network);
      if (bound.unreachable_pairs > 0) continue;
      SCOPED_TRACE(example);
      for (const ObliviousPaths paths : {ObliviousPaths::minimal, ObliviousPaths::valiant}) {
        const Adversary worst =
            find_adversary(network, *oblivious_shares(network, paths, 1), AdversaryOptions(), silent);
        EXPECT_TRUE(worst.exact());
        EXPECT_GE(bound.throughput(), 1 / worst.load * (1 - 1e-9));
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 20U);
}

TEST(HoseBound, CountsOnlyChannelsOnAWay) {
  // two terminals joined by a cable, a router without any behind each, and a one-way link into nowhere
  NetworkBuilder builder;
  builder.add_routers(5);
  builder.add_cable(RouterId(0), RouterId(1));
  builder.add_channel(RouterId(1), RouterId(2));
  builder.add_channel(RouterId(3), RouterId(0));
  builder.add_channel(RouterId(4), RouterId(3));
  builder.add_terminal(RouterId(0));
  builder.add_terminal(RouterId(1));
  const HoseBound bound = bound_of(std::move(builder).build());
  EXPECT_EQ(bound.channels, 2U);
  EXPECT_EQ(bound.length, 2U);
  EXPECT_EQ(bound.throughput(), 1);
}

TEST(HoseBound, WithoutAPathOrTraffic) {
  NetworkBuilder builder;
  builder.add_routers(2);
  builder.add_channel(RouterId(0), RouterId(1));
  builder.add_terminal(RouterId(0));
  builder.add_terminal(RouterId(1));
  const HoseBound one_way = bound_of(std::move(builder).build());
  EXPECT_EQ(one_way.unreachable_pairs, 1U);
  EXPECT_EQ(one_way.length, 1U);
  EXPECT_EQ(one_way.throughput(), 0);
  const HoseBound inside = bound_of(testing::single(4));
  EXPECT_EQ(inside.length, 0U);
  EXPECT_TRUE(std::isinf(inside.throughput()));
  EXPECT_TRUE(inside.exact());
}

TEST(HoseBound, TheCheckFindsWhatIsWrong) {
  Progress silent;
  const Network network = make_network("mesh:3x4,p=2");
  const LongestMatching good = longest_matching(network, 1, silent);
  const auto check = [&](const LongestMatching& matching) {
    return check_hose_bound(network, matching, 2, silent);
  };
  ASSERT_TRUE(check(good).exact());
  LongestMatching shorter = good;
  shorter.parts.pop_back();
  EXPECT_LT(check(shorter).length, check(shorter).longest);
  EXPECT_FALSE(check(shorter).exact());
  EXPECT_GT(check(shorter).throughput(), check(good).throughput());
  bool found = false;
  for (const RouterId r : network.routers()) {
    LongestMatching cheap = good;
    if (cheap.sender[r.value] == 0) continue;
    --cheap.sender[r.value];
    found = true;
    EXPECT_FALSE(check(cheap).exact());
    EXPECT_GT(check(cheap).longest, 1'000'000U);
  }
  EXPECT_TRUE(found);
  LongestMatching more = good;
  ++more.parts[0].terminals;
  EXPECT_THROW((void)check(more), std::logic_error);
  LongestMatching inside = good;
  inside.parts[0].destination = inside.parts[0].source;
  EXPECT_THROW((void)check(inside), std::logic_error);
  LongestMatching other = good;
  other.sender.pop_back();
  EXPECT_THROW((void)check(other), std::logic_error);
}

}  // namespace
}  // namespace unknot
