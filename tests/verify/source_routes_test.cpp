// SPDX-License-Identifier: Apache-2.0
// Source routes in the checker and in the measures: tables followed pair by pair must say what the tables
// say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "unknot/engines/catalogue.hpp"
#include "unknot/load/channel_load.hpp"
#include "unknot/load/congestion.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "unknot/verify/flow_search.hpp"
#include "unknot/verify/ring_rule.hpp"
#include "unknot/verify/verify.hpp"
#include "verify/fabrics.hpp"

namespace unknot {
namespace {

Routing routes_from(const Network& network, const std::vector<std::vector<std::vector<ChannelId>>>& paths) {
  std::vector<std::uint16_t> lengths;
  for (const auto& row : paths) {
    for (const auto& path : row) lengths.push_back(static_cast<std::uint16_t>(path.size()));
  }
  const auto routes = std::make_shared<SourceRoutes>(network.terminal_count(), lengths);
  for (const TerminalId s : network.terminals()) {
    for (const TerminalId d : network.terminals()) {
      const auto& path = paths[s.value][d.value];
      std::copy(path.begin(), path.end(), routes->route(s, d).begin());
    }
  }
  Routing routing;
  routing.engine = "test";
  routing.paths = routes;
  return routing;
}

/// The same paths, levels and lanes as source routes.
Routing as_routes(const Network& network, const Routing& tables) {
  std::vector<std::vector<std::vector<ChannelId>>> paths(network.terminal_count());
  for (const TerminalId s : network.terminals()) {
    for (const TerminalId d : network.terminals()) {
      paths[s.value].emplace_back();
      for (const LaneChannel& hop : follow(network, tables, s, d)) {
        if (s != d) paths[s.value].back().push_back(hop.channel);
      }
    }
  }
  Routing routing = routes_from(network, paths);
  routing.service_levels = tables.service_levels;
  routing.lane_map = tables.lane_map;
  routing.virtual_lanes = tables.virtual_lanes;
  return routing;
}

TEST(SourceRoutes, SayWhatTheTablesSay) {
  Progress quiet;
  struct Case {
    const char* spec;
    const char* engine;
  };
  for (const Case& one : {Case{"torus:4x3,p=2", "sssp"},
                          {"torus:4x4", "dfsssp"},
                          {"torus:5x3", "dor"},
                          {"random:switches=20,links=45,terminals=33,seed=9", "lash"},
                          {"kautz:b=2,n=3,terminals=24", "minhop"},
                          {"xgft:m=4x4,w=2x2,terminals=40", "updn"}}) {
    const Network network = make_network(one.spec);
    const Routing tables = route(network, one.engine, {}, quiet);
    const Routing routes = as_routes(network, tables);
    const Verdict a = verify(network, tables, {.certificate = true}, quiet);
    const Verdict b = verify(network, routes, {.threads = 3, .certificate = true}, quiet);
    EXPECT_EQ(a.unroutable_pairs, b.unroutable_pairs) << one.spec;
    EXPECT_EQ(a.longer_pairs, b.longer_pairs) << one.spec;
    EXPECT_EQ(a.total_hops, b.total_hops) << one.spec;
    EXPECT_EQ(a.max_hops, b.max_hops) << one.spec;
    EXPECT_EQ(a.lanes_used, b.lanes_used) << one.spec;
    EXPECT_EQ(a.dependencies, b.dependencies) << one.spec;
    EXPECT_EQ(a.deadlock_free, b.deadlock_free) << one.spec;
    EXPECT_EQ(a.witness.has_value(), b.witness.has_value()) << one.spec;
    if (a.witness) {
      EXPECT_EQ(a.witness->steps.size(), b.witness->steps.size()) << one.spec;
    }
    if (a.certificate) {
      EXPECT_EQ(a.certificate->number, b.certificate->number) << one.spec;
      EXPECT_TRUE(check_certificate(network, routes, *a.certificate, nullptr)) << one.spec;
    }
    EXPECT_EQ(channel_load(network, tables), channel_load(network, routes, 3)) << one.spec;
    for (const char* pattern : {"bisection", "all-to-all"}) {
      const auto traffic = make_pattern(network, pattern);
      const Congestion x = congestion(network, tables, traffic, 20, 1, 2, quiet);
      const Congestion y = congestion(network, routes, traffic, 20, 1, 2, quiet);
      EXPECT_NEAR(x.effective_bisection_bandwidth, y.effective_bisection_bandwidth, 1e-12)
          << one.spec << pattern;
      EXPECT_EQ(x.max_congestion, y.max_congestion) << one.spec << pattern;
    }
  }
}

TEST(SourceRoutes, LostRoutesAreNamed) {
  Progress quiet;
  const Network network = testing::ring(4);
  const Routing whole = as_routes(network, testing::shortest_paths(network, 1));
  std::vector<std::vector<std::vector<ChannelId>>> paths(4, std::vector<std::vector<ChannelId>>(4));
  for (const TerminalId s : network.terminals()) {
    for (const TerminalId d : network.terminals()) {
      const auto route = whole.routes()->route(s, d);
      paths[s.value][d.value].assign(route.begin(), route.end());
    }
  }
  paths[0][1].clear();                                        // none
  paths[1][3].pop_back();                                     // ends early
  paths[2][3] = {paths[0][2].front()};                        // starts elsewhere
  paths[3][2].push_back(ChannelId(network.channel_count()));  // no such channel
  const Routing routing = routes_from(network, paths);
  const Verdict verdict = verify(network, routing, {}, quiet);
  EXPECT_EQ(verdict.unroutable_pairs, 4U);
  ASSERT_EQ(verdict.findings.size(), 4U);
  using Kind = Finding::Kind;
  EXPECT_EQ(verdict.findings[0].kind, Kind::unreachable);
  EXPECT_EQ(verdict.findings[1].kind, Kind::stray_port);  // to terminal 2
  EXPECT_EQ(verdict.findings[2].kind, Kind::unreachable);
  EXPECT_EQ(verdict.findings[3].kind, Kind::stray_port);
  std::uint64_t load = 0;
  for (const std::uint64_t one : channel_load(network, routing)) load += one;
  EXPECT_EQ(load, verdict.total_hops);
}

/// All pairs of a ring of coordinates the way up.
Routing upwards(const Network& network) {
  const std::uint32_t size = network.router_count();
  std::vector<std::vector<std::vector<ChannelId>>> paths(size, std::vector<std::vector<ChannelId>>(size));
  for (std::uint32_t s = 0; s < size; ++s) {
    for (std::uint32_t d = 0; d < size; ++d) {
      for (std::uint32_t at = s; at != d; at = (at + 1) % size) {
        for (const ChannelId c : network.out(RouterId(at))) {
          if (network.target(c).value == (at + 1) % size) paths[s][d].push_back(c);
        }
      }
    }
  }
  return routes_from(network, paths);
}

TEST(RingRule, BubbleFlowControlBreaksTheCircleOfOneRing) {
  Progress quiet;
  const Network network = make_network("torus:5");
  Routing routing = upwards(network);
  const Verdict credits = verify(network, routing, {}, quiet);
  EXPECT_FALSE(credits.deadlock_free);
  EXPECT_EQ(credits.witness.value().steps.size(), 5U);
  routing.flow_control = FlowControl::bubble;
  const Verdict bubble = verify(network, routing, {.certificate = true}, quiet);
  EXPECT_TRUE(bubble.deadlock_free);
  std::string why;
  EXPECT_TRUE(check_certificate(network, routing, bubble.certificate.value(), &why)) << why;
  // The same numbers prove nothing where routers hand out credits.
  routing.flow_control = FlowControl::credits;
  EXPECT_FALSE(check_certificate(network, routing, *bubble.certificate, nullptr));
}

TEST(RingRule, CirclesOverTwoRingsStay) {
  Progress quiet;
  const Network network = make_network("torus:3x3");
  // Right, up, left, down round a square: each pair of neighbouring corners by two sides.
  const auto channel = [&](std::uint32_t from, std::uint32_t to) {
    for (const ChannelId c : network.out(RouterId(from))) {
      if (network.target(c).value == to) return c;
    }
    return ChannelId();
  };
  Routing base = route(network, "angara-sssp", {}, quiet);
  std::vector<std::vector<std::vector<ChannelId>>> paths(9, std::vector<std::vector<ChannelId>>(9));
  for (const TerminalId s : network.terminals()) {
    for (const TerminalId d : network.terminals()) {
      const auto route = base.routes()->route(s, d);
      paths[s.value][d.value].assign(route.begin(), route.end());
    }
  }
  const std::uint32_t corner[4] = {0, 1, 4, 3};
  for (std::uint32_t i = 0; i < 4; ++i) {
    const std::uint32_t a = corner[i];
    const std::uint32_t b = corner[(i + 1) % 4];
    const std::uint32_t c = corner[(i + 2) % 4];
    paths[a][c] = {channel(a, b), channel(b, c)};
  }
  Routing routing = routes_from(network, paths);
  routing.flow_control = FlowControl::bubble;
  const Verdict verdict = verify(network, routing, {}, quiet);
  EXPECT_TRUE(verdict.complete());
  EXPECT_FALSE(verdict.deadlock_free);
  const DirectedRings rings = directed_rings(network);
  const auto& steps = verdict.witness.value().steps;
  EXPECT_GE(steps.size(), 2U);
  EXPECT_LE(steps.size(), 4U);
  // It leaves its ring, and each arc is one that its flow makes.
  bool leaves = false;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const WitnessStep& here = steps[i];
    const WitnessStep& next = steps[(i + 1) % steps.size()];
    leaves = leaves || !rings.together(here.from.channel.value, next.from.channel.value);
    const auto route = routing.routes()->route(here.source, here.destination);
    const std::vector<ChannelId> both{here.from.channel, next.from.channel};
    EXPECT_NE(std::search(route.begin(), route.end(), both.begin(), both.end()), route.end());
  }
  EXPECT_TRUE(leaves);
}

TEST(RingRule, RingsAreWholeLinesOfOneDirection) {
  const DirectedRings torus = directed_rings(make_network("torus:4x2x3"));
  EXPECT_EQ(torus.count, 2U * (6 + 8));  // two directions of the lines of 4 and of 3, none of 2
  EXPECT_EQ(directed_rings(make_network("mesh:4x4")).count, 0U);
  EXPECT_EQ(directed_rings(make_network("kautz:b=2,n=3")).count, 0U);
  EXPECT_EQ(directed_rings(make_network("ring:6")).count, 2U);
}

}  // namespace
}  // namespace unknot
