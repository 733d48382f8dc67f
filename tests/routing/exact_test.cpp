// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "effort.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

Routing exact(const Network& network, std::uint32_t lanes, const std::string& engine = "exact") {
  Progress quiet;
  EngineRequest request;
  request.virtual_lanes = lanes;
  return route(network, engine, request, quiet);
}

TEST(Exact, GivesTheMinimumWithATreeForEachTerminal) {
  for (const auto& [spec, lanes] :
       {std::pair{"ring:5,p=2", 2U}, std::pair{"torus:4x4,p=3", 1U}, std::pair{"slimfly:q=5,p=2", 2U},
        std::pair{"random:switches=24,links=48,terminals=96,seed=1", 2U}}) {
    const Network network = make_network(spec);
    if (fewer_cases() && network.router_count() > 20) continue;
    const Routing routing = exact(network, 8);
    EXPECT_EQ(routing.virtual_lanes, lanes) << spec;
    Progress quiet;
    const Verdict verdict = verify(network, routing, {}, quiet);
    EXPECT_TRUE(verdict.minimal() && verdict.deadlock_free) << spec;
    EXPECT_EQ(exact(network, 8).table(), routing.table()) << spec;
  }
}

TEST(Exact, RoutersThatNoPathNeedsHaveEntriesToo) {
  Progress quiet;
  for (int seed = 1; seed <= 12; ++seed) {
    const Network network =
        make_network("random:switches=16,links=22,terminals=14,seed=" + std::to_string(seed));
    const Routing routing = exact(network, 8);
    const Verdict verdict = verify(network, routing, {}, quiet);
    EXPECT_TRUE(verdict.minimal() && verdict.deadlock_free) << seed;
    for (const RouterId r : network.routers()) {
      for (const TerminalId t : network.terminals()) {
        EXPECT_NE(routing.table().get(r, t), ForwardingTable::kNone) << seed;
      }
    }
  }
}

TEST(Exact, SaysSoWhereTheLanesAreTooFew) {
  const Network network = make_network("slimfly:q=5");
  EXPECT_THROW((void)exact(network, 1), RoutingFailure);
  // One conflict finds nothing on two lanes: more lanes are tried, up to the budget.
  EXPECT_THROW((void)exact(make_network("kautz:b=3,n=3"), 2, "exact:conflicts=1"), RoutingFailure);
}

TEST(Exact, IsForSmallNetworks) {
  EXPECT_FALSE(refusal(find_engine("exact"), make_network("torus:8x8x8")).empty());
  EXPECT_TRUE(refusal(find_engine("exact"), make_network("torus:4x4x4")).empty());
}

}  // namespace
}  // namespace unknot
