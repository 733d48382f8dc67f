// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "unknot/engines/catalogue.hpp"
#include "unknot/load/congestion.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/routing/up_down/level_order.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/patterns/patterns.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

Routing ftree(const Network& network) {
  Progress quiet;
  return route(network, "ftree", {}, quiet);
}

Verdict verdict_of(const Network& network) {
  Progress quiet;
  return verify(network, ftree(network), {}, quiet);
}

double bandwidth(const Network& network, const Routing& routing) {
  Progress quiet;
  return congestion(network, routing, bisection(network.terminal_count()), 60, 1, 0, quiet)
      .effective_bisection_bandwidth;
}

/// By channel: the destinations whose packets take it, from any terminal.
std::vector<std::uint32_t> destinations_on(const Network& network, const Routing& routing) {
  std::vector<std::uint32_t> count(network.channel_count(), 0);
  for (const TerminalId t : network.terminals()) {
    std::set<std::uint32_t> used;
    for (const RouterId source : network.routers()) {
      if (network.terminals_at(source).empty()) continue;
      for (RouterId at = source; at != network.router_of(t);) {
        const ChannelId c = routing.table().next(network, at, t);
        used.insert(c.value);
        at = network.target(c);
      }
    }
    for (const std::uint32_t c : used) ++count[c];
  }
  return count;
}

bool leads_down(const Network& network, ChannelId c) {
  return network.levels()[network.target(c).value] < network.levels()[network.source(c).value];
}

TEST(Ftree, EveryChannelDownServesOneDestinationOfAFullTree) {
  // The mark of d-mod-k: two packets for different terminals never meet on the way down.
  for (const char* spec :
       {"kary-ntree:k=4,n=2", "kary-ntree:k=4,n=3", "kary-ntree:k=3,n=4", "xgft:m=4x3,w=4x5"}) {
    const Network network = make_network(spec);
    const std::vector<std::uint32_t> count = destinations_on(network, ftree(network));
    for (const ChannelId c : network.channels()) {
      if (!leads_down(network, c)) continue;
      ASSERT_LE(count[c.value], 1U) << spec << " " << network.channel_name(c);
    }
  }
}

TEST(Ftree, SpreadsDestinationsEvenlyOverThinnerTrees) {
  // Half as many parents as terminals on a leaf, or a number that does not divide: as even as can be.
  for (const char* spec : {"xgft:m=6x6,w=3x3", "xgft:m=8,w=3", "kary-ntree:k=4,n=3,terminals=90"}) {
    const Network network = make_network(spec);
    const std::vector<std::uint32_t> count = destinations_on(network, ftree(network));
    std::uint32_t least_of_leaves = ~0U;
    std::uint32_t most_of_leaves = 0;
    for (const ChannelId c : network.channels()) {
      if (!leads_down(network, c) || network.levels()[network.target(c).value] != 0) continue;
      least_of_leaves = std::min(least_of_leaves, count[c.value]);
      most_of_leaves = std::max(most_of_leaves, count[c.value]);
    }
    EXPECT_LE(most_of_leaves, least_of_leaves + 1) << spec;
  }
}

TEST(Ftree, BandwidthIsAtLeastThatOfOpenSm) {
  // Engine ftree of OpenSM 3.3.23 on the same fabrics; its own matchings differ by up to .004 at 256
  // terminals and .001 at 1024.
  const struct {
    const char* spec;
    double opensm;
  } known[] = {{"kary-ntree:k=10,n=2,terminals=128", .7519},  {"kary-ntree:k=16,n=2,terminals=256", .8260},
               {"kary-ntree:k=6,n=3,terminals=512", .4413},   {"kary-ntree:k=10,n=3,terminals=1024", .6888},
               {"kary-ntree:k=14,n=3,terminals=2048", .7031}, {"xgft:m=16,w=8,terminals=256", .5953},
               {"xgft:m=6x6,w=3x3,terminals=512", .2265},     {"xgft:m=10x10,w=5x5,terminals=1024", .3598}};
  for (const auto& row : known) {
    const Network network = make_network(row.spec);
    EXPECT_GE(bandwidth(network, ftree(network)), row.opensm - 0.005) << row.spec;
  }
  const Network large = make_network("kary-ntree:k=14,n=3,terminals=2048");
  EXPECT_GE(bandwidth(large, ftree(large)), .755);
}

TEST(Ftree, LeavesNoPairOutWhereTheTreeIsImperfect) {
  // OpenSM's ftree leaves 2896 pairs of this one without a route.
  const Verdict deimos = verdict_of(make_network("deimos"));
  EXPECT_TRUE(deimos.minimal() && deimos.deadlock_free);
  int tried = 0;
  for (const char* spec : {"kary-ntree:k=4,n=3", "xgft:m=6x6,w=3x3", "xgft:m=12,w=4,terminals=100"}) {
    const Network whole = make_network(spec);
    for (int seed = 1; seed <= 12; ++seed) {
      const std::string faults = "cable-rate=0.1,router-count=2,seed=" + std::to_string(seed);
      const Network network = with_faults(whole, parse_faults(whole, faults));
      Progress quiet;
      const Verdict minhop = verify(network, route(network, "minhop", {}, quiet), {}, quiet);
      const Verdict verdict = verdict_of(network);
      // What is cut off stays cut off; all the rest is routed.
      EXPECT_EQ(verdict.unroutable_pairs, minhop.unroutable_pairs) << spec << " " << faults;
      EXPECT_TRUE(verdict.deadlock_free && verdict.loop_free()) << spec << " " << faults;
      ++tried;
    }
  }
  EXPECT_EQ(tried, 36);
}

TEST(Ftree, UsesTheSpineThatTheManagementNodeIsOn) {
  NetworkBuilder builder;
  builder.add_routers(10);  // leaves 0 to 7, spines 8 and 9
  for (std::uint32_t leaf = 0; leaf < 8; ++leaf) {
    for (const std::uint32_t spine : {8U, 9U}) {
      builder.add_cable(RouterId(leaf), RouterId(spine));
      builder.add_cable(RouterId(leaf), RouterId(spine));
    }
    for (int i = 0; i < 8; ++i) builder.add_terminal(RouterId(leaf));
  }
  builder.add_terminal(RouterId(9));
  const Network network = std::move(builder).build();
  const std::vector<std::uint32_t> count = destinations_on(network, ftree(network));
  for (const ChannelId c : network.channels()) {
    if (network.source(c).value < 8) continue;
    // Eight terminals below each leaf, four cables to it: two on each. The management node's own packets come
    // down from its spine to all eight, by two cables.
    EXPECT_EQ(count[c.value], network.source(c).value == 8 ? 2U : 4U) << network.channel_name(c);
  }
}

TEST(Ftree, SaysWhatIsNoTree) {
  Progress quiet;
  for (const char* spec : {"torus:4x4", "slimfly:q=5", "ring:2"}) {
    try {
      (void)route(make_network(spec), "ftree", {}, quiet);
      FAIL() << spec;
    } catch (const RoutingFailure& failure) {
      EXPECT_STREQ(
          failure.what(),
          "engine ftree does not fit this network: every router carries terminals, a tree has routers "
          "above them that carry none");
    }
  }
  EXPECT_THROW((void)route(make_network("uniring:4"), "ftree", {}, quiet), RoutingFailure);
}

}  // namespace
}  // namespace unknot
