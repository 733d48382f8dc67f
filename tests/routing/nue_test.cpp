// SPDX-License-Identifier: Apache-2.0
// What sets Nue apart: it returns deadlock-free tables for every lane budget on every network.
#include <gtest/gtest.h>

#include "effort.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/load/channel_load.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

Verdict routed_verdict(const Network& network, std::uint32_t lanes, const std::string& engine = "nue",
                       Routing* tables = nullptr) {
  Progress quiet;
  EngineRequest request;
  request.virtual_lanes = lanes;
  Routing routing = route(network, engine, request, quiet);
  EXPECT_LE(routing.virtual_lanes, lanes);
  EXPECT_LT(routing.service_levels.highest(), routing.virtual_lanes);
  const Verdict verdict = verify(network, routing, {}, quiet);
  if (tables != nullptr) *tables = std::move(routing);
  return verdict;
}

TEST(Nue, RoutesEveryNetworkWithAnyBudget) {
  int tried = 0;
  for (const Topology& row : topologies()) {
    for (const std::string& spec : row.examples) {
      const Network network = make_network(spec);
      if (!refusal(find_engine("nue"), network).empty()) continue;
      for (const std::uint32_t lanes : {1U, 2U, 4U, 8U, kMaxLanes}) {
        if (fewer_cases() && lanes != 1 && lanes != 4) continue;
        const Verdict verdict = routed_verdict(network, lanes);
        EXPECT_TRUE(verdict.complete()) << spec << " with " << lanes;
        EXPECT_TRUE(verdict.loop_free()) << spec << " with " << lanes;
        EXPECT_TRUE(verdict.deadlock_free) << spec << " with " << lanes;
        ++tried;
      }
    }
  }
  EXPECT_GT(tried, fewer_cases() ? 20 : 50);
}

TEST(Nue, RoutesManyRandomNetworksOnOneLane) {
  // Sparse and dense, with parallel cables and routers without terminals: where impasses happen.
  for (int seed = 1; seed <= 40; ++seed) {
    const std::uint32_t links = 31 + static_cast<std::uint32_t>(seed) * 2;
    const Network network = make_network("random:switches=30,links=" + std::to_string(links) +
                                         ",terminals=25,seed=" + std::to_string(seed));
    const Verdict verdict = routed_verdict(network, 1);
    EXPECT_TRUE(verdict.complete() && verdict.loop_free() && verdict.deadlock_free) << seed;
  }
}

TEST(Nue, NeedsNoDetourOnTreesAndSmallTori) {
  for (const char* spec : {"xgft:m=4x4,w=2x2", "kary-ntree:k=4,n=3", "torus:4x4x4", "hypercube:4"}) {
    EXPECT_TRUE(routed_verdict(make_network(spec), 1).minimal()) << spec;
  }
}

TEST(Nue, MoreLanesMeanShorterPaths) {
  for (const char* spec : {"slimfly:q=5", "random:switches=64,links=128,terminals=64,seed=1", "torus:6x6"}) {
    const Network network = make_network(spec);
    const double one = routed_verdict(network, 1).mean_hops();
    const double four = routed_verdict(network, 4).mean_hops();
    const double updn = routed_verdict(network, 1, "updn").mean_hops();
    EXPECT_LT(one, updn) << spec;
    EXPECT_LE(four, one) << spec;
  }
}

TEST(Nue, LanesDoNotMeetAtOneRoot) {
  // The rounds that spread load end early here: what the roots of the lanes heap up stays.
  const Network network = make_network("torus:8x8x8");
  Progress quiet;
  EngineRequest request;
  request.virtual_lanes = 8;
  const LoadStatistics load =
      load_statistics(channel_load(network, route(network, "nue:starts=1", request, quiet), 1));
  EXPECT_LT(static_cast<double>(load.max), 2 * load.mean);
}

TEST(Nue, TheLaneIsTheDestinations) {
  const Network network = make_network("torus:4x3,p=2");
  Routing routing;
  routed_verdict(network, 5, "nue", &routing);
  EXPECT_EQ(routing.virtual_lanes, 5U);
  EXPECT_EQ(routing.service_levels.highest(), 4U);
  for (const TerminalId d : network.terminals()) {
    for (const TerminalId s : network.terminals()) {
      EXPECT_EQ(routing.service_levels.get(s, d), routing.service_levels.get(TerminalId(0), d));
    }
  }
}

}  // namespace
}  // namespace unknot
