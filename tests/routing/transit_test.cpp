// SPDX-License-Identifier: Apache-2.0
// Routers that carry nothing between others: every engine, followed hop by hop, against what a search of the
// network says can be delivered.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "unknot/engines/catalogue.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/routing/transit/stub_network.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

bool contains(const std::vector<RouterId>& routers, RouterId r) {
  return std::find(routers.begin(), routers.end(), r) != routers.end();
}

/// By router: whether it reaches `from`'s packets when closed routers pass nothing on.
std::vector<bool> reached(const Network& network, RouterId from, const std::vector<RouterId>& closed) {
  std::vector<bool> seen(network.router_count(), false);
  std::vector<RouterId> queue{from};
  seen[from.value] = true;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    if (head > 0 && contains(closed, queue[head])) continue;
    for (const ChannelId c : network.out(queue[head])) {
      const RouterId next = network.target(c);
      if (seen[next.value]) continue;
      seen[next.value] = true;
      queue.push_back(next);
    }
  }
  return seen;
}

struct Count {
  std::uint64_t lost = 0, through = 0;
};

Count followed(const Network& network, const Routing& routing, const std::vector<RouterId>& closed) {
  Count count;
  for (const TerminalId s : network.terminals()) {
    for (const TerminalId d : network.terminals()) {
      if (s == d) continue;
      RouterId at = network.router_of(s);
      bool through = false;
      std::uint32_t hops = 0;
      while (at != network.router_of(d)) {
        const ChannelId next = routing.table().next(network, at, d);
        if (!next.valid() || ++hops > network.router_count()) break;
        through = through || (hops > 1 && contains(closed, at));
        at = network.target(next);
      }
      if (at != network.router_of(d))
        ++count.lost;
      else if (through)
        ++count.through;
    }
  }
  return count;
}

std::uint64_t unreachable(const Network& network, const std::vector<RouterId>& closed) {
  std::uint64_t pairs = 0;
  for (const RouterId r : network.routers()) {
    if (network.terminals_at(r).empty()) continue;
    const std::vector<bool> seen = reached(network, r, closed);
    for (const RouterId other : network.routers()) {
      if (!seen[other.value])
        pairs += std::uint64_t{network.terminals_at(r).size()} * network.terminals_at(other).size();
    }
  }
  return pairs;
}

Routing closed_routing(const Network& network, const std::string& engine,
                       const std::vector<RouterId>& closed) {
  EngineRequest request;
  request.virtual_lanes = kMaxLanes;
  for (const RouterId r : closed) request.guidance.no_transit.push_back(network.router_guid(r));
  Progress quiet;
  return route(network, engine, request, quiet);
}

std::vector<RouterId> some(const Network& network, std::uint32_t count, std::uint64_t seed) {
  std::vector<std::uint32_t> all(network.router_count());
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  Random random(seed, 1);
  random.shuffle(all);
  all.resize(count);
  std::sort(all.begin(), all.end());
  std::vector<RouterId> routers;
  for (const std::uint32_t r : all) routers.emplace_back(r);
  return routers;
}

/// Two islands that a gateway joins, 6 routers each in a ring; the gateway is the last.
Network islands() {
  NetworkBuilder builder;
  builder.add_routers(13);
  for (std::uint32_t island = 0; island < 2; ++island) {
    for (std::uint32_t i = 0; i < 6; ++i)
      builder.add_cable(RouterId(6 * island + i), RouterId(6 * island + (i + 1) % 6));
    builder.add_cable(RouterId(6 * island), RouterId(12));
    builder.add_cable(RouterId(6 * island + 3), RouterId(12));
  }
  for (std::uint32_t r = 0; r < 13; ++r) {
    for (int i = 0; i < 2; ++i) builder.add_terminal(RouterId(r));
  }
  return std::move(builder).build();
}

TEST(Transit, NothingPassesThroughClosedRoutersAndAllThatCanIsDelivered) {
  Progress quiet;
  int routed = 0;
  for (const char* spec : {"torus:4x4,p=2", "xgft:m=4x3,w=2x2", "random:switches=20,links=45,terminals=33",
                           "dragonfly:a=4,h=2,p=2", "hyperx:3x3,p=2", "ring:6"}) {
    const Network network = make_network(spec);
    for (const std::uint32_t count : {1U, 3U}) {
      const std::vector<RouterId> closed = some(network, count, count);
      const std::uint64_t unreached = unreachable(network, closed);
      for (const Engine& engine : engines()) {
        if (engine.gives_routes || engine.name == "exact") continue;
        SCOPED_TRACE(std::string(spec) + " " + engine.name + " closed " + std::to_string(count));
        Routing routing;
        try {
          routing =
              closed_routing(network, engine.name == "unknot" ? "unknot:effort=0.05" : engine.name, closed);
        } catch (const RoutingFailure&) {
          continue;  // what is left is no grid, no tree
        }
        ++routed;
        const Count count_followed = followed(network, routing, closed);
        EXPECT_EQ(count_followed.through, 0U);
        EXPECT_EQ(count_followed.lost, unreached);
        const Verdict verdict = verify(network, routing, {}, quiet);
        EXPECT_EQ(verdict.unroutable_pairs, unreached);
        EXPECT_EQ(verdict.looping_pairs, 0U);
        if (engine.promise.deadlock_free) {
          EXPECT_TRUE(verdict.deadlock_free);
        }
      }
    }
  }
  EXPECT_GE(routed, 80);
}

