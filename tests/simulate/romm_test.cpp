// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "unknot/simulate/plan/lane_proof.hpp"
#include "unknot/simulate/plan/two_orders.hpp"
#include "unknot/simulate/run.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot::simulate {
namespace {

constexpr std::uint32_t kSide = 4;
using Link = std::pair<std::uint32_t, std::uint32_t>;

/// Adds `share` of what goes from a to b in a mesh, each router giving equal parts to its one or two ways.
void spread(std::uint32_t a, std::uint32_t b, double share, std::map<Link, double>& loads) {
  if (a == b) return;
  std::vector<std::uint32_t> next;
  const int column = static_cast<int>(b % kSide) - static_cast<int>(a % kSide);
  const int row = static_cast<int>(b / kSide) - static_cast<int>(a / kSide);
  if (column != 0) next.push_back(column > 0 ? a + 1 : a - 1);
  if (row != 0) next.push_back(row > 0 ? a + kSide : a - kSide);
  for (const std::uint32_t n : next) {
    loads[{a, n}] += share / static_cast<double>(next.size());
    spread(n, b, share / static_cast<double>(next.size()), loads);
  }
}

/// What goes from corner to corner by way of any router of the mesh.
TEST(Romm, ChannelsCarryWhatTheIntermediatesSay) {
  const Network network = make_network("mesh:4x4");
  const AdaptiveChoice choice{.kind = RoutePlan::Kind::minimal, .within = true};
  const RoutePlan plan = plan_paths(network, choice);
  constexpr std::uint32_t kPackets = 40'000;
  std::vector<ListedPacket> packets;
  for (std::uint32_t i = 0; i < kPackets; ++i) packets.push_back({2 * i, 0, kSide * kSide - 1, 1});
  Settings settings;
  settings.vcs = 0;
  Progress quiet;
  const RunReport report = run_packets(plan, for_lanes(settings, plan.lanes_needed), packets, nullptr, quiet);
  ASSERT_EQ(report.packets, kPackets);
  EXPECT_EQ(report.hops_mean, 7);
  std::map<Link, double> expected;
  for (std::uint32_t via = 0; via < kSide * kSide; ++via) {
    spread(0, via, 1.0 / (kSide * kSide), expected);
    spread(via, kSide * kSide - 1, 1.0 / (kSide * kSide), expected);
  }
  for (const ChannelId c : network.channels()) {
    const Link link{network.source(c).value, network.target(c).value};
    EXPECT_NEAR(2 * report.utilisation[c.value], expected.contains(link) ? expected[link] : 0, 0.015)
        << link.first << " " << link.second;
  }
  EXPECT_TRUE(prove_lanes(network, choice, 1, quiet).deadlock_free);
}

TEST(Romm, AllArriveUnderLoad) {
  const Network network = make_network("mesh:4x4,p=2");
  const RoutePlan plan = plan_paths(network, {.kind = RoutePlan::Kind::minimal, .within = true});
  Settings settings;
  settings.vcs = 0;
  settings.packet_flits = 2;
  settings.measure = 2000;
  Progress quiet;
  const SteadyReport report =
      run_steady(plan, for_lanes(settings, plan.lanes_needed), make_pattern(network, "uniform"), 0.2, quiet);
  EXPECT_FALSE(report.undelivered);
  EXPECT_FALSE(report.locked());
  EXPECT_NEAR(report.accepted, 0.2, 0.01);
}

/// Every step of every path is along the first, or last, dimension that is not done; the two share no lane,
/// and the checker finds no cycle.
TEST(TwoOrders, AreDimensionOrdersOnLanesOfTheirOwn) {
  Progress quiet;
  for (const char* const spec : {"mesh:4x3", "mesh:3x3x2", "hyperx:3x4", "hyperx:3x3x2,p=2"}) {
    const Network network = make_network(spec);
    const Routing routing = two_orders(network);
    ASSERT_EQ(routing.further.size(), 1U);
    const Coordinates& at = *network.coordinates();
    for (const bool first : {true, false}) {
      const Routing& tables = first ? routing : routing.further.front();
      for (const TerminalId s : network.terminals()) {
        for (const TerminalId t : network.terminals()) {
          EXPECT_EQ(tables.service_levels.get(s, t), first ? 0 : 1);
          std::vector<std::uint32_t> dimensions;
          RouterId r = network.router_of(s);
          while (r != network.router_of(t)) {
            const RouterId next = network.target(tables.table().next(network, r, t));
            for (std::uint32_t d = 0; d < at.dimensions; ++d) {
              if (at.value[r.value * at.dimensions + d] != at.value[next.value * at.dimensions + d])
                dimensions.push_back(first ? d : at.dimensions - d);
            }
            r = next;
            ASSERT_LT(dimensions.size(), 20U);
          }
          EXPECT_TRUE(std::is_sorted(dimensions.begin(), dimensions.end())) << spec;
        }
      }
    }
    EXPECT_TRUE(verify(network, routing, {}, quiet).deadlock_free) << spec;
  }
  EXPECT_THROW((void)two_orders(make_network("torus:4x4")), InputError);
  EXPECT_THROW((void)two_orders(make_network("slimfly:q=5,p=1")), InputError);
}

}  // namespace
}  // namespace unknot::simulate
