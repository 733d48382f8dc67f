// SPDX-License-Identifier: Apache-2.0
// A pair is delivered only where its level has a lane on every cable, those of the two terminals included.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "unknot/verify/verify.hpp"
#include "verify/fabrics.hpp"

namespace unknot {
namespace {

using ::testing::HasSubstr;

Verdict verdict_on(const Network& network, const Routing& routing) {
  Progress quiet;
  return verify(network, routing, {.threads = 1}, quiet);
}

LaneMap::Row all(std::uint8_t lane) {
  LaneMap::Row row{};
  row.fill(lane);
  return row;
}

std::shared_ptr<LaneMap> one_row_everywhere(const Network& network, const LaneMap::Row& row) {
  auto map = std::make_shared<LaneMap>(network, std::uint8_t{1});
  for (const RouterId r : network.routers()) {
    for (std::uint16_t in = 0; in <= network.port_count(r); ++in) {
      for (std::uint16_t out = 0; out <= network.port_count(r); ++out) map->set(r, in, out, row);
    }
  }
  return map;
}

TEST(LanesAtTerminals, OneSwitchThatDropsAllDeliversNothing) {
  const Network network = testing::single(4);
  Routing routing = testing::shortest_paths(network, 1);
  ASSERT_TRUE(verdict_on(network, routing).complete());
  routing.lane_map = one_row_everywhere(network, all(LaneMap::kDrop));
  const Verdict verdict = verdict_on(network, routing);
  EXPECT_EQ(verdict.unroutable_pairs, 12U);
  EXPECT_EQ(verdict.laneless_pairs, 12U);
  ASSERT_FALSE(verdict.findings.empty());
  EXPECT_EQ(verdict.findings[0].kind, Finding::Kind::dropped_lane);
  EXPECT_EQ(describe(network, verdict.findings[0]),
            "H-1 to H-0: the SL-to-VL table of S-0 drops its service level");
}

TEST(LanesAtTerminals, TheRowOfTwoNeighboursCountsForThemAlone) {
  const Network network = testing::ring(3, 2);
  Routing routing = testing::shortest_paths(network, 1);
  auto map = one_row_everywhere(network, all(0));
  const TerminalId a(0);
  const TerminalId b(1);
  ASSERT_EQ(network.router_of(a), network.router_of(b));
  map->set(network.router_of(a), network.terminal_port(a), network.terminal_port(b), all(LaneMap::kDrop));
  routing.lane_map = map;
  const Verdict verdict = verdict_on(network, routing);
  EXPECT_EQ(verdict.unroutable_pairs, 1U);
  ASSERT_EQ(verdict.findings.size(), 1U);
  EXPECT_EQ(verdict.findings[0].source, a);
  EXPECT_EQ(verdict.findings[0].destination, b);
}

TEST(LanesAtTerminals, ALevelThatNobodyKnowsStopsNeighboursToo) {
  const Network network = testing::ring(3, 2);
  for (const auto rows : {ServiceLevels::Rows::by_router, ServiceLevels::Rows::by_terminal}) {
    Routing routing = testing::shortest_paths(network, 1);
    routing.service_levels = ServiceLevels(network, rows);
    auto& levels = routing.service_levels;
    levels.row(levels.row_of(TerminalId(0)))[1] = ServiceLevels::kMissing;
    EXPECT_EQ(verdict_on(network, routing).unroutable_pairs, 1U);
    // What a terminal has for itself means nothing, unless its neighbour shares the row.
    levels.row(levels.row_of(TerminalId(0)))[0] = ServiceLevels::kMissing;
    EXPECT_EQ(verdict_on(network, routing).unroutable_pairs,
              rows == ServiceLevels::Rows::by_router ? 2U : 1U);
  }
}

TEST(LanesAtTerminals, AnAdapterThatDropsALevelKeepsItsPackets) {
  const Network network = testing::ring(3, 2);
  Routing routing = testing::shortest_paths(network, 1);
  auto map = one_row_everywhere(network, all(0));
  map->set_source(network, TerminalId(2), all(LaneMap::kDrop));
  routing.lane_map = map;
  const Verdict verdict = verdict_on(network, routing);
  EXPECT_EQ(verdict.unroutable_pairs, 5U);
  ASSERT_FALSE(verdict.findings.empty());
  EXPECT_THAT(describe(network, verdict.findings[0]),
              HasSubstr("the adapter of H-2 drops its service level"));
}

TEST(LanesAtTerminals, LanesThatAreNotThereAreNamed) {
  const Network network = testing::ring(4);
  Routing routing = testing::shortest_paths(network, 1);
  routing.service_levels = ServiceLevels(network, ServiceLevels::Rows::by_terminal);
  for (const TerminalId s : network.terminals()) {
    for (const TerminalId d : network.terminals())
      routing.service_levels.row(s.value)[d.value] = static_cast<std::uint8_t>(4 * s.value + d.value);
  }
  EXPECT_TRUE(verdict_on(network, routing).complete());
  limit_lanes(routing, 8);
  const Verdict verdict = verdict_on(network, routing);
  EXPECT_EQ(verdict.unroutable_pairs, 6U);  // of the third and the fourth terminal
  EXPECT_EQ(verdict.laneless_pairs, 6U);
  EXPECT_EQ(verdict.lanes_wanted, 15U);
  ASSERT_FALSE(verdict.findings.empty());
  EXPECT_EQ(describe(network, verdict.findings[0]),
            "H-2 to H-0: S-2 would send it on lane 8, and only lanes 0 to 7 are there for data");
}

TEST(LanesAtTerminals, SourceRoutesEndOnTheLastCable) {
  const Network network = testing::ring(2, 2);
  const Routing tables = testing::shortest_paths(network, 1);
  std::vector<std::uint16_t> lengths;
  for (const TerminalId s : network.terminals()) {
    for (const TerminalId d : network.terminals())
      lengths.push_back(network.router_of(s) == network.router_of(d) ? 0 : 1);
  }
  const auto routes = std::make_shared<SourceRoutes>(network.terminal_count(), lengths);
  for (const TerminalId s : network.terminals()) {
    for (const TerminalId d : network.terminals()) {
      for (ChannelId& c : routes->route(s, d)) c = tables.table().next(network, network.router_of(s), d);
    }
  }
  Routing routing;
  routing.engine = "test";
  routing.paths = routes;
  ASSERT_TRUE(verdict_on(network, routing).complete());
  auto map = one_row_everywhere(network, all(0));
  const TerminalId last(3);
  for (std::uint16_t in = 0; in <= network.port_count(RouterId(1)); ++in)
    map->set(RouterId(1), in, network.terminal_port(last), all(LaneMap::kDrop));
  routing.lane_map = map;
  const Verdict verdict = verdict_on(network, routing);
  EXPECT_EQ(verdict.unroutable_pairs, 3U);  // from the neighbour, and from the two of the other router
  for (const Finding& finding : verdict.findings) EXPECT_EQ(finding.destination, last);
  map->set_source(network, TerminalId(0), all(LaneMap::kDrop));
  EXPECT_EQ(verdict_on(network, routing).unroutable_pairs, 5U);
}

}  // namespace
}  // namespace unknot
