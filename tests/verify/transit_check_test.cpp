// SPDX-License-Identifier: Apache-2.0
// Pairs that pass through closed routers, counted by following each packet.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "unknot/engines/catalogue.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/transit_check.hpp"

namespace unknot {
namespace {

/// The closed router that the packet meets first on its way between others; invalid where none, or where it
/// does not arrive.
RouterId first_met(const Network& network, const Routing& routing, const std::vector<RouterId>& closed,
                   TerminalId s, TerminalId d) {
  RouterId at = network.router_of(s);
  RouterId met;
  std::size_t hop = 0;
  while (at != network.router_of(d)) {
    ChannelId next;
    if (const SourceRoutes* routes = routing.routes()) {
      const auto route = routes->route(s, d);
      if (hop < route.size()) next = route[hop];
    } else {
      next = routing.table().next(network, at, d);
    }
    if (!next.valid() || hop > network.router_count()) return {};
    if (hop > 0 && !met.valid() && std::find(closed.begin(), closed.end(), at) != closed.end()) met = at;
    at = network.target(next);
    ++hop;
  }
  return met;
}

TEST(TransitCheck, CountsWhatFollowingEachPacketCounts) {
  Progress quiet;
  std::uint64_t found = 0;
  for (const char* spec : {"torus:4x4", "xgft:m=4x3,w=2x2", "random:switches=20,links=45,terminals=33"}) {
    const Network network = make_network(spec);
    for (const char* engine : {"minhop", "updn", "angara-bfs"}) {
      if (std::string(engine) == "angara-bfs" && std::string(spec).substr(0, 5) != "torus") continue;
      Routing routing = route(network, engine, {}, quiet);
      Random random(7, 1);
      for (int damage = 0; damage < 2; ++damage) {
        for (const std::uint32_t count : {1U, 2U, 5U}) {
          std::vector<RouterId> closed;
          while (closed.size() < count) {
            const RouterId r(static_cast<std::uint32_t>(random.below(network.router_count())));
            if (std::find(closed.begin(), closed.end(), r) == closed.end()) closed.push_back(r);
          }
          std::sort(closed.begin(), closed.end());
          const TransitCheck check = check_transit(network, routing, closed, 5);
          std::uint64_t pairs = 0;
          std::vector<std::uint64_t> through(closed.size(), 0);
          for (const TerminalId d : network.terminals()) {
            for (const TerminalId s : network.terminals()) {
              if (s == d) continue;
              const RouterId met = first_met(network, routing, closed, s, d);
              if (!met.valid()) continue;
              if (pairs < 5) {
                ASSERT_LT(pairs, check.findings.size());
                EXPECT_EQ(check.findings[pairs].source, s);
                EXPECT_EQ(check.findings[pairs].destination, d);
                EXPECT_EQ(check.findings[pairs].through, met);
              }
              ++pairs;
              ++through[static_cast<std::size_t>(std::find(closed.begin(), closed.end(), met) -
                                                 closed.begin())];
            }
          }
          EXPECT_EQ(check.pairs, pairs) << spec << " " << engine;
          EXPECT_EQ(check.pairs_through, through);
          found += pairs;
        }
        if (routing.routes() != nullptr) break;
        // Loops, dead ends and detours: pairs that do not arrive do not count.
        for (int i = 0; i < 60; ++i) {
          const RouterId r(static_cast<std::uint32_t>(random.below(network.router_count())));
          const TerminalId t(static_cast<std::uint32_t>(random.below(network.terminal_count())));
          if (network.router_of(t) == r) continue;
          const auto ways = network.out(r).size();
          const auto way = static_cast<std::uint32_t>(random.below(static_cast<std::uint32_t>(ways) + 1));
          routing.table().set(r, t, way == ways ? ForwardingTable::kNone : way);
        }
      }
    }
  }
  EXPECT_GT(found, 1000U);
}

TEST(TransitCheck, LooksAtEveryAddress) {
  const Network ring = make_network("ring:5");
  Progress quiet;
  Routing routing = route(ring, "minhop", {}, quiet);
  const std::uint64_t once = check_transit(ring, routing, {RouterId(2)}).pairs;
  EXPECT_GT(once, 0U);
  routing.further.push_back(route(ring, "minhop", {}, quiet));
  const TransitCheck twice = check_transit(ring, routing, {RouterId(2)});
  EXPECT_EQ(twice.pairs, 2 * once);
  EXPECT_EQ(twice.findings.back().address, 1U);
}

}  // namespace
}  // namespace unknot
