// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/adaptive/adaptive_groups.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "effort.hpp"
#include "routed.hpp"
#include "unknot/network/distances.hpp"
#include "unknot/routing/up_down/up_down_order.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/adaptive/adaptive_verdict.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

std::vector<std::string> networks_for_groups() {
  std::vector<std::string> specs;
  for (const Topology& row : topologies())
    specs.insert(specs.end(), row.examples.begin(), row.examples.end());
  specs.insert(specs.end(),
               {"torus:3x3x2,p=3", "random:switches=30,links=70,terminals=100", "ring:2", "mesh:1,p=4"});
  std::erase_if(specs, [](const std::string& spec) {
    return fewer_cases() && make_network(spec).terminal_count() > 600;
  });
  return specs;
}

AdaptiveVerdict checked(const Network& network, const AdaptiveRouting& routing) {
  Progress quiet;
  AdaptiveVerifyOptions options;
  options.certificate = true;
  options.threads = 1;
  AdaptiveVerdict verdict = verify_adaptive(network, routing, options, quiet);
  if (verdict.certificate) {
    std::string why;
    EXPECT_TRUE(check_adaptive_certificate(network, routing, *verdict.certificate, false, 1, &why)) << why;
  }
  return verdict;
}

TEST(AdaptiveGroups, ShortestOnesDeliverByAllShortestPathsEverywhere) {
  Progress quiet;
  for (const std::string& spec : networks_for_groups()) {
    SCOPED_TRACE(spec);
    const Network network = make_network(spec);
    const AdaptiveRouting routing = shortest_groups(network, nullptr, 1, quiet);
    const AdaptiveVerdict verdict = checked(network, routing);
    EXPECT_TRUE(verdict.delivers());
    EXPECT_TRUE(verdict.minimal);
    EXPECT_EQ(verdict.max_hops, verdict.max_distance);
  }
}

TEST(AdaptiveGroups, UpDownOnesAreFreeOfDeadlockOnOneLaneEverywhere) {
  Progress quiet;
  for (const std::string& spec : networks_for_groups()) {
    SCOPED_TRACE(spec);
    const Network network = make_network(spec);
    if (std::ranges::any_of(network.reverses(), [](ChannelId c) { return !c.valid(); })) continue;
    const AdaptiveVerdict verdict =
        checked(network, up_down_groups(network, group_order(network), nullptr, 1, quiet));
    EXPECT_TRUE(verdict.delivers());
    EXPECT_EQ(verdict.method, AdaptiveMethod::acyclic);
    EXPECT_LE(verdict.lanes_used, 1U);
  }
}

TEST(AdaptiveGroups, OfATreeAreAllItsShortestPathsWithTheTablesChannelAmongThem) {
  Progress quiet;
  for (const char* spec : {"xgft:m=4x4,w=2x2", "xgft:m=4x4x2,w=1x2x3", "xgft:m=6,w=3"}) {
    SCOPED_TRACE(spec);
    const Network network = make_network(spec);
    const Routing tables = routed(network, "updn");
    const AdaptiveRouting routing = up_down_groups(network, group_order(network), &tables.table(), 2, quiet);
    const AdaptiveRouting shortest = shortest_groups(network, &tables.table(), 1, quiet);
    EXPECT_TRUE(routing.planes[0].same_ports(shortest.planes[0]));
    EXPECT_TRUE(checked(network, routing).minimal);
    for (const RouterId r : network.routers()) {
      for (const TerminalId t : network.terminals()) {
        if (network.router_of(t) == r) continue;
        EXPECT_EQ(routing.planes[0].choices(r)[routing.planes[0].entry(r, t)].fixed,
                  tables.table().get(r, t));
      }
    }
  }
}

TEST(AdaptiveGroups, AroundTablesOfAnyDeadlockFreeEngineKeepAnEscape) {
  Progress quiet;
  int wide = 0;
  int by_escape = 0;
  for (const std::string& spec : networks_for_groups()) {
    const Network network = make_network(spec);
    if (fewer_cases() && network.terminal_count() > 150) continue;
    for (const char* engine : {"dfsssp", "updn", "nue", "unknot:effort=0.05", "lash"}) {
      SCOPED_TRACE(spec + " " + engine);
      Routing tables;
      try {
        tables = routed(network, engine);
      } catch (const RoutingFailure&) {
        continue;
      }
      if (tables.routes() != nullptr || tables.lane_map) continue;
      const Verdict proof = verify(network, tables, {.certificate = true}, quiet);
      ASSERT_TRUE(proof.certificate.has_value());
      const AdaptiveRouting routing = escape_groups(network, tables, proof.certificate->number, quiet);
      const AdaptiveVerdict verdict = checked(network, routing);
      EXPECT_TRUE(verdict.delivers());
      EXPECT_TRUE(verdict.deadlock_free());
      if (proof.minimal()) {
        EXPECT_TRUE(verdict.minimal);
      }
      wide += verdict.most_choices > 1 ? 1 : 0;
      by_escape += verdict.method == AdaptiveMethod::escape ? 1 : 0;
    }
  }
  EXPECT_GT(wide, 10);
  EXPECT_GT(by_escape, 3);
}

TEST(AdaptiveGroups, AreTheSameOnAnyNumberOfThreads) {
  Progress quiet;
  const Network network = make_network("dragonfly:a=4,p=2,h=2");
  const Routing tables = routed(network, "dfsssp");
  const Verdict proof = verify(network, tables, {.certificate = true}, quiet);
  const auto same = [](const AdaptivePlane& a, const AdaptivePlane& b) {
    for (std::uint32_t r = 0; r < a.router_count(); ++r) {
      const RouterId router(r);
      if (!std::ranges::equal(a.row(router), b.row(router)) ||
          !std::ranges::equal(a.choices(router), b.choices(router)))
        return false;
    }
    return true;
  };
  EXPECT_TRUE(same(escape_groups(network, tables, proof.certificate->number, quiet).planes[0],
                   escape_groups(network, tables, proof.certificate->number, quiet).planes[0]));
  EXPECT_TRUE(same(shortest_groups(network, nullptr, 1, quiet).planes[0],
                   shortest_groups(network, nullptr, 3, quiet).planes[0]));
}

}  // namespace
}  // namespace unknot
