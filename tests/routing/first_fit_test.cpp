// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/layers/first_fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "routed.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

using Arcs = std::set<std::pair<ChannelId, ChannelId>>;

Arcs dependencies(const Network& network, const ForwardingTable& table, RouterId from, TerminalId to) {
  Arcs arcs;
  ChannelId held;
  for (RouterId at = from; at != network.router_of(to);) {
    const ChannelId next = table.next(network, at, to);
    if (held.valid()) arcs.emplace(held, next);
    held = next;
    at = network.target(next);
  }
  return arcs;
}

bool reaches(const Arcs& arcs, ChannelId from, ChannelId goal, std::set<ChannelId>& seen) {
  if (from == goal) return true;
  if (!seen.insert(from).second) return false;
  for (auto it = arcs.lower_bound({from, ChannelId(0)}); it != arcs.end() && it->first == from; ++it) {
    if (reaches(arcs, it->second, goal, seen)) return true;
  }
  return false;
}

bool closes_cycle(Arcs arcs, const Arcs& more) {
  arcs.insert(more.begin(), more.end());
  return std::any_of(more.begin(), more.end(), [&](const auto& arc) {
    std::set<ChannelId> seen;
    return reaches(arcs, arc.second, arc.first, seen);
  });
}

/// First fit restated plainly: a search for cycles with each path.
std::uint32_t plain_first_fit(const Network& network, const ForwardingTable& table, ServiceLevels& levels) {
  levels = ServiceLevels(network, ServiceLevels::Rows::by_router);
  std::vector<Arcs> lanes(1);
  for (const TerminalId to : network.terminals()) {
    for (const RouterId from : network.routers()) {
      if (network.terminals_at(from).empty() || from == network.router_of(to)) continue;
      const Arcs more = dependencies(network, table, from, to);
      std::size_t lane = 0;
      while (lane < lanes.size() && closes_cycle(lanes[lane], more)) ++lane;
      if (lane == lanes.size()) lanes.emplace_back();
      lanes[lane].insert(more.begin(), more.end());
      levels.row(levels.row_of(network.terminals_at(from)[0]))[to.value] = static_cast<std::uint8_t>(lane);
    }
  }
  if (lanes.size() == 1) levels = ServiceLevels();
  return static_cast<std::uint32_t>(lanes.size());
}

TEST(FirstFit, EqualsThePlainDefinition) {
  Progress quiet;
  std::uint32_t most = 0;
  for (const char* spec : {"ring:5", "torus:4x4,p=2", "kautz:b=2,n=3,terminals=40",
                           "random:switches=24,links=50,terminals=60,seed=2",
                           "random:switches=20,links=30,p=2,seed=7", "uniring:6", "xgft:m=4x3,w=2x2"}) {
    const Network network = make_network(spec);
    const Routing sssp = routed(network, "sssp");
    ServiceLevels expected;
    const std::uint32_t lanes = plain_first_fit(network, sssp.table(), expected);
    const LaneAssignment found = first_fit(network, sssp.table(), FirstFitUnit::destination, 250, quiet);
    EXPECT_EQ(found.lanes, lanes) << spec;
    EXPECT_EQ(found.levels, expected) << spec;
    EXPECT_EQ(found.lane_paths.size(), lanes);
    EXPECT_EQ(found.lane_dependencies.size(), lanes);
    most = std::max(most, lanes);
  }
  EXPECT_GE(most, 3U);
}

TEST(FirstFit, GivesUpAtTheMostLanes) {
  Progress quiet;
  const Network network = make_network("torus:4x4,p=2");
  const Routing sssp = routed(network, "sssp");
  EXPECT_THROW((void)first_fit(network, sssp.table(), FirstFitUnit::destination, 1, quiet), RoutingFailure);
}

TEST(DfssspOnline, HasThePathsOfDfsssp) {
  for (const char* spec : {"torus:4x4,p=2", "deimos", "random:switches=30,links=70,terminals=100"}) {
    const Network network = make_network(spec);
    EXPECT_EQ(routed(network, "dfsssp-online").table(), routed(network, "dfsssp").table()) << spec;
  }
}

TEST(DfssspOnline, LanesOnKnownNetworks) {
  Progress quiet;
  const struct {
    const char* spec;
    std::uint32_t lanes;
  } known[] = {{"ring:5", 2},  // as published for a ring: one lane has a cycle
               {"ring:8,p=2", 2},
               {"slimfly:q=5,p=4", 2},
               {"kary-ntree:k=4,n=3", 1},
               {"mesh:6,p=2", 1}};
  for (const auto& row : known) {
    EXPECT_EQ(routed(make_network(row.spec), "dfsssp-online").lanes_needed, row.lanes) << row.spec;
  }
  const Network network = make_network("random:switches=64,links=128,terminals=1024");
  const Routing spread = routed(network, "dfsssp-online");
  EXPECT_EQ(spread.virtual_lanes, kMaxLanes);
  const Routing plain = routed(network, "dfsssp-online:spread=0");
  EXPECT_EQ(plain.virtual_lanes, plain.lanes_needed);
  EXPECT_EQ(plain.lanes_needed, spread.lanes_needed);
  EXPECT_TRUE(verify(network, spread, {}, quiet).deadlock_free);
  EXPECT_TRUE(verify(network, plain, {}, quiet).deadlock_free);
}

}  // namespace
}  // namespace unknot