TEST(Transit, AClosedGatewayServesBothSidesAndJoinsNeither) {
  const Network network = islands();
  const std::vector<RouterId> closed{RouterId(12)};
  Progress quiet;
  for (const char* engine : {"minhop", "updn", "dfsssp", "unknot:effort=0.05", "nue", "lash"}) {
    SCOPED_TRACE(engine);
    const Routing routing = closed_routing(network, engine, closed);
    const Count count = followed(network, routing, closed);
    EXPECT_EQ(count.through, 0U);
    EXPECT_EQ(count.lost, 2U * 12 * 12);  // from island to island alone
    const Verdict verdict = verify(network, routing, {}, quiet);
    EXPECT_EQ(verdict.unroutable_pairs, count.lost);
    if (std::string(engine) != "minhop") {
      EXPECT_TRUE(verdict.deadlock_free);
    }
  }
}

TEST(Transit, NeighboursThatAreBothClosedUseTheirCable) {
  const Network ring = make_network("ring:6");
  const std::vector<RouterId> closed{RouterId(2), RouterId(3)};
  const Routing routing = closed_routing(ring, "updn", closed);
  EXPECT_EQ(ring.target(routing.table().next(ring, RouterId(2), TerminalId(3))), RouterId(3));
  // Round the open way.
  EXPECT_EQ(ring.target(routing.table().next(ring, RouterId(1), TerminalId(3))), RouterId(0));
  EXPECT_EQ(followed(ring, routing, closed).lost, 0U);
}

TEST(Transit, WherePathsPassThroughNoneAnywayTheTablesStayWhatTheyAre) {
  const Network tree = make_network("xgft:m=4x3,w=2x2");
  std::vector<RouterId> leaves;
  for (const RouterId r : tree.routers()) {
    if (!tree.terminals_at(r).empty()) leaves.push_back(r);
  }
  Progress quiet;
  for (const char* engine : {"ftree", "updn", "clos", "minhop", "dfsssp", "unknot"})
    EXPECT_EQ(closed_routing(tree, engine, leaves).table(), route(tree, engine, {}, quiet).table()) << engine;
}

TEST(Transit, HostsOfAClosedRouterAreDealtOutOverItsCables) {
  const Network network = make_network("torus:4x4,p=4");
  const RouterId closed(5);
  const Routing routing = closed_routing(network, "dfsssp", {closed});
  for (const ChannelId out : network.out(closed)) {
    std::uint32_t in_use = 0;
    for (const TerminalId d : network.terminals_at(closed))
      in_use += routing.table().next(network, network.target(out), d) == network.reverse(out) ? 1 : 0;
    EXPECT_EQ(in_use, 1U) << network.channel_name(out);
    std::uint32_t destinations = 0;
    for (const TerminalId d : network.terminals()) {
      destinations += routing.table().next(network, closed, d) == out ? 1 : 0;
    }
    EXPECT_GE(destinations, 10U) << network.channel_name(out);
  }
}

TEST(Transit, StubsHaveTheCablesOfOneNeighbour) {
  const Network network = make_network("torus:4x4,p=3");
  const StubNetwork stubs = stub_network(network, {RouterId(5)});
  EXPECT_EQ(stubs.network.router_count(), 15U + 3U);
  EXPECT_EQ(stubs.network.terminal_count(), network.terminal_count());
  for (const RouterId stub : stubs.stubs[5]) {
    EXPECT_EQ(stubs.network.out(stub).size(), 1U);
    EXPECT_EQ(stubs.network.terminals_at(stub).size(), 1U);
    EXPECT_EQ(stubs.network.router_guid(stub), network.router_guid(RouterId(5)));
  }
  for (const ChannelId c : stubs.network.channels())
    EXPECT_EQ(network.channel_name(stubs.channel[c.value]), stubs.network.channel_name(c));
}

TEST(Transit, SourceRoutesAreRefused) {
  const Network network = make_network("torus:4x4");
  EXPECT_THROW((void)closed_routing(network, "angara-bfs", {RouterId(5)}), RoutingFailure);
}

}  // namespace
}  // namespace unknot
