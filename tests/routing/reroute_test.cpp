// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/reroute/reroute.hpp"

#include <gtest/gtest.h>

#include "unknot/engines/catalogue.hpp"
#include "unknot/network/connectivity.hpp"
#include "unknot/network/distances_to.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

Routing routed_on_eight(const Network& network, const std::string& engine, std::uint32_t lanes = 8) {
  Progress quiet;
  EngineRequest request;
  request.virtual_lanes = lanes;
  return route(network, engine, request, quiet);
}

Rerouted rerouted(const Network& before, const Routing& old, const Network& after, std::uint32_t lanes = 8) {
  Progress quiet;
  return reroute(before, old, after, compare_networks(before, after), lanes, quiet);
}

Verdict judge(const Network& network, const Routing& routing) {
  Progress quiet;
  return verify(network, routing, {}, quiet);
}

std::uint64_t differing_entries(const Routing& a, const Routing& b) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < a.table().bytes().size(); ++i)
    count += a.table().bytes()[i] != b.table().bytes()[i];
  return count;
}

/// Entries of shortest-path tables that lead no nearer in the new network: nobody can keep these.
std::uint64_t entries_that_cannot_stay(const Network& network, const ForwardingTable& carried) {
  std::uint64_t count = 0;
  const InNeighbours neighbours(network);
  DistancesTo search(neighbours);
  for (const TerminalId t : network.terminals()) {
    search.run(network.router_of(t));
    const auto distance = search.distance();
    for (const RouterId r : network.routers()) {
      if (r == network.router_of(t) || distance[r.value] == DistancesTo::kUnreached) continue;
      const ChannelId next = carried.next(network, r, t);
      if (!next.valid() || distance[network.target(next).value] + 1 != distance[r.value]) ++count;
    }
  }
  return count;
}

struct Case {
  const char* spec;
  const char* engine;
};
const std::vector<Case> kCases{{"xgft:m=4x3,w=2x2,p=2", "minhop"},
                               {"torus:4x4,p=2", "dfsssp"},
                               {"kautz:b=3,n=2,p=2", "dfsssp"},
                               {"random:switches=20,links=45,terminals=33", "dfsssp"},
                               {"deimos", "dfsssp"},
                               {"hypercube:4", "dfsssp"}};

TEST(Reroute, ShortestPathsChangeAsFewEntriesAsPossible) {
  for (const Case& one : kCases) {
    const Network before = make_network(one.spec);
    const Routing old = routed_on_eight(before, one.engine);
    for (int seed = 1; seed <= 6; ++seed) {
      const std::string faults = "cable-count=1,seed=" + std::to_string(seed);
      const Network after = with_faults(before, parse_faults(before, faults));
      if (disconnected_pairs(after).count > 0) continue;
      const Rerouted result = rerouted(before, old, after);
      const Verdict verdict = judge(after, result.routing);
      EXPECT_TRUE(verdict.complete()) << one.spec << seed;
      EXPECT_TRUE(verdict.deadlock_free) << one.spec << seed;
      const Routing carried = before_reroute(result);
      EXPECT_EQ(differing_entries(carried, result.routing), result.entries.size()) << one.spec;
      if (result.detoured > 0) continue;
      EXPECT_TRUE(verdict.minimal()) << one.spec << seed;
      EXPECT_EQ(result.entries.size(), result.entries_minimum) << one.spec << seed;
      EXPECT_EQ(result.entries.size(), entries_that_cannot_stay(after, carried.table())) << one.spec << seed;
    }
  }
}

TEST(Reroute, RepairsBringShortestPathsBack) {
  for (const Case& one : kCases) {
    const Network whole = make_network(one.spec);
    const Network broken = with_faults(whole, parse_faults(whole, "cable-count=2,router-count=1,seed=4"));
    if (disconnected_pairs(broken).count > 0) continue;
    const Routing old = routed_on_eight(broken, one.engine);
    const Rerouted result = rerouted(broken, old, whole);
    const Verdict verdict = judge(whole, result.routing);
    EXPECT_TRUE(verdict.complete()) << one.spec;
    EXPECT_TRUE(verdict.deadlock_free) << one.spec;
    if (result.detoured == 0) {
      EXPECT_TRUE(verdict.minimal()) << one.spec;
      EXPECT_EQ(result.entries.size(), result.entries_minimum) << one.spec;
    }
  }
}

