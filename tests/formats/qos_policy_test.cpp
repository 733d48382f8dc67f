// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/opensm/qos_policy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

ServiceLevels levels_of(const Network& network,
                        const std::function<std::uint8_t(RouterId, TerminalId)>& level) {
  ServiceLevels levels(network, ServiceLevels::Rows::by_router);
  for (const TerminalId source : network.terminals()) {
    for (const TerminalId d : network.terminals())
      levels.row(levels.row_of(source))[d.value] = level(network.router_of(source), d);
  }
  return levels;
}

/// What the rules give a path, first match first.
std::uint8_t answer(const LevelBlocks& grouped, TerminalId source, TerminalId destination) {
  const auto in = [](const std::vector<TerminalId>& all, TerminalId t) {
    return std::find(all.begin(), all.end(), t) != all.end();
  };
  for (const LevelBlock& block : grouped.blocks) {
    if ((block.sources.empty() || in(block.sources, source)) && in(block.destinations, destination))
      return block.level;
  }
  return grouped.rest;
}

void expect_same_levels(const Network& network, const ServiceLevels& levels) {
  const LevelBlocks grouped = group_levels(network, levels);
  for (const TerminalId source : network.terminals()) {
    for (const TerminalId d : network.terminals()) {
      if (network.router_of(source) == network.router_of(d)) continue;
      ASSERT_EQ(answer(grouped, source, d), levels.get(source, d)) << source.value << " " << d.value;
    }
  }
}

TEST(QosPolicy, LevelsOfDestinationsNeedOneRuleEach) {
  const Network network = make_network("torus:4x4,p=2");
  // Engines leave 0 between terminals of one router: that must not keep destinations apart.
  const ServiceLevels levels = levels_of(network, [&](RouterId r, TerminalId d) {
    return static_cast<std::uint8_t>(network.router_of(d) == r ? 0 : d.value % 4);
  });
  EXPECT_EQ(group_levels(network, levels).blocks.size(), 3U);
  expect_same_levels(network, levels);
}

TEST(QosPolicy, LevelsOfSourcesNeedOneRuleEachToo) {
  const Network network = make_network("torus:4x4,p=2");
  const ServiceLevels levels =
      levels_of(network, [&](RouterId r, TerminalId) { return static_cast<std::uint8_t>(r.value % 3); });
  EXPECT_LE(group_levels(network, levels).blocks.size(), 2U);
  expect_same_levels(network, levels);
}

TEST(QosPolicy, AnyLevelsComeBack) {
  const Network network = make_network("ring:7,p=2");
  expect_same_levels(network, levels_of(network, [](RouterId r, TerminalId d) {
                       return static_cast<std::uint8_t>((r.value * 5 + d.value * d.value) % 8);
                     }));
}

TEST(QosPolicy, WhatItCannotHoldIsRefused) {
  const Network network = make_network("ring:4");
  Routing routing;
  routing.paths = ForwardingTable(network);
  EXPECT_THAT(qos_policy_text(network, routing), Not(HasSubstr("qos-match-rules")));
  routing.service_levels =
      levels_of(network, [](RouterId, TerminalId) { return static_cast<std::uint8_t>(8); });
  EXPECT_THROW((void)qos_policy_text(network, routing), InputError);
  routing.service_levels = levels_of(network, [](RouterId, TerminalId) { return ServiceLevels::kMissing; });
  EXPECT_THROW((void)qos_policy_text(network, routing), InputError);
  routing.service_levels = {};
  routing.lane_map = std::make_shared<const LaneMap>(network, std::uint8_t{2});
  EXPECT_THAT([&] { (void)qos_policy_text(network, routing); },
              testing::ThrowsMessage<InputError>(HasSubstr("dor:sl2vl=0")));  // the way out
}

}  // namespace
}  // namespace unknot
