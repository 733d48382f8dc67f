// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/joint_check.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "unknot/engines/catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

/// Routes along these routers, one after the other; no others.
Routing along(const Network& network, const std::vector<std::vector<std::uint32_t>>& walks,
              FlowControl flow) {
  const std::uint32_t terminals = network.terminal_count();
  const auto pair = [&](const std::vector<std::uint32_t>& walk) {
    return std::size_t{walk.front()} * terminals + walk.back();
  };
  std::vector<std::uint16_t> lengths(std::size_t{terminals} * terminals, 0);
  for (const auto& walk : walks) lengths[pair(walk)] = static_cast<std::uint16_t>(walk.size() - 1);
  auto routes = std::make_shared<SourceRoutes>(terminals, lengths);
  for (const auto& walk : walks) {
    const auto route = routes->route(TerminalId(walk.front()), TerminalId(walk.back()));
    for (std::size_t hop = 0; hop + 1 < walk.size(); ++hop) {
      for (const ChannelId c : network.out(RouterId(walk[hop])))
        if (network.target(c).value == walk[hop + 1]) route[hop] = c;
    }
  }
  Routing routing;
  routing.paths = routes;
  routing.flow_control = flow;
  return routing;
}

TEST(JointCheck, TwoSoundRoutingsMayDeadlockTogether) {
  const Network ring = make_network("torus:4");
  Progress silent;
  for (const FlowControl flow : {FlowControl::credits, FlowControl::bubble}) {
    const std::vector<Routing> jobs = {along(ring, {{0, 1, 2}, {2, 3, 0}}, flow),
                                       along(ring, {{1, 2, 3}, {3, 0, 1}}, flow)};
    for (const Routing& job : jobs) EXPECT_TRUE(verify(ring, job, {}, silent).deadlock_free);
    const JointVerdict together = verify_together(ring, jobs, 1, silent);
    EXPECT_EQ(together.deadlock_free, flow == FlowControl::bubble);
    EXPECT_EQ(together.cycle.size(), flow == FlowControl::bubble ? 0U : 4U);
    for (std::size_t i = 0; i < together.cycle.size(); ++i) {
      EXPECT_EQ(ring.target(together.cycle[i].channel),
                ring.source(together.cycle[(i + 1) % together.cycle.size()].channel));
    }
  }
}

TEST(JointCheck, ACircleThatLeavesItsRingIsNoneOfBubbleFlowControls) {
  const Network square = make_network("torus:2x2");
  Progress silent;
  const std::vector<Routing> jobs = {along(square, {{0, 1, 3}, {3, 2, 0}}, FlowControl::bubble),
                                     along(square, {{1, 3, 2}, {2, 0, 1}}, FlowControl::bubble)};
  EXPECT_FALSE(verify_together(square, jobs, 1, silent).deadlock_free);
  EXPECT_TRUE(verify_together(square, {jobs.data(), 1}, 1, silent).deadlock_free);
  EXPECT_TRUE(verify_together(square, {}, 1, silent).deadlock_free);
}

TEST(JointCheck, TablesAndRoutesAreOneGraphAndFlowControlMustAgree) {
  const Network network = make_network("torus:4x4");
  Progress silent;
  const Routing tables = route(network, "updn", {}, silent);
  Routing routes = route(network, "angara-sssp", {}, silent);
  EXPECT_THROW((void)verify_together(network, std::vector<Routing>{tables, routes}, 1, silent), InputError);
  const Routing lanes = route(network, "dfsssp", {}, silent);
  EXPECT_TRUE(verify_together(network, std::vector<Routing>{lanes, lanes}, 1, silent).deadlock_free);
  EXPECT_TRUE(verify_together(network, std::vector<Routing>{routes, routes}, 1, silent).deadlock_free);
}

}  // namespace
}  // namespace unknot