TEST(Reroute, OneLaneUpDownTablesStayFreeOfDeadlock) {
  for (const char* spec : {"torus:4x4,p=2", "random:switches=20,links=45,terminals=33", "hypercube:4"}) {
    const Network before = make_network(spec);
    const Routing old = routed_on_eight(before, "updn");
    for (int seed = 1; seed <= 6; ++seed) {
      const Network after =
          with_faults(before, parse_faults(before, "cable-count=1,seed=" + std::to_string(seed)));
      if (disconnected_pairs(after).count > 0) continue;
      try {
        const Rerouted result = rerouted(before, old, after, 1);
        const Verdict verdict = judge(after, result.routing);
        EXPECT_TRUE(verdict.complete()) << spec << seed;
        EXPECT_TRUE(verdict.deadlock_free) << spec << seed;
      } catch (const RoutingFailure& failure) {
        ADD_FAILURE() << spec << seed << failure.what();
      }
    }
  }
}

TEST(Reroute, WhatIsCutOffHasNoEntryAndTheRestIsRouted) {
  const Network before = make_network("torus:4x4,p=2");
  const Routing old = routed_on_eight(before, "dfsssp");
  const Network after =
      with_faults(before, parse_faults(before, "cables=S-5:1+S-5:2+S-5:3+S-5:4,routers=S-10"));
  const Rerouted result = rerouted(before, old, after);
  const Verdict verdict = judge(after, result.routing);
  EXPECT_EQ(disconnected_pairs(after).count, 2U * 2 * 28);
  EXPECT_EQ(verdict.unroutable_pairs, disconnected_pairs(after).count);
  EXPECT_EQ(verdict.looping_pairs, 0U);
  EXPECT_TRUE(verdict.deadlock_free);
  // And back again.
  const Rerouted repaired = rerouted(after, result.routing, before);
  EXPECT_TRUE(judge(before, repaired.routing).complete());
  EXPECT_TRUE(judge(before, repaired.routing).deadlock_free);
}

TEST(Reroute, NothingChangesNothing) {
  const Network network = make_network("kautz:b=3,n=2,p=2");
  const Routing old = routed_on_eight(network, "dfsssp");
  const Rerouted result = rerouted(network, old, network);
  EXPECT_EQ(result.destinations, 0U);
  EXPECT_EQ(result.routing.table(), old.table());
  EXPECT_EQ(result.routing.service_levels, old.service_levels);
}

TEST(Reroute, KeepsWithinTheLanesThatTheTablesDeclare) {
  std::uint32_t spare = 0;
  for (const Case& one : kCases) {
    const Network before = make_network(one.spec);
    Routing old = routed_on_eight(before, one.engine);
    const Network after = with_faults(before, parse_faults(before, "cable-count=4,seed=3"));
    const Rerouted free = rerouted(before, old, after);
    if (free.routing.virtual_lanes == old.virtual_lanes) continue;
    ++spare;
    limit_lanes(old, old.virtual_lanes);
    try {
      EXPECT_TRUE(judge(after, rerouted(before, old, after).routing).complete()) << one.spec;
    } catch (const RoutingFailure&) {  // an answer too
    }
  }
  EXPECT_GT(spare, 0U);
}

TEST(Reroute, TooFewLanesAreAnAnswer) {
  const Network network = make_network("kautz:b=3,n=2,p=2");
  const Routing old = routed_on_eight(network, "dfsssp");
  ASSERT_GT(old.virtual_lanes, 1U);
  EXPECT_THROW((void)rerouted(network, old, network, 1), RoutingFailure);
}

}  // namespace
}  // namespace unknot
